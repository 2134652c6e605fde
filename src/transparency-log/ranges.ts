/**
 * Computes the shape of a tree: the ranges of leaves that have one hash, and their complete subtrees. Sizes and indices
 * are safe integers, which may be above 2^32, so do not use bit operators here.
 */

/** The leaves from `from` up to, but not including, `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The complete subtree of the leaves from `index * 2^height` up to, but not including, `(index + 1) * 2^height`. */
export interface Subtree {
  readonly height: number;
  readonly index: number;
}

/**
 * Returns the largest power of two below `count`: the number of leaves in the left part of a tree. `count` must be at
 * least 2.
 */
function leftPart(count: number): number {
  let part = 1;
  while (2 * part < count) part *= 2;
  return part;
}

/**
 * Returns the ranges that prove with their hashes that a leaf is in a tree of this size. The ranges go from the sibling
 * of the leaf upwards (RFC 6962, section 2.1.1). The leaf must be in the tree.
 */
export function inclusionRanges(leaf: number, size: number): readonly Range[] {
  const ranges: Range[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + leftPart(end - start);
    if (leaf < middle) {
      ranges.push({ from: middle, to: end });
      end = middle;
    } else {
      ranges.push({ from: start, to: middle });
      start = middle;
    }
  }
  return ranges.reverse();
}

/**
 * Returns the ranges that prove with their hashes that the tree of `size` leaves begins with the tree of `older` leaves
 * (RFC 6962, section 2.1.2). `older` must be at least 1 and at most `size`. If both are equal, there are no ranges.
 */
export function consistencyRanges(older: number, size: number): readonly Range[] {
  const ranges: Range[] = [];
  let [start, end] = [0, size];
  while (end !== older) {
    const middle = start + leftPart(end - start);
    if (older <= middle) {
      ranges.push({ from: middle, to: end });
      end = middle;
    } else {
      ranges.push({ from: start, to: middle });
      start = middle;
    }
  }
  // The hash of all older leaves is known to the reader.
  if (start > 0) ranges.push({ from: start, to: end });
  return ranges.reverse();
}

/**
 * Returns the complete subtrees of a range from left to right, with decreasing size. The start of the range must be a
 * multiple of the smallest power of two that is at least the length of the range.
 */
export function subtreesOf({ from, to }: Range): readonly Subtree[] {
  const subtrees: Subtree[] = [];
  for (let index = from; index < to; ) {
    const count = to - index === 1 ? 1 : leftPart(to - index + 1);
    subtrees.push({ height: Math.log2(count), index: index / count });
    index += count;
  }
  return subtrees;
}

export type ProofSide = 'left' | 'right';

export function inclusionSides(leaf: number, size: number): readonly ProofSide[] {
  return inclusionRanges(leaf, size).map(({ from }) => (from > leaf ? 'right' : 'left'));
}
