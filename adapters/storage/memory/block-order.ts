import type { Block, BlockPlace } from '../../../src/ports/index.ts';
import { compareText, placeAmong } from './text-order.ts';

/** A place among the blocks of one writer. */
export type FiledPlace = Pick<Block, 'seq' | 'account_id'>;

/** The place of the first block of an account, the lowest first, that does not stand before `place`. */
export function placeOfBlock(blocks: readonly Block[], place: BlockPlace): number {
  return placeAmong(blocks, (block) => comparePlaces(block, place));
}

/** The place of the first block of a writer that does not stand before `place`. */
export function placeOfFiled(blocks: readonly Block[], place: FiledPlace): number {
  return placeAmong(blocks, (block) => compareFiled(block, place));
}

/** Below, at or above 0 as `a` stands before, at or after `b` among the blocks of an account. */
export function comparePlaces(a: BlockPlace, b: BlockPlace): number {
  return a.to_ms - b.to_ms || compareText(a.writer, b.writer) || a.seq - b.seq;
}

/** The same among the blocks of a writer. */
export function compareFiled(a: FiledPlace, b: FiledPlace): number {
  return a.seq - b.seq || compareText(a.account_id, b.account_id);
}
