import { readFileSync } from 'node:fs';
import { parseSync } from 'rolldown/utils';
import { defineConfig } from 'rollup';
import { entryPointsOf } from './src/build/declarations.mjs';

const pkg = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'));
/** Where tsc emitted to, and where the bundles go; src/build/build.mjs renames the latter into place. */
const from = process.env.BUILD_FOLDER ?? '.build';
const to = `${from}/dist`;

/**
 * Entries beside the entry points: the command, the module that `imports` of package.json leads to, and the codec of the
 * journal, which benchmarks measure by itself and the package does not ship.
 */
const programs = {
  cli: 'adapters/cli/main',
  // The verdict of a hook, if no resident process runs.
  'hook-judge': 'adapters/cli/hook/program',
  'plain-fetch': 'src/tokens/proof/plain-fetch',
  'bench/blocks': 'src/journal-format/index',
};

const modules = { ...Object.fromEntries(entryPointsOf(pkg)), ...programs };
const input = Object.fromEntries(Object.entries(modules).map(([name, path]) => [name, `${from}/${path}.js`]));
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
  // The helper by which tsc wraps an `import` of a path that is known at run time.
  if (warning.code === 'THIS_IS_UNDEFINED' && /\/(?:passport-replay|hook\/front)\.js$/.test(warning.id))
    return;
  throw new Error(warning.message);
};

/** Leaves comments out of the code, except those for bundlers: the types have them, for people. */
const withoutComments = {
  name: 'without-comments',
  renderChunk(code, { fileName }) {
    const isKept = ({ start, value }) => value.includes('__PURE__') || code.startsWith('#!', start);
    let text = '';
    let from = 0;
    for (const { start, end } of parseSync(fileName, code).comments.filter((one) => !isKept(one))) {
      const indent = code.slice(from, start).search(/(?<=^|\n)[ \t]*$/);
      const isLine = indent >= 0 && code[end] === '\n';
      text += code.slice(from, isLine ? from + indent : start);
      from = isLine ? end + 1 : end;
    }
    return { code: text + code.slice(from), map: null };
  },
};
const plugins = [withoutComments];

const shipped = {
  input,
  external,
  onwarn,
  plugins,
  output: {
    dir: to,
    format: 'es',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Every file costs a start: what ./verdict needs is one, though ./testing needs less of it.
    // The package does not ship the entry of the codec for benchmarks: entry points must not lead through it.
    manualChunks: {
      verdict: [`${from}/${modules.verdict}.js`],
      // A guard needs the currencies, and a resource the names of agents and actions; neither needs a verdict.
      currency: ['money', 'agent-id', 'action'].map((name) => `${from}/src/base/values/${name}.js`),
      // Otherwise these would be in the chunk of the codec, and entry points that need no more of it would load all of it.
      shared: [
        ...['bounded-map', 'bytes/crc32', 'bytes/hex', 'values/trace-id'],
        // A client needs these, and no verdict.
        ...['values/passport-status', 'values/plain-data', 'values/time-buckets', 'values/vocabulary'],
      ].map((name) => `${from}/src/base/${name}.js`),
      blocks: [`${from}/${modules['bench/blocks']}.js`],
    },
  },
  treeshake: { moduleSideEffects: false },
};

/** The proofs of logs, which only benchmarks call by themselves: a bundle of its own keeps the chunks of the entry points small. */
const logProofs = {
  ...{ external, onwarn, plugins },
  input: `${from}/src/transparency-log/proofs.js`,
  output: { file: `${to}/bench/log-proofs.js`, format: 'es' },
};

/** The hook of agent hosts: one small file, which starts in a few milliseconds. */
const hook = {
  ...{ external, onwarn, plugins },
  input: `${from}/adapters/cli/hook/front.js`,
  output: { file: `${to}/hook.cjs`, format: 'cjs' },
};

export default defineConfig([shipped, logProofs, hook]);
