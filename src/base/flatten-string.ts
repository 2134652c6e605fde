/** Texts that outlive their request: without the longer text they were cut from, and without what no database stores. */
import { createBoundedMap } from './bounded-map.ts';

/** How many texts are remembered at least. */
const LEAST_TEXTS = 5_000;

/** U+0000, and surrogates without their other half: in process a text can hold them. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu;

/**
 * One copy of each text among the latest, made by `own` when it comes first: most questions and passports name the
 * same few agents, actions and targets.
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

/** Returns a flat copy with U+FFFD in place of what no database stores: one such record must not hold up all others. */
export function storableText(text: string): string {
  return withoutUnstorable(flattenString(text));
}

/** Returns the text itself where a database stores it; else the same with U+FFFD in place of what it does not store. */
export function withoutUnstorable(text: string): string {
  return text.replaceAll(UNSTORABLE, '\uFFFD');
}

/**
 * The text without what it was cut from. In V8 a piece of a text keeps all of it: a name of thirty characters that
 * is remembered for a day would hold the whole body of its request, 64 KiB of it or more.
 */
export function flattenString(text: string): string {
  // The sum is a text of its own, and no longer than what is cut from it.
  return `${text} `.slice(0, -1);
}
