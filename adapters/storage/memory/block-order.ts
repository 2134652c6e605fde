import type { Block, BlockPlace } from '../../../src/ports/index.ts';
import { compareText, placeAmong } from './text-order.ts';

/** The place of a block among the blocks that one writer stored. A writer is one process that stores blocks. */
export type FiledPlace = Pick<Block, 'seq' | 'account_id'>;

/** Returns the index of the first block that is not before `place`, in the ascending blocks of an account. */
export function placeOfBlock(blocks: readonly Block[], place: BlockPlace): number {
  return placeAmong(blocks, (block) => comparePlaces(block, place));
}

/** Returns the index of the first block that is not before `place`, in the blocks of a writer. */
export function placeOfFiled(blocks: readonly Block[], place: FiledPlace): number {
  return placeAmong(blocks, (block) => compareFiled(block, place));
}

/**
 * Compares two blocks of an account. Returns a negative number, 0 or a positive number if `a` is before, at or after
 * `b`.
 */
export function comparePlaces(a: BlockPlace, b: BlockPlace): number {
  return a.to_ms - b.to_ms || compareText(a.writer, b.writer) || a.seq - b.seq;
}

/** Compares two blocks of a writer, with the same result as `comparePlaces`. */
export function compareFiled(a: FiledPlace, b: FiledPlace): number {
  return a.seq - b.seq || compareText(a.account_id, b.account_id);
}
