/** The tree of a log against the definitions of RFC 6962. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leafHash } from '../../src/transparency-log/hashes.ts';
import { isConsistent, isIncluded, proofOf, tilesFor } from '../../src/transparency-log/proofs.ts';
import { type Edge, isEdge, rootOf, tilePath, tilesOf } from '../../src/transparency-log/tiles.ts';
import { nightly } from '../support/runs.ts';
import { grownTree } from './grown.ts';
import { naiveLeaf, naiveTree } from './naive.ts';

/** The largest tree of these tests: more than one full tile of level 1. */
const LARGEST = 70_000;
const ENTRIES = Array.from({ length: LARGEST }, (_, index) => `entry ${index}`);
const LEAVES = ENTRIES.map((entry) => leafHash(new TextEncoder().encode(entry)));
/** The sizes at which a tile begins or ends, and their neighbours. */
const BORDERS = [0, 1, 2, 3, 255, 256, 257, 511, 512, 513, 65_535, 65_536, 65_537, LARGEST];
const HISTORIES = nightly(10_000, 60);

const hex = (hashes: readonly Uint8Array[]): readonly string[] =>
  hashes.map((hash) => Buffer.from(hash).toString('hex'));

const naive = naiveTree(LEAVES);

/** A tree of all leaves, and its edge at each border. Its tiles are those of every border. */
const largest = grownTree();
const edges = new Map<number, Edge>();
for (const border of BORDERS) {
  largest.append(LEAVES.slice(largest.edge.size, border));
  edges.set(border, largest.edge);
}

test('a leaf is the hash of a zero and the entry', () => {
  expect(hex([leafHash(new TextEncoder().encode('größe'))])).toEqual(hex([naiveLeaf('größe')]));
});

describe.each(BORDERS)('a tree of %d leaves', (size) => {
  const edge = edges.get(size) as Edge;
  const root = naive.root(size);

  test('has the root of the definition, from its edge and from its tiles', () => {
    expect(hex([rootOf(edge)])).toEqual(hex([root]));
    if (size > 0) expect(hex(proofOf('root', size, largest.read))).toEqual(hex([root]));
    expect([isEdge(edge), edge.size]).toEqual([true, size]);
  });

  test('proves its first, last and middle leaves', () => {
    for (const leaf of [0, size - 1, Math.floor(size / 2), 255].filter(
      (index) => index >= 0 && index < size,
    )) {
      const proof = proofOf({ leaf }, size, largest.read);
      expect(hex(proof)).toEqual(hex(naive.path(size, leaf)));
      expect(isIncluded(LEAVES[leaf] as Uint8Array, leaf, { size, root }, proof)).toBe(true);
    }
  });

  test('proves each smaller tree of a border', () => {
    for (const older of BORDERS.filter((border) => border <= size)) {
      const proof = proofOf({ older }, size, largest.read);
      if (older > 0) expect(hex(proof)).toEqual(hex(naive.proof(size, older)));
      expect(isConsistent({ size: older, root: naive.root(older) }, { size, root }, proof)).toBe(true);
    }
  });
});

test.each([1, 255, 256, 257, 1_000])('%d leaves have the same tiles one by one and at once', (size) => {
  const [single, whole] = [grownTree(), grownTree()];
  for (const leaf of LEAVES.slice(0, size)) single.append([leaf]);
  whole.append(LEAVES.slice(0, size));
  expect([...whole.tiles.keys()].sort()).toEqual([...tilesOf(size)].map(tilePath).sort());
  for (const [path, bytes] of whole.tiles) expect(single.tiles.get(path)).toEqual(bytes);
  expect(single.edge).toEqual(whole.edge);
});

test('random histories agree with the definitions, from the tiles alone', () => {
  const growth = fc.array(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(growth, fc.nat(), fc.nat(), (counts, one, other) => {
      const tree = grownTree();
      for (const count of counts) tree.append(LEAVES.slice(tree.edge.size, tree.edge.size + count));
      const { size } = tree.edge;
      const [leaf, older] = [one % size, 1 + (other % size)];
      expect(hex([rootOf(tree.edge)])).toEqual(hex([naive.root(size)]));
      expect(hex(proofOf({ leaf }, size, tree.read))).toEqual(hex(naive.path(size, leaf)));
      expect(hex(proofOf({ older }, size, tree.read))).toEqual(hex(naive.proof(size, older)));
    }),
    { numRuns: HISTORIES },
  );
});

test('no other proof is taken: a hash changed, missing, doubled or swapped, another place, size or root', () => {
  const place = fc.record({ size: fc.integer({ min: 2, max: 1_200 }), at: fc.nat(), other: fc.nat() });
  fc.assert(
    fc.property(place, fc.nat(), ({ size, at, other }, which) => {
      const tree = grownTree();
      tree.append(LEAVES.slice(0, size));
      const root = rootOf(tree.edge);
      const [index, older] = [at % size, 1 + (other % (size - 1))];
      const leaf = LEAVES[index] as Uint8Array;
      const oldHead = { size: older, root: naive.root(older) };
      const path = proofOf({ leaf: index }, size, tree.read);
      const proof = proofOf({ older }, size, tree.read);
      for (const wrong of spoilt(path, which)) {
        expect(isIncluded(leaf, index, { size, root }, wrong)).toBe(false);
      }
      for (const wrong of spoilt(proof, which)) {
        expect(isConsistent(oldHead, { size, root }, wrong)).toBe(false);
      }
      const changed = flipped(root, which);
      expect(isIncluded(leaf, index, { size, root: changed }, path)).toBe(false);
      expect(isConsistent(oldHead, { size, root: changed }, proof)).toBe(false);
      expect(isConsistent({ size: older, root: flipped(oldHead.root, which) }, { size, root }, proof)).toBe(
        false,
      );
      expect(isIncluded(flipped(leaf, which), index, { size, root }, path)).toBe(false);
      for (const wrong of [index + 1, index - 1, size, -1, 0.5, Number.NaN]) {
        expect(isIncluded(leaf, wrong, { size, root }, path)).toBe(false);
      }
      expect(isConsistent({ size, root }, oldHead, proof)).toBe(false);
    }),
    { numRuns: 100 },
  );
});

/** The hashes with one changed, one missing, one doubled, and two neighbours swapped. */
function spoilt(hashes: readonly Uint8Array[], which: number): readonly (readonly Uint8Array[])[] {
  if (hashes.length === 0) return [[LEAVES[0] as Uint8Array]];
  const at = which % hashes.length;
  const changed = hashes.with(at, flipped(hashes[at] as Uint8Array, which));
  const doubled = [...hashes.slice(0, at + 1), ...hashes.slice(at)];
  const swapped = [...hashes.slice(0, at), ...hashes.slice(at, at + 2).reverse(), ...hashes.slice(at + 2)];
  const all = [changed, hashes.toSpliced(at, 1), doubled, [...hashes, hashes[at] as Uint8Array]];
  return at + 1 < hashes.length ? [...all, swapped] : all;
}

function flipped(hash: Uint8Array, which: number): Uint8Array {
  const place = which % hash.length;
  return hash.with(place, (hash[place] as number) ^ (1 << (which % 8)));
}

test('a claim that cannot be true, and a tile that is missing or too short, is an error', () => {
  const tree = grownTree();
  tree.append(LEAVES.slice(0, 300));
  for (const claim of [{ leaf: 300 }, { leaf: -1 }, { leaf: 0.5 }, { older: 301 }, { older: -1 }]) {
    expect(() => proofOf(claim, 300, tree.read)).toThrow(RangeError);
  }
  expect(() => proofOf({ leaf: 0 }, 300, () => undefined)).toThrow('There is no tile/0/000.');
  expect(() => proofOf({ leaf: 299 }, 300, () => new Uint8Array(32))).toThrow(RangeError);
});

test('a proof of one leaf of a million needs at most eight tiles, and sizes above 2^32 are exact', () => {
  for (const leaf of [0, 12_345, 999_999])
    expect(tilesFor({ leaf }, 1_000_000).length).toBeLessThanOrEqual(8);
  const size = 2 ** 40 + 3;
  expect(tilesFor({ leaf: 2 ** 40 + 2 }, size).map(tilePath)).toContain('tile/0/x004/x294/x967/296.p/3');
  expect(tilesFor('root', size).map(tilePath)).toEqual(['tile/5/000.p/1', 'tile/0/x004/x294/x967/296.p/3']);
});

test('an edge with too many or too few roots is refused', () => {
  const [one, two] = LEAVES as [Uint8Array, Uint8Array];
  expect([isEdge({ size: 2, roots: [one, two] }), isEdge({ size: 3, roots: [one] })]).toEqual([false, false]);
  expect([isEdge({ size: -1, roots: [one] }), isEdge({ size: 1.5, roots: [one] })]).toEqual([false, false]);
});
