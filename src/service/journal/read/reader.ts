/** The records of an account, newest first, out of blocks: as few are opened as can hold what is asked for. */
import { formatInstant } from '../../../base/values/instant.ts';
import type { BlockView } from '../../../blocks/index.ts';
import { type BlockHeader, MAX_LISTED_BLOCKS, MAX_LOADED_BLOCKS } from '../../../ports/journal.ts';
import type { Position } from '../../../ports/queries.ts';
import type { VerdictRecord } from '../../../records.ts';
import type { Context } from '../../shared/context.ts';
import { createBlockReader } from '../damage.ts';
import { type BlockList, listBlocks, type RecordsQuery } from './block-list.ts';
import { type BlockWalk, isNewer, type RecordPlace, walkBlock } from './block-walk.ts';
import { createOpenBlocks, type OpenedBlock } from './open-blocks.ts';

export type { RecordsQuery } from './block-list.ts';

/** What one read has found. */
export interface Piece<Item> {
  /** Newest first; fewer than asked for, or none, where few of those looked at fit. */
  readonly records: readonly Item[];
  /** The next read goes on after it. `null`: there are no more. */
  readonly next: Position | null;
}

/** Reads at most `limit` records by (`evaluated_at`, `decision_id`), the newest first, strictly after a position. */
export type ReadItems<Item> = (query: RecordsQuery, limit: number, after?: Position) => Promise<Piece<Item>>;

/** Reads records as they were filed. */
export type ReadRecords = ReadItems<VerdictRecord>;

/** Makes an item of the record at a place of a block. */
export type Spell<Item> = (view: BlockView) => (place: number) => Item;

/** How many blocks one read looks at, unless more than these hold records of one time; and how many first. */
const MAX_LISTED = 64;
const FIRST_LISTED = 16;
/** How often a read begins again because blocks were compacted or removed under it. */
const MAX_RESTARTS = 10;
/** Higher than every id of a record, and later than every record. */
const ABOVE_ALL_IDS = '~';
const NEWEST: RecordPlace = { ms: Date.parse('9999-12-31T23:59:59.999Z'), id: ABOVE_ALL_IDS };

/** The records themselves, over the storage of `context`. */
export function createReader(context: Context): ReadRecords {
  return createItemReader(context, (view) => view.record);
}

/** What `spell` makes of each record of a block, over the storage of `context`. */
export function createItemReader<Item>({ store, log }: Context, spell: Spell<Item>): ReadItems<Item> {
  const readBlock = createBlockReader(log);
  const blocks = createOpenBlocks(store.journal, readBlock);

  return async (query, limit, after) => {
    const found: Found<Item> = { records: [], view: undefined, place: 0 };
    const piece = (end: RecordPlace | null): Piece<Item> => {
      return { records: found.records, next: end && { created_at: formatInstant(end.ms), id: end.id } };
    };
    let place = after === undefined ? NEWEST : { ms: Date.parse(after.created_at), id: after.id };
    let listed = 0;
    let size = FIRST_LISTED;
    for (let restarts = 0; restarts < MAX_RESTARTS && listed < MAX_LISTED; ) {
      const list = await listBlocks(store.journal, query, { upto_ms: place.ms, limit: size });
      const end = await walk({ query, limit, after: place, list }, found);
      place = lastOf(found) ?? place;
      if (end === 'full') return piece(place);
      if (end === 'moved') restarts += 1;
      else if (list.isOver) return piece(null);
      else {
        place = belowOf(list);
        listed += list.headers.length;
        size = Math.min(size * 2, MAX_LISTED_BLOCKS);
      }
    }
    return piece(place);
  };

  /**
   * Adds the records that are newer than every block behind the list to `found`, up to the limit; `moved`: a block was
   * gone before it could be read.
   */
  async function walk({ query, limit, after, list }: Walk, found: Found<Item>): Promise<End> {
    const end = list.isOver ? Number.NEGATIVE_INFINITY : belowOf(list).ms;
    const open: Opened<Item>[] = [];
    let next = 0;
    let batch = 1;
    for (;;) {
      const newest = newestOf(open);
      const header = list.headers[next];
      if (header !== undefined && (newest === undefined || header.to_ms >= newest.walk.ms)) {
        const headers = list.headers.slice(next, next + batch);
        const opened = await blocks.open(headers);
        if (opened === undefined) return 'moved';
        for (const block of opened) open.push(...begin(block, query, after));
        next += headers.length;
        // Where little fits, more are read at a time.
        batch = Math.min(batch * 2, MAX_LOADED_BLOCKS);
      } else if (newest === undefined || newest.walk.ms <= end) return 'done';
      else {
        const isRead = take(newest, found);
        if (!isRead || !newest.walk.next()) open.splice(open.indexOf(newest), 1);
        if (found.records.length === limit) return 'full';
        batch = 1;
      }
    }
  }

  /** A walk through a block; none where no record fits. */
  function begin(
    { header, view }: OpenedBlock,
    query: RecordsQuery,
    after: RecordPlace,
  ): readonly Opened<Item>[] {
    const walk = readBlock(header, () => walkBlock(view, query, after));
    return walk === undefined ? [] : [{ header, view, walk, itemOf: spell(view) }];
  }

  /** Adds the record at which a walk stands; `false` where it is damaged. */
  function take({ header, view, walk, itemOf }: Opened<Item>, found: Found<Item>): boolean {
    const item = readBlock(header, () => itemOf(walk.place));
    if (item === undefined) return false;
    found.records.push(item);
    found.view = view;
    found.place = walk.place;
    return true;
  }
}

/** What was found so far, and the block and the place in it of the last. */
interface Found<Item> {
  readonly records: Item[];
  view: BlockView | undefined;
  place: number;
}

/** Where the last that was found stands. Its id is spelled once, not for each record. */
function lastOf({ view, place }: Found<unknown>): RecordPlace | undefined {
  return view && { ms: view.times[place] as number, id: view.decisionId(place) };
}

interface Walk {
  readonly query: RecordsQuery;
  readonly limit: number;
  readonly after: RecordPlace;
  readonly list: BlockList;
}

/** A block that is walked through. */
interface Opened<Item> {
  readonly header: BlockHeader;
  readonly view: BlockView;
  readonly walk: BlockWalk;
  readonly itemOf: (place: number) => Item;
}

/** Where a walk through a list ended: at the limit, at its last block, or at one that was gone. */
type End = 'full' | 'done' | 'moved';

function newestOf<One extends { readonly walk: BlockWalk }>(open: readonly One[]): One | undefined {
  let newest: One | undefined;
  for (const one of open) if (newest === undefined || isNewer(one.walk, newest.walk)) newest = one;
  return newest;
}

/** Above all records that a block behind the list may hold. */
function belowOf({ headers }: BlockList): RecordPlace {
  return { ms: headers.at(-1)?.to_ms ?? NEWEST.ms, id: ABOVE_ALL_IDS };
}
