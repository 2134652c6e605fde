/**
 * How keys are named. All begin with `{namespace}:`, in braces so that one node of a cluster holds them all and
 * a script may derive them. No key ever has a time to live: what is kept for a time is purged by us, so that the
 * policies `volatile-*` find nothing that they may drop.
 */

/** Where the id of the store is kept that an adapter has opened; every script is given this key. */
export function markerKey(namespace: string): string {
  return `{${namespace}}:marker`;
}

/**
 * Where the number of writes is kept that were ever acknowledged. Another store has no key of that name, so that one
 * look-up tells both whether it is the right store and how far it is.
 */
export function positionKey(namespace: string, marker: string): string {
  return `{${namespace}}:position:${marker}`;
}

/** Where a record is kept. */
export function recordKey(namespace: string, collection: string, id: string): string {
  return `{${namespace}}:${collection}:${id}`;
}

/** Where a counter is kept: its value, a space, and its end in milliseconds or nothing. */
export function counterKey(namespace: string, counter: string): string {
  return `{${namespace}}:counter:${counter}`;
}

/** Where changes are told. */
export function changesChannel(namespace: string): string {
  return `{${namespace}}:changes`;
}

/** The texts as one part of a key, which no other texts make. Throws a TypeError for a lone surrogate. */
export function joinNames(...names: readonly string[]): string {
  try {
    return names.map(encodeURIComponent).join(':');
  } catch (cause) {
    throw new TypeError('A text holds a lone surrogate.', { cause });
  }
}

/** Whether UTF-8 can hold the text. No stored text is any other. */
export function isRedisText(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** Digits of an instant: enough for the year 9999, and for `NEVER`. */
const DIGITS = 15;

/** After every instant. */
export const NEVER: string = '9'.repeat(DIGITS);

/**
 * The instant in milliseconds, so that the order of bytes is that of time; before 1970 it is 1970. Throws a
 * TypeError for what is none.
 */
export function sortable(instant: string): string {
  const ms = Date.parse(instant);
  if (Number.isNaN(ms)) throw new TypeError('An instant cannot be read.');
  return String(Math.max(ms, 0)).padStart(DIGITS, '0');
}
