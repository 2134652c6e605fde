/**
 * Defines the names of keys. All begin with `{namespace}:`. Because of the braces, one node of a cluster has all keys,
 * and a script may build more names. No key has a time to live. The service purges old data itself, so the eviction
 * policies `volatile-*` find no key to evict.
 */

/** Returns the key of the identity, which is the id of the store. Every script gets it. */
export function identityKey(namespace: string): string {
  return `{${namespace}}:marker`;
}

/**
 * Returns the key of the number of acknowledged writes. Its name contains the identity, which another store does not
 * have. One look-up thus checks both the identity of the store and its write counter.
 */
export function writeCounterKey(namespace: string, identity: string): string {
  return `{${namespace}}:position:${identity}`;
}

export function recordKey(namespace: string, collection: string, id: string): string {
  return `{${namespace}}:${collection}:${id}`;
}

/** Returns the key of a counter. Its value is the count, a space, and the expiry in milliseconds or nothing. */
export function counterKey(namespace: string, counter: string): string {
  return `{${namespace}}:counter:${counter}`;
}

export function changesChannel(namespace: string): string {
  return `{${namespace}}:changes`;
}

/**
 * Joins texts into one part of a key. Different texts give different parts. Throws a TypeError for a lone surrogate.
 */
export function joinNames(...names: readonly string[]): string {
  try {
    return names.map(encodeURIComponent).join(':');
  } catch (cause) {
    throw new TypeError('A text holds a lone surrogate.', { cause });
  }
}

export function isRedisText(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** The number of digits of an instant, which is enough for the year 9999 and for `NEVER`. */
const DIGITS = 15;

export const NEVER: string = '9'.repeat(DIGITS);

/**
 * Formats an instant in milliseconds as a text whose byte order is the time order. An instant before 1970 becomes 1970.
 * Throws a TypeError for a text that is not an instant.
 */
export function sortable(instant: string): string {
  const ms = Date.parse(instant);
  if (Number.isNaN(ms)) throw new TypeError('An instant cannot be read.');
  return String(Math.max(ms, 0)).padStart(DIGITS, '0');
}
