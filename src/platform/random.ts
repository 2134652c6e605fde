import type { RandomSource } from '../ports/storage.ts';

/** Bytes from the operating system's generator; at most 65,536 at a time. */
export const secureRandom: RandomSource = {
  bytes: (length) => globalThis.crypto.getRandomValues(new Uint8Array(length)),
};
