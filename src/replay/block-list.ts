/** Lists the blocks that a replay reads: the newest blocks within its limits, at one moment. */

import { assertWanted } from '../core/shared/callers.ts';
import { filterHashes } from '../journal-format/index.ts';
import {
  BLOCK_FLAGS,
  type BlockHeader,
  type BlocksQuery,
  type JournalStorage,
  MAX_LISTED_BLOCKS,
} from '../ports/journal.ts';
import type { Environment } from '../records.ts';

/** Selects the records by agent and time. Times are milliseconds since the Unix epoch. */
export interface BlocksAsked {
  readonly account_id: string;
  readonly environment: Environment;
  readonly agents: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly signal: AbortSignal | undefined;
}

export interface ReplayBounds {
  readonly records: number;
  readonly blocks: number;
}

export const REPLAY_BOUNDS: ReplayBounds = { records: 10_000_000, blocks: 50_000 };

export interface ReplayBlocks {
  /** Sorted by the time of the first record, the earliest first. */
  readonly headers: readonly BlockHeader[];
  /**
   * The first instant from which no block is left out. It equals the requested `from` if all blocks are within the
   * limits.
   */
  readonly from: number;
}

/**
 * The maximum number of agents with separate lists of blocks. For more agents, the blocks of the whole account are
 * read.
 */
const MAX_LISTED_AGENTS = 16;
const MAX_TRIES = 10;

export async function listReplayBlocks(
  journal: JournalStorage,
  askedBlocks: BlocksAsked,
  bounds: ReplayBounds = REPLAY_BOUNDS,
): Promise<ReplayBlocks> {
  let blocks: ReplayBlocks = { headers: [], from: askedBlocks.from };
  let cutoff: string | undefined;
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const { pages, ...result } = await listOnce(journal, askedBlocks, bounds);
    blocks = result;
    // Compaction moves records from one block to another: several pages count when they did not change meanwhile.
    const listedText = pages === 1 ? undefined : JSON.stringify(result.headers.map(blockKey));
    if (pages === 1 || listedText === cutoff) break;
    cutoff = listedText;
  }
  return blocks;
}

/** Returns the name of a block in the list. The name changes if the block is compacted. */
export function blockKey({ writer, seq, from_ms, to_ms, records }: BlockHeader): string {
  return `${writer}.${seq}.${from_ms}.${to_ms}.${records}`;
}

async function listOnce(
  journal: JournalStorage,
  blocks: BlocksAsked,
  bounds: ReplayBounds,
): Promise<ReplayBlocks & { readonly pages: number }> {
  const { account_id, environment, agents, from, to } = blocks;
  const base = { account_id, from_ms: from, upto_ms: to - 1, flags: BLOCK_FLAGS[environment] };
  const queries = agents.length > MAX_LISTED_AGENTS ? [undefined] : agents;
  const foundHeaders = new Map<string, BlockHeader>();
  let cut = from;
  let pages = 0;
  for (const agent of queries) {
    const names = agent === undefined ? undefined : [filterHashes('agent', agent)];
    const query = { ...base, ...(names && { names }) };
    pages += await eachPage(journal, query, blocks.signal, (header, count) => {
      if (count > bounds.blocks) {
        cut = Math.max(cut, header.to_ms + 1);
        return false;
      }
      foundHeaders.set(blockKey(header), header);
      return true;
    });
  }
  const newest = [...foundHeaders.values()].sort((a, b) => b.to_ms - a.to_ms);
  let records = 0;
  for (const [index, header] of newest.entries()) {
    records += header.records;
    if (index < bounds.blocks && records <= bounds.records) continue;
    cut = Math.max(cut, header.to_ms + 1);
    break;
  }
  const headers = newest.filter(({ to_ms }) => to_ms >= cut).sort((a, b) => a.from_ms - b.from_ms);
  return { headers, from: cut, pages };
}

/** Calls `take` with each header until it returns `false`. Returns the number of pages that were read. */
async function eachPage(
  journal: JournalStorage,
  query: Omit<BlocksQuery, 'limit'>,
  signal: AbortSignal | undefined,
  take: (header: BlockHeader, count: number) => boolean,
): Promise<number> {
  let headerAfter: BlockHeader | undefined;
  let count = 0;
  for (let pages = 1; ; pages += 1) {
    assertWanted(signal);
    const page = await journal.blocks({
      ...query,
      ...(headerAfter && { after: headerAfter }),
      limit: MAX_LISTED_BLOCKS,
    });
    for (const header of page) {
      count += 1;
      if (!take(header, count)) return pages;
    }
    if (page.length < MAX_LISTED_BLOCKS) return pages;
    headerAfter = page.at(-1);
  }
}

export async function listDrops(
  journal: JournalStorage,
  { account_id, from, to, signal }: BlocksAsked,
): Promise<readonly BlockHeader[]> {
  const headers: BlockHeader[] = [];
  const query = { account_id, from_ms: from, upto_ms: to - 1, flags: BLOCK_FLAGS.drops };
  await eachPage(journal, query, signal, (header) => headers.push(header) > 0);
  return headers;
}
