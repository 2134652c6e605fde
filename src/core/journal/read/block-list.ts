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
import type { Environment } from '../../../records.ts';
import type { ReadBlock } from '../damage.ts';

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

/** A filter on records. Times are milliseconds since the Unix epoch. */
interface RecordFilter {
  readonly agent_id?: string;
  readonly verdict?: 'ALLOW' | 'DENY';
  readonly reason?: string;
  readonly environment?: Environment;
  readonly dry_run?: boolean;
  readonly subject?: string;
  /** The earliest `evaluated_at`, inclusive. `to_ms` is the end, exclusive. */
  readonly from_ms?: number;
  readonly to_ms?: number;
}

/**
 * A position in a list of records, newest first. The position precedes all older records, and records of the same time
 * with a lower id.
 */
export interface RecordPlace {
  readonly ms: number;
  readonly id: string;
}

/** A cursor over the records of a block. */
export interface BlockWalk {
  /** The time of the record. */
  readonly ms: number;
  readonly id: string;
  /** The index of the record in the block. */
  readonly place: number;
  /** Moves to the next record; returns `false` if there is none. */
  next(): boolean;
}

/** Creates a cursor at the first matching record after `placeAfter`; `undefined` if there is none. */
export function walkBlock(
  view: BlockView,
  filter: RecordFilter,
  placeAfter?: RecordPlace,
): BlockWalk | undefined {
  const { times } = view;
  const fits = matcherOf(view, filter) ?? ALWAYS_FALSE;
  let place = view.length;

  function next(): boolean {
    do place -= 1;
    while (place >= 0 && !fits(place));
    return place >= 0;
  }

  const walk: BlockWalk = {
    get ms() {
      return times[place] as number;
    },
    get id() {
      return view.decisionId(place);
    },
    get place() {
      return place;
    },
    next,
  };
  if (placeAfter !== undefined) place = placeBefore(view, placeAfter);
  return next() ? walk : undefined;
}

/** Says whether position `a` is newer than `b`. */
export function isNewer(a: RecordPlace, b: RecordPlace): boolean {
  return a.ms > b.ms || (a.ms === b.ms && a.id > b.id);
}

function placeBefore(view: BlockView, placeAfter: RecordPlace): number {
  let low = 0;
  let high = view.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const ms = view.times[middle] as number;
    const isOlder = ms < placeAfter.ms || (ms === placeAfter.ms && view.decisionId(middle) < placeAfter.id);
    if (isOlder) low = middle + 1;
    else high = middle;
  }
  return low;
}

const ALWAYS_FALSE = (): boolean => false;

function matcherOf(view: BlockView, filter: RecordFilter): ((place: number) => boolean) | undefined {
  const {
    agent_id,
    verdict,
    reason,
    environment,
    dry_run,
    subject,
    from_ms = 0,
    to_ms = Number.POSITIVE_INFINITY,
  } = filter;
  const { times, agents, contexts, reasons, subjects } = view;
  const agent = agent_id === undefined ? -1 : agents.texts.indexOf(agent_id);
  if (agent_id !== undefined && agent < 0) return undefined;
  const wantedNumber = subject === undefined ? -1 : subjects.texts.indexOf(subject);
  if (subject !== undefined && wantedNumber < 0) return undefined;
  const isAskedSo = contexts.values.map(
    (context) =>
      (environment === undefined || context.environment === environment) &&
      (dry_run === undefined || context.dry_run === dry_run),
  );
  const hasReasons = reasons.shapes.map(
    ({ codes }) =>
      (reason === undefined || codes.includes(reason)) &&
      (verdict === undefined || (codes.length === 0) === (verdict === 'ALLOW')),
  );
  return (place) => {
    const ms = times[place] as number;
    return (
      (agent < 0 || agents.numbers[place] === agent) &&
      (wantedNumber < 0 || subjects.numbers[place] === wantedNumber) &&
      isAskedSo[contexts.numbers[place] as number] === true &&
      hasReasons[reasons.numbers[place] as number] === true &&
      ms >= from_ms &&
      ms < to_ms
    );
  };
}
