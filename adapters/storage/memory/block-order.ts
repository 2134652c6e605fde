import type { Block, BlockPlace } from '../../../src/ports/index.ts';
import { compareText, placeAmong } from './text-order.ts';

/** A place among the blocks of one writer. */
export type FiledPlace = Pick<Block, 'seq' | 'account_id'>;

/** Returns the index of the first block of an account, the lowest first, that is not before `place`. */
export function placeOfBlock(blocks: readonly Block[], place: BlockPlace): number {
  return placeAmong(blocks, (block) => comparePlaces(block, place));
}

/** Returns the index of the first block of a writer that is not before `place`. */
export function placeOfFiled(blocks: readonly Block[], place: FiledPlace): number {
  return placeAmong(blocks, (block) => compareFiled(block, place));
}

/** Compares two blocks of an account: negative, 0 or positive if `a` is before, at or after `b`. */
export function comparePlaces(a: BlockPlace, b: BlockPlace): number {
  return a.to_ms - b.to_ms || compareText(a.writer, b.writer) || a.seq - b.seq;
}

/** Compares two blocks of a writer in the same way. */
export function compareFiled(a: FiledPlace, b: FiledPlace): number {
  return a.seq - b.seq || compareText(a.account_id, b.account_id);
}
