/** Ids of records that are made in large numbers: a prefix that is random once per process, and a count. */
import { BASE62, base62, readBase62 } from './base62.ts';

/** How many digits the count has. */
const COUNT_DIGITS = 8;

/** All pairs of digits, in their order as numbers: ids that share all but these two share one head. */
const PAIRS: readonly string[] = [...BASE62].flatMap((first) =>
  Array.from(BASE62, (second) => first + second),
);

/** Makes the ids `prefix` + 0, 1, 2 … as eight base62 digits: they sort by age within one maker. */
export function idCounter(prefix: string): () => string {
  const spell = idSpeller(prefix);
  let count = 0;
  return () => spell(count++);
}

/** The id of this prefix and a count. It remembers its last head: the next count mostly shares it. */
export function idSpeller(prefix: string): (count: number) => string {
  let last = Number.NaN;
  let head = '';
  return (count) => {
    const block = Math.floor(count / PAIRS.length);
    if (block !== last) {
      head = prefix + base62(block, COUNT_DIGITS - 2);
      last = block;
    }
    return head + PAIRS[count - block * PAIRS.length];
  };
}

/** All of a counted id but its count. */
export function idPrefix(id: string): string {
  return id.slice(0, -COUNT_DIGITS);
}

/** The count of an id with a prefix of this length; -1 where it has another length, or other characters than digits. */
export function idCount(id: string, prefixLength: number): number {
  return id.length === prefixLength + COUNT_DIGITS ? readBase62(id, prefixLength) : -1;
}
