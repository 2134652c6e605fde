/** The hashes of a Merkle tree (RFC 6962, section 2.1), by SHA-256. */
import { hashing } from '../platform/index.ts';

/** Returns the root of the tree without leaves. */
export function emptyRoot(): Uint8Array {
  return hashing.sha256(new Uint8Array());
}

export function leafHash(entry: Uint8Array): Uint8Array {
  return hashing.sha256(leafInput(entry));
}

/** Returns the hash of two neighbours. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return hashing.sha256(nodeInput(left, right));
}

/** The number of bytes of a hash. */
export const HASH_BYTES = 32;

/** The byte before the hashed text of a leaf, so that no leaf has the hash of a node. */
const PREFIX = { leaf: 0, node: 1 } as const;

/** Returns the bytes whose SHA-256 is the hash of an entry as a leaf. */
export function leafInput(entry: Uint8Array): Uint8Array<ArrayBuffer> {
  const input = new Uint8Array(1 + entry.length);
  input[0] = PREFIX.leaf;
  input.set(entry, 1);
  return input;
}

/** Returns the bytes whose SHA-256 is the hash of two neighbours: a node one level above them. */
export function nodeInput(left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> {
  const input = new Uint8Array(1 + 2 * HASH_BYTES);
  input[0] = PREFIX.node;
  input.set(left, 1);
  input.set(right, 1 + HASH_BYTES);
  return input;
}

/** Says whether two hashes are equal. They are public: the time that it takes may show where they differ. */
export function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
