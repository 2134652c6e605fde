import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dts } from 'rollup-plugin-dts';

const pkg = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'));
/** Where tsc emitted to, and where the bundles go; src/build/build.mjs renames the latter into place. */
const from = process.env.BUILD_FOLDER ?? '.build';
const to = `${from}/dist`;

/** Each public door of the package and the module behind it. */
const doors = {
  index: 'src/index',
  types: 'src/types',
  verdict: 'src/verdict/index',
  http: 'src/http/index',
  client: 'src/client',
  aip: 'src/aip/index',
  did: 'src/did/index',
  guard: 'src/guard/index',
  metrics: 'src/metrics/index',
  proof: 'src/proof/index',
  'guard/ai-sdk': 'adapters/guards/ai-sdk/index',
  'guard/langchain': 'adapters/guards/langchain/index',
  'guard/mcp': 'adapters/guards/mcp/index',
  'guard/openai-agents': 'adapters/guards/openai-agents/index',
  storage: 'src/ports/index',
  blocks: 'src/blocks/index',
  testing: 'src/testing/index',
  'testing/arbitraries': 'src/testing/arbitraries',
  express: 'adapters/express/index',
  dashboard: 'adapters/dashboard/index',
  'domain-check': 'adapters/domain-check/index',
  otel: 'adapters/otel/index',
  'storage/memory': 'adapters/storage/memory/index',
  'storage/redis': 'adapters/storage/redis/index',
  'storage/sql': 'adapters/storage/sql/index',
};
/** What is no door: the command, and what `imports` of package.json leads to. */
const programs = { cli: 'adapters/cli/main', 'plain-fetch': 'src/proof/plain-fetch' };

const inputs = (entries, extension) =>
  Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, `${from}/${path}${extension}`]));
const packages = Object.keys({
  ...pkg.dependencies,
  ...pkg.optionalDependencies,
  ...pkg.peerDependencies,
});
const external = (id) =>
  id.startsWith('node:') ||
  id.startsWith('#') ||
  packages.some((name) => id === name || id.startsWith(`${name}/`));
const onwarn = (warning) => {
  if (warning.code === 'EMPTY_BUNDLE' && warning.names.every((name) => name === 'types')) return;
  throw new Error(warning.message);
};

/**
 * The compiler of a host finds a name for a type of ours only in files that it has read: with this it reads the door
 * that names them all.
 */
const leadToTypes = ({ isEntry, name }) =>
  isEntry && ['client', 'did', 'express', 'http', 'index'].includes(name)
    ? "import type {} from './types.js';"
    : '';

/** Hands tsc's own source maps to rollup, so dist/*.map points at the TypeScript sources. */
const sourceMaps = {
  name: 'tsc-source-maps',
  async load(id) {
    if (!id.endsWith('.js')) return null;
    const [code, map] = await Promise.all([readFile(id, 'utf8'), readFile(`${id}.map`, 'utf8')]);
    return { code: code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'), map: JSON.parse(map) };
  },
};

export default [
  {
    input: inputs({ ...doors, ...programs }, '.js'),
    external,
    onwarn,
    plugins: [sourceMaps],
    output: {
      dir: to,
      format: 'es',
      sourcemap: true,
      chunkFileNames: 'chunks/[name]-[hash].js',
      // Every file costs a start: what ./verdict needs is one, though ./testing needs less of it.
      manualChunks: { verdict: [`${from}/${doors.verdict}.js`] },
    },
    treeshake: { moduleSideEffects: false },
  },
  {
    input: inputs(doors, '.d.ts'),
    external,
    onwarn,
    plugins: [dts()],
    output: { dir: to, format: 'es', chunkFileNames: 'chunks/[name]-[hash].d.ts', banner: leadToTypes },
  },
];
