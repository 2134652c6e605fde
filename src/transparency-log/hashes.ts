/** Computes the hashes of a Merkle tree (RFC 6962, section 2.1) with SHA-256. */
import { hashing } from '../platform/index.ts';

export function emptyRoot(): Uint8Array {
  return hashing.sha256(new Uint8Array());
}

export function leafHash(entry: Uint8Array): Uint8Array {
  return hashing.sha256(leafInput(entry));
}

export function nodeHash(leftBytes: Uint8Array, right: Uint8Array): Uint8Array {
  return hashing.sha256(nodeInput(leftBytes, right));
}

export const HASH_BYTES = 32;

/** The byte before the hashed data. Leaves and nodes have different bytes, so a leaf never has the hash of a node. */
const PREFIX = { leaf: 0, node: 1 } as const;

export function leafInput(entry: Uint8Array): Uint8Array<ArrayBuffer> {
  const input = new Uint8Array(1 + entry.length);
  input[0] = PREFIX.leaf;
  input.set(entry, 1);
  return input;
}

export function nodeInput(leftBytes: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> {
  const input = new Uint8Array(1 + 2 * HASH_BYTES);
  input[0] = PREFIX.node;
  input.set(leftBytes, 1);
  input.set(right, 1 + HASH_BYTES);
  return input;
}

/** Returns `true` if two hashes are equal. The comparison time may depend on the hashes, because they are public. */
export function isSameHash(bytes: Uint8Array, otherBytes: Uint8Array): boolean {
  return bytes.length === otherBytes.length && bytes.every((byte, index) => byte === otherBytes[index]);
}
