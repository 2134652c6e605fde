import { LRUCache } from 'lru-cache';
import { turn } from '../../../base/async/turns.ts';
import { type BlockView, filterHashes, openBlock } from '../../../journal-format/index.ts';
import {
  BLOCK_FLAGS,
  type Block,
  type BlockHeader,
  type BlocksQuery,
  type JournalStorage,
  MAX_LISTED_BLOCKS,
} from '../../../ports/journal.ts';
import type { ReadBlock } from '../damage.ts';
import type { RecordFilter } from './block-walk.ts';

/** A filter on the records of one account. */
export interface RecordsQuery extends RecordFilter {
  readonly account_id: string;
}

/** Headers of blocks, in the order of `BlockPlace`. */
export interface BlockList {
  readonly headers: readonly BlockHeader[];
  /** True if there are no more headers. */
  readonly isOver: boolean;
}

const MAX_TRIES = 10;

/**
 * Lists the first blocks, newest first, that may contain records up to `upto_ms`. The list has about `limit` blocks.
 * Blocks with a `to_ms` of at least `upto_ms` are always in the list, because each may contain the next record. A list
 * of several pages is read again until it is stable, because compaction moves records between blocks.
 */
export async function listBlocks(
  journal: JournalStorage,
  query: RecordsQuery,
  { upto_ms, limit }: { readonly upto_ms: number; readonly limit: number },
): Promise<BlockList> {
  const blocksQuery = toBlocksQuery(query, upto_ms);
  let list: BlockList = { headers: [], isOver: false };
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const listBefore = list;
    const { pages, ...result } = await listPages(journal, blocksQuery, { upto_ms, limit });
    list = result;
    if (pages === 1 || isSame(listBefore, list)) break;
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
    const headerAfter = headers.at(-1);
    const page = await journal.blocks({ ...query, ...(headerAfter && { after: headerAfter }), limit: size });
    headers.push(...page);
    if (page.length < size) return { headers, isOver: true, pages };
    if ((page.at(-1)?.to_ms ?? upto_ms) < upto_ms) return { headers, isOver: false, pages };
  }
}

function isSame(list: BlockList, otherList: BlockList): boolean {
  return JSON.stringify(list) === JSON.stringify(otherList);
}

function toBlocksQuery(
  { account_id, agent_id, verdict, reason, environment, dry_run, subject, from_ms, to_ms }: RecordsQuery,
  upto_ms: number,
): Omit<BlocksQuery, 'limit'> {
  const names = [
    ...(agent_id === undefined ? [] : [filterHashes('agent', agent_id)]),
    ...(reason === undefined ? [] : [filterHashes('reason', reason)]),
    ...(subject === undefined ? [] : [filterHashes('subject', subject)]),
  ];
  return {
    account_id,
    flags: flagsOf(environment, dry_run),
    upto_ms: Math.min(upto_ms, to_ms === undefined ? upto_ms : to_ms - 1),
    ...(from_ms !== undefined && { from_ms }),
    ...(verdict !== undefined && { verdict }),
    ...(names.length > 0 && { names }),
  };
}

/**
 * Returns the flags of the blocks to read. There is a flag for blocks with dry runs, which are rare, and none for
 * blocks with other records.
 */
function flagsOf(environment: RecordsQuery['environment'], dryRun: boolean | undefined): number {
  if (dryRun === true) return BLOCK_FLAGS.dryRuns;
  return environment === undefined ? BLOCK_FLAGS.live | BLOCK_FLAGS.test : BLOCK_FLAGS[environment];
}

interface OpenBlocks {
  /**
   * Opens the blocks, and returns them in the order of the headers, without damaged blocks. Returns `undefined` if a
   * block was removed, or other blocks were compacted into it.
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
      const openedViews = new Map(headers.map((header) => [keyOf(header), views.get(keyOf(header))]));
      const missing = headers.filter((header) => openedViews.get(keyOf(header)) === undefined);
      const blocks = missing.length === 0 ? [] : await journal.load(missing);
      for (const [index, block] of blocks.entries()) {
        const key = keyOf(missing[index] as BlockHeader);
        if (block === undefined || keyOf(block) !== key) return undefined;
        await turn();
        const view = readBlock(block, () => openWhole(block));
        openedViews.set(key, view);
        if (view !== undefined) views.set(key, view);
      }
      return headers.flatMap((header) => {
        const view = openedViews.get(keyOf(header));
        return view === undefined ? [] : [{ header, view }];
      });
    },
  };
}

/** Returns a key that changes if other blocks are compacted into the block, or if a text in it is erased. */
function keyOf({ writer, seq, account_id, from_ms, to_ms, records, erased }: BlockHeader): string {
  return `${writer}.${seq}.${from_ms}.${to_ms}.${records}.${erased}.${account_id}`;
}
