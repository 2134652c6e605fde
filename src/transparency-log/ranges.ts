/**
 * The shape of a tree: ranges of leaves, each of which has one hash, and the complete subtrees that they consist of.
 * Sizes and indices are safe integers, which may be above 2^32: no bit operators here.
 */

/** The leaves from `from` up to, and without, `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The complete subtree over the leaves `index * 2^height` up to, and without, `(index + 1) * 2^height`. */
export interface Subtree {
  readonly height: number;
  readonly index: number;
}

/** Returns the largest power of two below `count`, which is 2 or more: the number of leaves in the left part. */
function leftPart(count: number): number {
  let part = 1;
  while (2 * part < count) part *= 2;
  return part;
}

/**
 * Returns the ranges whose hashes prove that a leaf is in a tree of this size, from the sibling of the leaf up (RFC
 * 6962, section 2.1.1). The leaf must be in the tree.
 */
export function inclusionRanges(leaf: number, size: number): readonly Range[] {
  const ranges: Range[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + leftPart(to - from);
    if (leaf < middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  return ranges.reverse();
}

/**
 * Returns the ranges whose hashes prove that the tree of `size` leaves begins with the tree of `older` leaves (RFC
 * 6962, section 2.1.2). `older` is at least 1 and at most `size`. Equal sizes need no ranges.
 */
export function consistencyRanges(older: number, size: number): readonly Range[] {
  const ranges: Range[] = [];
  let [from, to] = [0, size];
  while (to !== older) {
    const middle = from + leftPart(to - from);
    if (older <= middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  // The hash of all older leaves is known to the reader.
  if (from > 0) ranges.push({ from, to });
  return ranges.reverse();
}

/**
 * Returns the complete subtrees of a range from left to right, which become smaller. The range must be one of a tree:
 * it begins at a multiple of the power of two that is not below its length.
 */
export function subtreesOf({ from, to }: Range): readonly Subtree[] {
  const subtrees: Subtree[] = [];
  for (let at = from; at < to; ) {
    const count = to - at === 1 ? 1 : leftPart(to - at + 1);
    subtrees.push({ height: Math.log2(count), index: at / count });
    at += count;
  }
  return subtrees;
}

export type ProofSide = 'left' | 'right';

export function inclusionSides(leaf: number, size: number): readonly ProofSide[] {
  return inclusionRanges(leaf, size).map(({ from }) => (from > leaf ? 'right' : 'left'));
}
