/** One line of the built code that is another one: what the proof of the bound has to notice. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A line of a file, and the other one. */
export interface Patch {
  readonly url: string;
  readonly line: string;
  readonly other: string;
}

/** A mutant of the verifier, or of the nodes. */
export interface Mutant {
  readonly of: 'verifier' | 'node';
  readonly line: string;
  readonly other: string;
}

export const MUTANTS: Readonly<Record<string, Mutant>> = {
  'the age is counted from the arrival of the answer': {
    of: 'verifier',
    line: 'const asOf = sentAt + answer.as_of_ms;',
    other: 'const asOf = arrivedAt;',
  },
  'as_of_ms is taken after the read': {
    of: 'node',
    line: 'as_of_ms: Math.floor((asOf - arrivedAt) * 10) / 10,',
    other: 'as_of_ms: Math.floor((caches.monotonic() - arrivedAt) * 10) / 10,',
  },
  'the key is taken from memory': {
    of: 'node',
    line: 'callers.confirm(caller, since),',
    other: '{ caller, asOf: since },',
  },
};

const DIST = fileURLToPath(new URL('../../../dist/', import.meta.url));

/** Finds the line in the built code, where it must stand once. */
export function patchOf({ line, other }: Mutant): Patch {
  const names = readdirSync(DIST, { recursive: true }).map(String);
  const found = names
    .filter((name) => name.endsWith('.js') && !name.startsWith('bench'))
    .flatMap((name) => {
      const times = readFileSync(`${DIST}${name}`, 'utf8').split(line).length - 1;
      return Array.from({ length: times }, () => name);
    });
  const [name] = found;
  if (name === undefined || found.length > 1) throw new Error(`"${line}" stands in ${found.length} places.`);
  return { url: pathToFileURL(`${DIST}${name}`).href, line, other };
}
