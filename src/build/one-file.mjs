import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minify } from 'rolldown/utils';
import { rollup } from 'rollup';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * Bundles a module with its packages into one text, in the way an application's bundler would. It minifies the text
 * with oxc, which vitest brings with rolldown.
 */
export async function oneFile(input, external = []) {
  const [{ code }] = await files(input, external, { inlineDynamicImports: true });
  return code;
}

/** Bundles a module as `oneFile` does. Modules that it imports dynamically become separate files under their names. */
export async function withLaterFiles(input, name) {
  const names = { entryFileNames: name, chunkFileNames: '[name].js' };
  const written = await files(input, [], names, 'allow-extension');
  return Object.fromEntries(written.map(({ fileName, code }) => [fileName, code]));
}

async function files(input, external, options, preserveEntrySignatures = 'strict') {
  const isExternal = (id) =>
    id.startsWith('node:') ||
    external.some((known) => (typeof known === 'string' ? id === known : known.test(id)));
  const bundle = await rollup({
    ...{ input, preserveEntrySignatures },
    ...{ external: isExternal, plugins: [packages], onwarn: refuse },
    // As package.json says: a file of ours is left out if nothing of it is used.
    treeshake: { moduleSideEffects: (id) => id.includes('node_modules') },
  });
  const { output } = await bundle.generate({ format: 'es', ...options });
  await bundle.close();
  return Promise.all(output.map(async ({ fileName, code }) => ({ fileName, code: await minified(code) })));
}

async function minified(text) {
  const { code, errors } = await minify('bundle.js', text, { module: true });
  if (errors.length > 0) throw new Error(errors[0].message);
  return code;
}

/**
 * Resolves packages from this project, because the output of tsc is outside it. For our own `#` imports, it uses the
 * file for other runtimes.
 */
const packages = {
  name: 'packages',
  resolveId(id) {
    if (/^[./]/.test(id)) return null;
    return id.startsWith('#') ? join(root, imports[id].default) : fileURLToPath(import.meta.resolve(id));
  },
};

/** Throws for each warning of rollup, except for circular imports within a package. */
function refuse(warning) {
  if (warning.code !== 'CIRCULAR_DEPENDENCY') throw new Error(warning.message);
}
