/** Which blocks may hold what is asked for. */
import { filterHashes } from '../../../blocks/index.ts';
import {
  BLOCK_FLAGS,
  type BlockHeader,
  type BlocksQuery,
  type JournalStorage,
  MAX_LISTED_BLOCKS,
} from '../../../ports/journal.ts';
import type { RecordFilter } from './block-walk.ts';

/** Which records of which account. */
export interface RecordsQuery extends RecordFilter {
  readonly account_id: string;
}

/** Headers in the order of `BlockPlace`. */
export interface BlockList {
  readonly headers: readonly BlockHeader[];
  /** Whether there are no more. */
  readonly isOver: boolean;
}

/** How often a list of several pages is asked for again when it changed in between. */
const MAX_TRIES = 10;

/**
 * The first blocks that may hold records up to `upto_ms`: about `limit` of them, and all whose `to_ms` is not below
 * `upto_ms`. They are of one moment, since compaction moves records from one block to another.
 */
export async function listBlocks(
  journal: JournalStorage,
  query: RecordsQuery,
  { upto_ms, limit }: { readonly upto_ms: number; readonly limit: number },
): Promise<BlockList> {
  const blocksQuery = toBlocksQuery(query, upto_ms);
  let list: BlockList = { headers: [], isOver: false };
  for (let tried = 0; tried < MAX_TRIES; tried += 1) {
    const before = list;
    const { pages, ...found } = await listPages(journal, blocksQuery, { upto_ms, limit });
    list = found;
    if (pages === 1 || isSame(before, list)) break;
  }
  return list;
}

async function listPages(
  journal: JournalStorage,
  query: Omit<BlocksQuery, 'limit'>,
  { upto_ms, limit }: { readonly upto_ms: number; readonly limit: number },
): Promise<BlockList & { readonly pages: number }> {
  const headers: BlockHeader[] = [];
  for (let pages = 1; ; pages += 1) {
    const size = pages === 1 ? limit : MAX_LISTED_BLOCKS;
    const after = headers.at(-1);
    const page = await journal.blocks({ ...query, ...(after && { after }), limit: size });
    headers.push(...page);
    if (page.length < size) return { headers, isOver: true, pages };
    if ((page.at(-1)?.to_ms ?? upto_ms) < upto_ms) return { headers, isOver: false, pages };
  }
}

function isSame(one: BlockList, other: BlockList): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function toBlocksQuery(
  { account_id, agent_id, verdict, reason, environment, dry_run, from_ms, to_ms }: RecordsQuery,
  upto_ms: number,
): Omit<BlocksQuery, 'limit'> {
  const names = [
    ...(agent_id === undefined ? [] : [filterHashes('agent', agent_id)]),
    ...(reason === undefined ? [] : [filterHashes('reason', reason)]),
  ];
  return {
    account_id,
    upto_ms: Math.min(upto_ms, to_ms === undefined ? upto_ms : to_ms - 1),
    ...(from_ms !== undefined && { from_ms }),
    ...(verdict !== undefined && { verdict }),
    // One flag is asked for at a time: dry runs are the rarer. That a block holds others than dry runs has no flag.
    ...(environment !== undefined && { flags: BLOCK_FLAGS[environment] }),
    ...(dry_run === true && { flags: BLOCK_FLAGS.dryRuns }),
    ...(names.length > 0 && { names }),
  };
}
