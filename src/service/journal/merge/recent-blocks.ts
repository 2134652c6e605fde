/** The latest blocks that this process filed: what merges and compacts them need not load them again. */
import type { Block, BlockHeader, BlockName, JournalStorage } from '../../../ports/journal.ts';

/** Blocks by their names. */
export interface RecentBlocks {
  add(block: Block): void;
  get(name: BlockName): Block | undefined;
  delete(name: BlockName): void;
}

/** How many bytes are kept; the oldest go first. A merge loads the others again. */
const MAX_BYTES = 4_000_000;
/** What a block weighs besides its bytes: its header, its name and two arrays. */
const BLOCK_OVERHEAD = 1_000;

/** None. */
export function createRecentBlocks(): RecentBlocks {
  const blocks = new Map<string, Block>();
  let bytes = 0;

  function remove(key: string): void {
    const block = blocks.get(key);
    if (block === undefined) return;
    bytes -= weightOf(block);
    blocks.delete(key);
  }

  return {
    add(block) {
      remove(keyOf(block));
      blocks.set(keyOf(block), block);
      bytes += weightOf(block);
      for (const key of blocks.keys()) {
        if (bytes <= MAX_BYTES) break;
        remove(key);
      }
    },
    get: (name) => blocks.get(keyOf(name)),
    delete: (name) => remove(keyOf(name)),
  };
}

/**
 * The blocks of some headers, from memory or else from the storage; `undefined` for one that is gone. At most as many
 * as one `load` takes.
 */
export async function loadRecent(
  journal: Pick<JournalStorage, 'load'>,
  recent: Pick<RecentBlocks, 'get'>,
  headers: readonly BlockHeader[],
): Promise<readonly (Block | undefined)[]> {
  // Taken before the storage is waited for: meanwhile others are added, and these may be forgotten.
  const known = headers.map((header) => recent.get(header));
  const missing = headers.filter((_, index) => known[index] === undefined);
  const loaded = missing.length === 0 ? [] : await journal.load(missing);
  let next = 0;
  return known.map((block) => block ?? loaded[next++]);
}

function weightOf({ data, filter }: Block): number {
  return data.length + filter.length + BLOCK_OVERHEAD;
}

function keyOf({ writer, seq, account_id }: BlockName): string {
  return `${writer}.${seq}.${account_id}`;
}
