/** Creates ids for records that are created in large numbers: a random prefix for each process, followed by a count. */
import { BASE62, base62, readBase62 } from './base62.ts';

const COUNT_DIGITS = 8;

export const MAX_COUNT: number = BASE62.length ** COUNT_DIGITS - 1;

/** All pairs of digits in numeric order. Ids that differ only in the last two digits share the text before the pair. */
const PAIRS: readonly string[] = [...BASE62].flatMap((first) =>
  Array.from(BASE62, (second) => first + second),
);

/**
 * Returns a function that creates the ids `prefix` + 0, 1, 2 … in eight base62 digits. The ids of one function sort by
 * age.
 */
export function idCounter(prefix: string): () => string {
  return createIdSource(prefix).next;
}

/** A counted id in its two parts. */
export interface CountedId {
  readonly prefix: string;
  readonly count: number;
}

/** The ids `prefix` + 0, 1, 2 … of one source. */
export interface IdSource {
  next(): string;
  /** Returns the parts of the last id; `undefined` for any other id. Reading a count from its text takes longer. */
  partsOf(id: string): CountedId | undefined;
}

/** Creates the ids of `prefix`, and remembers the count of the last id. */
export function createIdSource(prefix: string): IdSource {
  const spell = idSpeller(prefix);
  let count = -1;
  let last = '';
  return {
    next() {
      count += 1;
      last = spell(count);
      return last;
    },
    partsOf: (id) => (id === last ? { prefix, count } : undefined),
  };
}

/**
 * Returns a function that creates the id for a count. It remembers the start of its last id, which is usually the same
 * for the next id.
 */
export function idSpeller(prefix: string): (count: number) => string {
  let last = Number.NaN;
  let head = '';
  return (count) => {
    const block = Math.floor(count / PAIRS.length);
    if (block !== last) {
      head = prefix + base62(block, COUNT_DIGITS - 2);
      last = block;
    }
    return head + PAIRS[count % PAIRS.length];
  };
}

/** Returns a counted id without its count. */
export function idPrefix(id: string): string {
  return id.slice(0, -COUNT_DIGITS);
}

/** Returns the count of an id whose prefix has this length; -1 if the id has another length or invalid characters. */
export function idCount(id: string, prefixLength: number): number {
  return id.length === prefixLength + COUNT_DIGITS ? readBase62(id, prefixLength) : -1;
}
