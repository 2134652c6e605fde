import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const TYPES = './dist/types/';

/**
 * The sources to which a line is added that makes a compiler read the entry point with all types of the package.
 *
 * A compiler of an application finds a name for a type only in files that it has read. A source that would become part
 * of an import cycle is not listed.
 */
const LEADS_TO_TYPES = [
  'src/client',
  'src/http/binding',
  'src/http/index',
  'src/identity/index',
  'src/index',
  'adapters/express/index',
];

/** Reads the entry points of the package: the name of each in dist/, and its module without the extension. */
export function entryPointsOf({ exports }) {
  return new Map(
    Object.values(exports)
      .filter(({ types }) => types?.startsWith(TYPES))
      .map(({ types, default: code }) => [
        code.slice('./dist/'.length, -'.js'.length),
        types.slice(TYPES.length, -'.d.ts'.length),
      ]),
  );
}

/**
 * Copies the type declarations of the entry points from the folder of tsc, one file for each module. It changes the
 * extension of imports to `.js`, which every resolver understands; tsc leaves `.ts` there.
 */
export function copyDeclarations(from, to, entryPoints) {
  const found = new Set([...entryPoints].map((path) => `${path}.d.ts`));
  for (const path of found) {
    const text = readFileSync(join(from, path), 'utf8');
    const copied = text.replaceAll(RELATIVE, (_, start, specifier, quote) => {
      found.add(posix.join(posix.dirname(path), `${specifier}.d.ts`));
      return `${start}${specifier}.js${quote}`;
    });
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), `${leadOf(path)}${copied}`);
  }
}

/** Matches a relative file in `from '…'`, `import '…'` or `import("…")`. */
const RELATIVE = /(\b(?:from |import |import\()['"])(\.[^'"\n]*)\.tsx?(['"])/g;

function leadOf(path) {
  if (!LEADS_TO_TYPES.includes(path.slice(0, -'.d.ts'.length))) return '';
  const toTypes = posix.relative(posix.dirname(path), 'src/types.js');
  return `import type {} from '${toTypes.startsWith('.') ? '' : './'}${toTypes}';\n`;
}
