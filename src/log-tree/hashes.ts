/** The hashes of a Merkle tree (RFC 6962, section 2.1), by SHA-256. */
import { hashing } from '../platform/index.ts';
import { leafInput, nodeInput } from './hash-input.ts';

/** Returns the root of the tree without leaves. */
export function emptyRoot(): Uint8Array {
  return hashing.sha256(new Uint8Array());
}

/** Returns the hash of an entry as a leaf. */
export function leafHash(entry: Uint8Array): Uint8Array {
  return hashing.sha256(leafInput(entry));
}

/** Returns the hash of two neighbours. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return hashing.sha256(nodeInput(left, right));
}
