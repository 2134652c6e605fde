/** Blocks that are opened to be read: the latest of them are kept for the next read. */
import { turn } from '../../../base/async/turns.ts';
import { type BlockView, openBlock } from '../../../blocks/index.ts';
import type { BlockHeader, JournalStorage } from '../../../ports/journal.ts';
import type { ReadBlock } from '../damage.ts';

/** Opens blocks by their headers. */
export interface OpenBlocks {
  /**
   * The views in the order of the headers, without those that are damaged; `undefined` when one of the blocks is gone, or
   * others were compacted into it.
   */
  open(headers: readonly BlockHeader[]): Promise<readonly OpenedBlock[] | undefined>;
}

/** A block that is open. */
export interface OpenedBlock {
  readonly header: BlockHeader;
  readonly view: BlockView;
}

/** How many opened blocks are kept, about 300 kB each. */
const MAX_VIEWS = 8;

/** What opens the blocks of `journal`. */
export function createOpenBlocks(journal: JournalStorage, readBlock: ReadBlock): OpenBlocks {
  const views = new Map<string, BlockView>();

  function keep(key: string, view: BlockView): void {
    views.set(key, view);
    for (const oldest of views.keys()) {
      if (views.size <= MAX_VIEWS) break;
      views.delete(oldest);
    }
  }

  return {
    async open(headers) {
      const opened = new Map(headers.map((header) => [keyOf(header), views.get(keyOf(header))]));
      const missing = headers.filter((header) => opened.get(keyOf(header)) === undefined);
      const blocks = missing.length === 0 ? [] : await journal.load(missing);
      for (const [index, block] of blocks.entries()) {
        const key = keyOf(missing[index] as BlockHeader);
        if (block === undefined || keyOf(block) !== key) return undefined;
        await turn();
        const view = readBlock(block, () => openBlock(block.data));
        opened.set(key, view);
        if (view !== undefined) keep(key, view);
      }
      return headers.flatMap((header) => {
        const view = opened.get(keyOf(header));
        return view === undefined ? [] : [{ header, view }];
      });
    },
  };
}

/** A block that was compacted has its name, and other records. */
function keyOf({ writer, seq, account_id, from_ms, to_ms, records }: BlockHeader): string {
  return `${writer}.${seq}.${from_ms}.${to_ms}.${records}.${account_id}`;
}
