/** Size limits of request fields, for the schemas, the checks and the error messages. */

/** The maximum number of characters of an agent id and of a target. */
export const MAX_ID = 512;

export const MAX_KEY_DOMAINS = 20;

export const MAX_ACTION = 256;

export const MAX_APPROVAL_ID = 128;

export const MAX_ENTRIES = 256;

/** The maximum number of characters of a text for people, and of a value in `metadata`. */
export const MAX_TEXT = 500;

export const MAX_SET_NAME = 64;

export const MAX_PUBLIC_KEYS = 4;

export const MAX_ANCESTORS = 4;

export const MAX_METADATA_NAMES = 20;

export const MAX_PASSPORT_BYTES: number = 64 * 1024;

export const MAX_OWNER = 200;
