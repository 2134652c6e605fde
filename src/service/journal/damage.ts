/** Blocks that cannot be read: named in the log once each, and passed over. */
import { type BlockView, isBlockError, openBlock } from '../../blocks/index.ts';
import { describeCause } from '../../errors.ts';
import type { Block, BlockName } from '../../ports/journal.ts';
import type { Logger } from '../../ports/storage.ts';

/** Opens blocks, or says that they are damaged. */
export interface BlockOpener {
  /** What `use` makes of a block; `undefined` where its bytes make no sense. */
  open<Result>(block: Block, use: (view: BlockView) => Result): Result | undefined;
}

/** How many blocks are remembered, so that each is named once. */
const MAX_NAMED = 1_000;

/** An opener that writes to `log`. */
export function createBlockOpener(log: Logger): BlockOpener {
  const named = new Set<string>();

  function report({ writer, seq, account_id }: BlockName, cause: unknown): void {
    const name = JSON.stringify([writer, seq, account_id]);
    if (named.has(name) || named.size >= MAX_NAMED) return;
    named.add(name);
    const message = `A block of the journal cannot be read and is passed over: ${writer}.${seq} of ${account_id}.`;
    const facts = { writer, seq, account_id, cause: describeCause(cause) };
    log({ level: 'error', event: 'journal_block_damaged', message, ...facts });
  }

  return {
    open(block, use) {
      try {
        return use(openBlock(block.data));
      } catch (error) {
        if (!isBlockError(error)) throw error;
        report(block, error);
        return undefined;
      }
    },
  };
}
