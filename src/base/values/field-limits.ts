/** Size limits of request fields, for the schemas, the checks and the error messages. */

/** The most characters of an agent id and of a target. */
export const MAX_ID = 512;

/** The most domains of a management key. */
export const MAX_KEY_DOMAINS = 20;

/** The most characters of an action. */
export const MAX_ACTION = 256;

/** The most characters of an approval id in a request. */
export const MAX_APPROVAL_ID = 128;

/** The most actions, patterns or targets in one list. */
export const MAX_ENTRIES = 256;

/** The most characters of a text for people, and of a value of `metadata`. */
export const MAX_TEXT = 500;

/** The most characters of the name of a set of passports. */
export const MAX_SET_NAME = 64;

/** The most public keys of one agent. */
export const MAX_PUBLIC_KEYS = 4;

/** The most ancestors that a passport may have. */
export const MAX_ANCESTORS = 4;

/** The most names in `metadata`. */
export const MAX_METADATA_NAMES = 20;

/** The most bytes of a passport as JSON. */
export const MAX_PASSPORT_BYTES: number = 64 * 1024;

/** The most characters of the owner of a passport. */
export const MAX_OWNER = 200;
