import type { Block, BlockPlace } from '../../../src/ports/index.ts';
import { compareText, placeAmong } from './text-order.ts';

/** The place of a block among the blocks that one writer stored. A writer is one process that stores blocks. */
export type FiledPlace = Pick<Block, 'seq' | 'account_id'>;

export function placeOfBlock(blocks: readonly Block[], place: BlockPlace): number {
  return placeAmong(blocks, (block) => comparePlaces(block, place));
}

export function placeOfFiled(blocks: readonly Block[], place: FiledPlace): number {
  return placeAmong(blocks, (block) => compareFiled(block, place));
}

export function comparePlaces(a: BlockPlace, b: BlockPlace): number {
  return a.to_ms - b.to_ms || compareText(a.writer, b.writer) || a.seq - b.seq;
}

export function compareFiled(a: FiledPlace, b: FiledPlace): number {
  return a.seq - b.seq || compareText(a.account_id, b.account_id);
}
