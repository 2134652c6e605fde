/** The latest blocks that this process filed: what merges and compacts them need not load them again. */
import type { Block, BlockName } from '../../ports/journal.ts';

/** Blocks by their names. */
export interface RecentBlocks {
  add(block: Block): void;
  get(name: BlockName): Block | undefined;
  delete(name: BlockName): void;
}

/** How many bytes are kept; the oldest go first. */
const MAX_BYTES = 16_000_000;

/** None. */
export function createRecentBlocks(): RecentBlocks {
  const blocks = new Map<string, Block>();
  let bytes = 0;

  function remove(key: string): void {
    bytes -= blocks.get(key)?.data.length ?? 0;
    blocks.delete(key);
  }

  return {
    add(block) {
      remove(keyOf(block));
      blocks.set(keyOf(block), block);
      bytes += block.data.length;
      for (const key of blocks.keys()) {
        if (bytes <= MAX_BYTES) break;
        remove(key);
      }
    },
    get: (name) => blocks.get(keyOf(name)),
    delete: (name) => remove(keyOf(name)),
  };
}

function keyOf({ writer, seq, account_id }: BlockName): string {
  return `${writer}.${seq}.${account_id}`;
}
