/** The right edge of a tree: all that is needed to append leaves and to compute the root. */
import { emptyRoot, nodeHash } from './hashes.ts';

/** The edge of a tree. */
export interface Edge {
  /** The number of leaves. */
  readonly size: number;
  /** The roots of the complete subtrees that the tree consists of, from left to right: one for each bit of `size`. */
  readonly roots: readonly Uint8Array[];
}

/** A complete subtree that an append has finished, with its root. */
export type Finished = (height: number, root: Uint8Array) => void;

/** The edge of the tree without leaves. */
export const EMPTY_EDGE: Edge = { size: 0, roots: [] };

/** Returns the edge with one more leaf; `finished` is called for the leaf and for each subtree that it finishes. */
export function appendLeaf({ size, roots }: Edge, leaf: Uint8Array, finished: Finished = () => {}): Edge {
  const kept = [...roots];
  let root = leaf;
  let height = 0;
  finished(height, root);
  for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) {
    root = nodeHash(kept.pop() as Uint8Array, root);
    height += 1;
    finished(height, root);
  }
  return { size: size + 1, roots: [...kept, root] };
}

/** Returns the root of the tree. */
export function rootOf({ roots }: Pick<Edge, 'roots'>): Uint8Array {
  return roots.length === 0 ? emptyRoot() : roots.reduceRight((right, left) => nodeHash(left, right));
}

/** Says whether there are as many roots as a tree of this size has. */
export function isEdge({ size, roots }: Edge): boolean {
  let bits = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) bits += rest % 2;
  return Number.isSafeInteger(size) && size >= 0 && roots.length === bits;
}
