import type { RandomSource } from '../ports/storage.ts';

/** The random generator of the operating system. Returns at most 65,536 bytes per call. */
export const secureRandom: RandomSource = {
  bytes: (length) => globalThis.crypto.getRandomValues(new Uint8Array(length)),
};
