/**
 * How keys are named. All begin with `{namespace}:`, in braces so that one node of a cluster holds them all and
 * a script may derive them. No key ever has a time to live: the service purges instead, so that the
 * policies `volatile-*` find no key that they may evict.
 */

/** The key of the id of the store; every script gets it. */
export function markerKey(namespace: string): string {
  return `{${namespace}}:marker`;
}

/**
 * The key of the number of acknowledged writes. Another store has no key of that name, so that one
 * look-up shows both whether it is the right store and its position.
 */
export function positionKey(namespace: string, marker: string): string {
  return `{${namespace}}:position:${marker}`;
}

/** The key of a record. */
export function recordKey(namespace: string, collection: string, id: string): string {
  return `{${namespace}}:${collection}:${id}`;
}

/** The key of a counter: its value, a space, and its end in milliseconds or nothing. */
export function counterKey(namespace: string, counter: string): string {
  return `{${namespace}}:counter:${counter}`;
}

/** The channel of changes. */
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

/** Whether UTF-8 can hold the text. Every stored text satisfies this. */
export function isRedisText(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** Digits of an instant: enough for the year 9999, and for `NEVER`. */
const DIGITS = 15;

/** After every instant. */
export const NEVER: string = '9'.repeat(DIGITS);

/**
 * The instant in milliseconds as text whose byte order is that of time; before 1970 it is 1970. Throws a
 * TypeError for a text that is not an instant.
 */
export function sortable(instant: string): string {
  const ms = Date.parse(instant);
  if (Number.isNaN(ms)) throw new TypeError('An instant cannot be read.');
  return String(Math.max(ms, 0)).padStart(DIGITS, '0');
}
