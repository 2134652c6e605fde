/** Opens blocks, and caches the latest of them for the next read. */
import { LRUCache } from 'lru-cache';
import { turn } from '../../../base/async/turns.ts';
import { type BlockView, openBlock } from '../../../blocks/index.ts';
import type { Block, BlockHeader, JournalStorage } from '../../../ports/journal.ts';
import type { ReadBlock } from '../damage.ts';

/** Opens blocks by their headers. */
export interface OpenBlocks {
  /**
   * Returns the views in the order of the headers, without damaged blocks; `undefined` if a block was removed, or
   * other blocks were compacted into it.
   */
  open(headers: readonly BlockHeader[]): Promise<readonly OpenedBlock[] | undefined>;
}

/** An opened block. */
export interface OpenedBlock {
  readonly header: BlockHeader;
  readonly view: BlockView;
}

/** The number of cached views, about 300 kB each. */
const MAX_VIEWS = 8;

/** Creates a cache over the blocks of `journal`. */
export function createOpenBlocks(
  journal: JournalStorage,
  readBlock: ReadBlock,
  reportLost: (header: BlockHeader) => void,
): OpenBlocks {
  const views = new LRUCache<string, BlockView>({ max: MAX_VIEWS });
  function openWhole(block: Block): BlockView {
    const view = openBlock(block.data, block.erasable);
    if (view.subjects.isLost) reportLost(block);
    return view;
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
        const view = readBlock(block, () => openWhole(block));
        opened.set(key, view);
        if (view !== undefined) views.set(key, view);
      }
      return headers.flatMap((header) => {
        const view = opened.get(keyOf(header));
        return view === undefined ? [] : [{ header, view }];
      });
    },
  };
}

/** Returns a key that changes when other blocks are compacted into the block, or a text of it is erased. */
function keyOf({ writer, seq, account_id, from_ms, to_ms, records, erased }: BlockHeader): string {
  return `${writer}.${seq}.${from_ms}.${to_ms}.${records}.${erased}.${account_id}`;
}
