/**
 * Strings that are kept after their request: without the larger string they were cut from, and without characters that
 * databases do not store.
 */
import { createBoundedMap } from '../bounded-map.ts';

/** The least number of texts that are remembered. */
const LEAST_TEXTS = 5_000;

/** U+0000 and lone surrogates: strings in this process can hold them, databases cannot. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu;

/**
 * Returns a function that gives equal texts one shared copy. `own` makes the copy for the first of them, and the
 * function keeps recent copies. Most intents and passports name the same few agents, actions and targets.
 */
export function createTextKeeper(own: (text: string) => string): (text: string) => string {
  const texts = createBoundedMap<string, string>(LEAST_TEXTS);
  return (text) => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    const kept = own(text);
    texts.set(kept, kept);
    return kept;
  };
}

/**
 * Returns a flat copy with U+FFFD in place of characters that databases do not store: one such record must not block
 * the others.
 */
export function storableText(text: string): string {
  return withoutUnstorable(flattenString(text));
}

/** Returns the text with U+FFFD in place of characters that databases do not store; the same text when it has none. */
export function withoutUnstorable(text: string): string {
  return text.replaceAll(UNSTORABLE, '\uFFFD');
}

/**
 * Returns a copy without the larger string behind it. In V8 a slice keeps the whole string that it was cut from. A
 * name of thirty characters that stays in memory for a day would hold the body of its request, 64 KiB or more.
 */
export function flattenString(text: string): string {
  // V8 writes a join into one new string. A slice of any string would stay a view of it, which is slow to compare.
  return [text.slice(0, 1), text.slice(1)].join('');
}
