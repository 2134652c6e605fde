import type { RandomSource } from '../ports/storage.ts';

/** The random generator of the operating system; at most 65,536 bytes at a time. */
export const secureRandom: RandomSource = {
  bytes: (length) => globalThis.crypto.getRandomValues(new Uint8Array(length)),
};
