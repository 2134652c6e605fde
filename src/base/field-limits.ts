/** How much the fields of requests hold: for the schemas, the checks, and the words of their errors. */

/** Actions, patterns or targets in one list. */
export const MAX_ENTRIES = 256;

/** Characters of a text for people, and of a value of `metadata`. */
export const MAX_TEXT = 500;

/** Public keys of one agent. */
export const MAX_PUBLIC_KEYS = 4;

/** Passports above that of an agent, up to the one without a parent. */
export const MAX_ANCESTORS = 4;

/** Names in `metadata`. */
export const MAX_METADATA_NAMES = 20;

/** Bytes of a passport as JSON. */
export const MAX_PASSPORT_BYTES: number = 64 * 1024;
