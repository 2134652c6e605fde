/** Stores a block whose writer is not this process. */
import type { Block } from '../../../ports/journal.ts';
import { type Context, now } from '../../shared/context.ts';
import { unavailable } from '../../storage/storage-guard.ts';

/** A block, and the lowest number that it stands for. */
export interface SentBlock {
  readonly block: Block;
  readonly first: number;
}

/**
 * Stores the block, unless its writer has stored `first` or a higher number, and gives it to `onStored`. Opens a writer
 * that is not known.
 */
export async function storeSent(
  context: Pick<Context, 'clock' | 'store'>,
  { block, first }: SentBlock,
  onStored: (blocks: readonly Block[]) => void,
): Promise<'filed' | 'known'> {
  const { journal } = context.store;
  const { writer, seq } = block;
  const send = () => journal.file({ writer, seq, first, at: now(context), blocks: [block] });
  let result = await send();
  if (result === 'unknown_writer') {
    // Another node may open it meanwhile, which is as good.
    await journal.open(writer, now(context));
    result = await send();
  }
  if (result === 'unknown_writer')
    throw unavailable(new Error('The storage knows no writer of the journal.'));
  if (result === 'filed') onStored([block]);
  return result;
}
