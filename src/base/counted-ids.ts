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
  let block = 0;
  let next = 0;
  let head = prefix + base62(block, COUNT_DIGITS - 2);
  return () => {
    if (next === PAIRS.length) {
      next = 0;
      head = prefix + base62(++block, COUNT_DIGITS - 2);
    }
    return head + PAIRS[next++];
  };
}

/** The id of a prefix and a count. */
export function countedId(prefix: string, count: number): string {
  return prefix + base62(count, COUNT_DIGITS);
}

/** All of a counted id but its count. */
export function idPrefix(id: string): string {
  return id.slice(0, -COUNT_DIGITS);
}

/** The count of an id with a prefix of this length; -1 where it has another length, or other characters than digits. */
export function idCount(id: string, prefixLength: number): number {
  return id.length === prefixLength + COUNT_DIGITS ? readBase62(id, prefixLength) : -1;
}
