/** Creates proofs about a tree (RFC 6962) from its tiles only, and checks them. */

import { emptyRoot, HASH_BYTES, isSameHash, nodeHash } from './hashes.ts';
import { consistencyRanges, inclusionRanges, inclusionSides, type Range, subtreesOf } from './ranges.ts';
import { hashInTile, rootOf, type Tile, tileOfSubtree, tilePath } from './tiles.ts';

export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Returns the bytes of a tile. Returns `undefined` if the tile is missing. */
export type TileReader = (tile: Tile) => Uint8Array | undefined;

export type Claim = { readonly leaf: number } | { readonly older: number } | 'root';

function rangesOf(claim: Claim, size: number): readonly Range[] {
  if (claim === 'root') return [{ from: 0, to: size }];
  if ('leaf' in claim) {
    if (!isBelow(claim.leaf, size)) throw new RangeError('The leaf is not in the tree.');
    return inclusionRanges(claim.leaf, size);
  }
  if (!isBelow(claim.older, size + 1)) throw new RangeError('The tree is smaller than the older one.');
  // Every tree begins with the tree without leaves.
  return claim.older === 0 ? [] : consistencyRanges(claim.older, size);
}

function isBelow(index: number, size: number): boolean {
  return Number.isSafeInteger(index) && index >= 0 && index < size;
}

export function tilesFor(claim: Claim, size: number): readonly Tile[] {
  const tiles = new Map<string, Tile>();
  for (const range of rangesOf(claim, size)) {
    for (const subtree of subtreesOf(range)) {
      const { tile } = tileOfSubtree(subtree, size);
      tiles.set(tilePath(tile), tile);
    }
  }
  return [...tiles.values()];
}

export function proofOf(claim: Claim, size: number, read: TileReader): readonly Uint8Array[] {
  return rangesOf(claim, size).map((range) => hashOfRange(range, size, read));
}

function hashOfRange(range: Range, size: number, read: TileReader): Uint8Array {
  const roots = subtreesOf(range).map((subtree) => {
    const { tile, from, count } = tileOfSubtree(subtree, size);
    const bytes = read(tile);
    if (bytes?.length !== tile.width * HASH_BYTES) throw new RangeError(`There is no ${tilePath(tile)}.`);
    return rootInTile(bytes, from, count);
  });
  return rootOf({ roots });
}

function rootInTile(bytes: Uint8Array, start: number, count: number): Uint8Array {
  if (count === 1) return hashInTile(bytes, start);
  const half = count / 2;
  return nodeHash(rootInTile(bytes, start, half), rootInTile(bytes, start + half, half));
}

export function isIncluded(
  leaf: Uint8Array,
  index: number,
  { size, root }: TreeHead,
  proof: readonly Uint8Array[],
): boolean {
  if (!isBelow(index, size)) return false;
  const sides = inclusionSides(index, size);
  if (sides.length !== proof.length) return false;
  const bytes = sides.reduce((hash, side, index) => {
    const sibling = proof[index] as Uint8Array;
    return side === 'left' ? nodeHash(sibling, hash) : nodeHash(hash, sibling);
  }, leaf);
  return isSameHash(bytes, root);
}

export function isConsistent(older: TreeHead, newer: TreeHead, proof: readonly Uint8Array[]): boolean {
  if (!isBelow(older.size, newer.size + 1)) return false;
  if (older.size === newer.size) return proof.length === 0 && isSameHash(older.root, newer.root);
  if (older.size === 0) return proof.length === 0 && isSameHash(older.root, emptyRoot());
  const ranges = consistencyRanges(older.size, newer.size);
  if (ranges.length !== proof.length) return false;
  const knownCount = ranges[0]?.to === older.size ? 1 : 0;
  const start = knownCount === 1 ? (proof[0] as Uint8Array) : older.root;
  let [oldRoot, newRoot] = [start, start];
  for (let index = knownCount; index < proof.length; index += 1) {
    const hash = proof[index] as Uint8Array;
    if ((ranges[index] as Range).from >= older.size) newRoot = nodeHash(newRoot, hash);
    else {
      oldRoot = nodeHash(hash, oldRoot);
      newRoot = nodeHash(hash, newRoot);
    }
  }
  return isSameHash(oldRoot, older.root) && isSameHash(newRoot, newer.root);
}
