/** Reads the records of an account from blocks, newest first. Opens as few blocks as possible. */
import { formatInstant } from '../../../base/values/instant.ts';
import type { BlockView } from '../../../journal-format/index.ts';
import {
  type BlockHeader,
  MAX_LISTED_BLOCKS,
  MAX_LOADED_BLOCKS,
  type Position,
} from '../../../ports/journal.ts';
import type { VerdictRecord } from '../../../records.ts';
import type { Context } from '../../shared/context.ts';
import { createBlockReader, createSubjectReport } from '../damage.ts';
import {
  type BlockList,
  type BlockWalk,
  createOpenBlocks,
  isNewer,
  listBlocks,
  type OpenedBlock,
  type RecordPlace,
  type RecordsQuery,
  walkBlock,
} from './block-list.ts';

export type { RecordsQuery } from './block-list.ts';

/** The result of one read. */
export interface Piece<Item> {
  /** The records, newest first. There may be fewer than `limit`, or none, although more follow. */
  readonly records: readonly Item[];
  /** The position after which the next read continues; `null` if there are no more records. */
  readonly next: Position | null;
}

/** Reads at most `limit` records, ordered by (`evaluated_at`, `decision_id`), newest first, after a position. */
export type ReadItems<Item> = (
  query: RecordsQuery,
  limit: number,
  positionAfter?: Position,
) => Promise<Piece<Item>>;

/** Reads complete verdict records. */
export type ReadRecords = ReadItems<VerdictRecord>;

export type Spell<Item> = (view: BlockView) => (place: number) => Item;

const MAX_LISTED = 64;
const FIRST_LISTED = 16;
const MAX_RESTARTS = 10;
const ABOVE_ALL_IDS = '~';
const NEWEST: RecordPlace = { ms: Date.parse('9999-12-31T23:59:59.999Z'), id: ABOVE_ALL_IDS };

/** Creates a reader of complete records from the storage. */
export function createReader(context: Pick<Context, 'store' | 'log'>): ReadRecords {
  return createItemReader(context, (view) => view.record);
}

/** Creates a reader of the items that `spell` makes from records. */
export function createItemReader<Item>(
  { store, log }: Pick<Context, 'store' | 'log'>,
  spell: Spell<Item>,
): ReadItems<Item> {
  const readBlock = createBlockReader(log);
  const blocks = createOpenBlocks(store.journal, readBlock, createSubjectReport(log));

  return async (query, limit, positionAfter) => {
    const finding: Found<Item> = { records: [], view: undefined, place: 0 };
    const piece = (end: RecordPlace | null): Piece<Item> => {
      return { records: finding.records, next: end && { created_at: formatInstant(end.ms), id: end.id } };
    };
    let place =
      positionAfter === undefined
        ? NEWEST
        : { ms: Date.parse(positionAfter.created_at), id: positionAfter.id };
    let listedCount = 0;
    let size = FIRST_LISTED;
    for (let restarts = 0; restarts < MAX_RESTARTS && listedCount < MAX_LISTED; ) {
      const list = await listBlocks(store.journal, query, { upto_ms: place.ms, limit: size });
      const end = await walk({ query, limit, after: place, list }, finding);
      place = lastOf(finding) ?? place;
      if (end === 'full') return piece(place);
      if (end === 'moved') {
        restarts += 1;
        continue;
      }
      if (list.isOver) return piece(null);
      place = belowOf(list);
      listedCount += list.headers.length;
      size = Math.min(size * 2, MAX_LISTED_BLOCKS);
    }
    return piece(place);
  };

  /**
   * Adds records to `finding`, newest first, up to the limit. Blocks outside the list may contain records up to a
   * certain instant. Therefore stops at the first record that is not newer than this instant.
   */
  async function walk({ query, limit, after, list }: Walk, finding: Found<Item>): Promise<End> {
    const end = endOf(list);
    const open: Opened<Item>[] = [];
    let next = 0;
    let batch = 1;
    while (finding.records.length < limit) {
      const newest = newestOf(open);
      if (isDue(list.headers[next], newest)) {
        const headers = list.headers.slice(next, next + batch);
        const openedBlocks = await blocks.open(headers);
        if (openedBlocks === undefined) return 'moved';
        open.push(...openedBlocks.flatMap((block) => begin(block, query, after)));
        next += headers.length;
        // If few records match, more blocks are read at a time.
        batch = Math.min(batch * 2, MAX_LOADED_BLOCKS);
        continue;
      }
      if (newest === undefined || newest.walk.ms <= end) return 'done';
      takeNewest(newest, open, finding);
      batch = 1;
    }
    return 'full';
  }

  /** Adds the next record of the newest block to `finding`, and closes the block after its last record. */
  function takeNewest(newest: Opened<Item>, open: Opened<Item>[], finding: Found<Item>): void {
    if (!take(newest, finding)) open.splice(open.indexOf(newest), 1);
  }

  function begin(
    { header, view }: OpenedBlock,
    query: RecordsQuery,
    placeAfter: RecordPlace,
  ): readonly Opened<Item>[] {
    const walk = readBlock(header, () => walkBlock(view, query, placeAfter));
    return walk === undefined ? [] : [{ header, view, walk, itemOf: spell(view) }];
  }

  /** Adds the next record of a block to `finding`. Returns `false` if the block has no more records. */
  function take({ header, view, walk, itemOf }: Opened<Item>, finding: Found<Item>): boolean {
    const item = readBlock(header, () => itemOf(walk.place));
    if (item === undefined) return false;
    finding.records.push(item);
    finding.view = view;
    finding.place = walk.place;
    return walk.next();
  }
}

interface Found<Item> {
  readonly records: Item[];
  view: BlockView | undefined;
  place: number;
}

function lastOf({ view, place }: Found<unknown>): RecordPlace | undefined {
  return view && { ms: view.times[place] as number, id: view.decisionId(place) };
}

interface Walk {
  readonly query: RecordsQuery;
  readonly limit: number;
  readonly after: RecordPlace;
  readonly list: BlockList;
}

interface Opened<Item> {
  readonly header: BlockHeader;
  readonly view: BlockView;
  readonly walk: BlockWalk;
  readonly itemOf: (place: number) => Item;
}

/** The reason why a walk ended: the limit, the end of the list, or a block that was removed before it was read. */
type End = 'full' | 'done' | 'moved';

function newestOf<One extends { readonly walk: BlockWalk }>(open: readonly One[]): One | undefined {
  let newest: One | undefined;
  for (const entry of open) if (newest === undefined || isNewer(entry.walk, newest.walk)) newest = entry;
  return newest;
}

/** Returns `true` if a block may contain records that are newer than the newest record of the open blocks. */
function isDue(header: BlockHeader | undefined, newest: Pick<Opened<unknown>, 'walk'> | undefined): boolean {
  if (header === undefined) return false;
  return newest === undefined || header.to_ms >= newest.walk.ms;
}

/** Returns the instant up to which blocks outside the list may contain records. */
function endOf(list: BlockList): number {
  return list.isOver ? Number.NEGATIVE_INFINITY : belowOf(list).ms;
}

function belowOf({ headers }: BlockList): RecordPlace {
  return { ms: headers.at(-1)?.to_ms ?? NEWEST.ms, id: ABOVE_ALL_IDS };
}
