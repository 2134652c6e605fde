/** Keeps the latest blocks that this process stored. Merges and compactions do not have to load them. */
import { LRUCache } from 'lru-cache';
import type { Block, BlockHeader, BlockName, JournalStorage } from '../../../ports/journal.ts';

/** A cache of blocks by name. */
export interface RecentBlocks {
  add(block: Block): void;
  get(name: BlockName): Block | undefined;
  delete(name: BlockName): void;
}

const MAX_BYTES = 4_000_000;
const BLOCK_OVERHEAD = 1_000;

/** Creates an empty cache. */
export function createRecentBlocks(): RecentBlocks {
  const blocks = new LRUCache<string, Block>({ maxSize: MAX_BYTES, sizeCalculation: weightOf });
  return {
    add(block) {
      blocks.set(keyOf(block), block);
    },
    get: (name) => blocks.peek(keyOf(name)),
    delete(name) {
      blocks.delete(keyOf(name));
    },
  };
}

/**
 * Returns the blocks for some headers, from memory or from the storage. A removed block is `undefined`. Takes at most
 * as many headers as a `load` does.
 */
export async function loadRecent(
  journal: Pick<JournalStorage, 'load'>,
  recent: Pick<RecentBlocks, 'get'>,
  headers: readonly BlockHeader[],
): Promise<readonly (Block | undefined)[]> {
  // Looked up before the wait for the storage: meanwhile other blocks may push these out of the cache.
  const blocks = headers.map((header) => recent.get(header));
  const missing = headers.filter((_, index) => blocks[index] === undefined);
  const loadedBlocks = missing.length === 0 ? [] : await journal.load(missing);
  let next = 0;
  return blocks.map((block) => block ?? loadedBlocks[next++]);
}

function weightOf({ data, filter }: Block): number {
  return data.length + filter.length + BLOCK_OVERHEAD;
}

function keyOf({ writer, seq, account_id }: BlockName): string {
  return `${writer}.${seq}.${account_id}`;
}
