/**
 * Prepares strings that stay in memory after their request. It detaches them from larger strings, and replaces
 * characters that databases cannot store.
 */
import { createBoundedMap } from '../bounded-map.ts';

const LEAST_TEXTS = 5_000;

/** U+0000 and lone surrogates, which JavaScript strings can contain and databases cannot. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu;

/**
 * Returns a function that gives equal texts one shared copy. `copyText` makes the copy for the first of equal texts,
 * and the function remembers recent copies. Most intents and passports name the same few agents, actions and targets.
 */
export function createTextKeeper(copyText: (text: string) => string): (text: string) => string {
  const texts = createBoundedMap<string, string>(LEAST_TEXTS);
  return (text) => {
    const knownText = texts.get(text);
    if (knownText !== undefined) return knownText;
    const keptText = copyText(text);
    texts.set(keptText, keptText);
    return keptText;
  };
}

/**
 * Returns a flat copy in which U+FFFD replaces characters that databases cannot store. Otherwise one record could
 * prevent storing all others.
 */
export function storableText(text: string): string {
  return withoutUnstorable(flattenString(text));
}

export function withoutUnstorable(text: string): string {
  return text.replaceAll(UNSTORABLE, '\uFFFD');
}

/**
 * Returns a copy that does not keep a larger string in memory. In V8, a slice keeps the whole string from which it was
 * cut. A short name that stays in memory for a day would keep the body of its request, 64 KiB or more.
 */
export function flattenString(text: string): string {
  // V8 writes a join into one new string. A slice of any string would stay a view of it, which is slow to compare.
  return [text.slice(0, 1), text.slice(1)].join('');
}
