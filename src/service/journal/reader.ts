/** The records of an account, newest first, out of blocks: as few are opened as can hold what is asked for. */
import { formatInstant } from '../../base/instant.ts';
import { turn } from '../../base/turns.ts';
import { type BlockView, openBlock } from '../../blocks/index.ts';
import { type BlockHeader, MAX_LISTED_BLOCKS, MAX_LOADED_BLOCKS } from '../../ports/journal.ts';
import type { Position } from '../../ports/queries.ts';
import type { VerdictRecord } from '../../records.ts';
import type { Context } from '../shared/context.ts';
import { type BlockList, listBlocks, type RecordsQuery } from './block-list.ts';
import { type BlockWalk, isNewer, type RecordPlace, walkBlock } from './block-walk.ts';
import { createBlockReader } from './damage.ts';

export type { RecordsQuery } from './block-list.ts';

/** What one read has found. */
export interface RecordsPiece {
  /** Newest first; fewer than asked for, or none, where few of those looked at fit. */
  readonly records: readonly VerdictRecord[];
  /** The next read goes on after it. `null`: there are no more. */
  readonly next: Position | null;
}

/** Reads at most `limit` records by (`evaluated_at`, `decision_id`), the newest first, strictly after a position. */
export type ReadRecords = (query: RecordsQuery, limit: number, after?: Position) => Promise<RecordsPiece>;

/** How many blocks one read looks at, unless more than these hold records of one time; and how many first. */
const MAX_LISTED = 64;
const FIRST_LISTED = 16;
/** How often a read begins again because blocks were compacted or removed under it. */
const MAX_RESTARTS = 10;
/** How many opened blocks are kept for the next read, about 300 kB each. */
const MAX_VIEWS = 8;
/** Higher than every id of a record, and later than every record. */
const ABOVE_ALL_IDS = '~';
const NEWEST: RecordPlace = { ms: Date.parse('9999-12-31T23:59:59.999Z'), id: ABOVE_ALL_IDS };

/** A reader over the storage of `context`. */
export function createReader({ store, log }: Context): ReadRecords {
  const readBlock = createBlockReader(log);
  const views = new Map<string, BlockView>();

  return async (query, limit, after) => {
    const records: VerdictRecord[] = [];
    const piece = (end: RecordPlace | null): RecordsPiece => {
      return { records, next: end && { created_at: formatInstant(end.ms), id: end.id } };
    };
    let place = after === undefined ? NEWEST : { ms: Date.parse(after.created_at), id: after.id };
    let listed = 0;
    let size = FIRST_LISTED;
    for (let restarts = 0; restarts < MAX_RESTARTS && listed < MAX_LISTED; ) {
      const list = await listBlocks(store.journal, query, { upto_ms: place.ms, limit: size });
      const end = await walk({ query, limit, after: place, list }, records);
      const last = records.at(-1);
      if (last !== undefined) place = placeOf(last);
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
  async function walk({ query, limit, after, list }: Walk, found: VerdictRecord[]): Promise<End> {
    const end = list.isOver ? Number.NEGATIVE_INFINITY : belowOf(list).ms;
    const open: Opened[] = [];
    let next = 0;
    let batch = 1;
    for (;;) {
      const newest = newestOf(open);
      const header = list.headers[next];
      if (header !== undefined && (newest === undefined || header.to_ms >= newest.walk.ms)) {
        const headers = list.headers.slice(next, next + batch);
        if (!(await openAll(headers, { query, after, open }))) return 'moved';
        next += headers.length;
        // Where little fits, more are read at a time.
        batch = Math.min(batch * 2, MAX_LOADED_BLOCKS);
      } else if (newest === undefined || newest.walk.ms <= end) return 'done';
      else {
        const record = readBlock(newest.header, () => newest.walk.record());
        if (record !== undefined) found.push(record);
        if (record === undefined || !newest.walk.next()) open.splice(open.indexOf(newest), 1);
        if (found.length === limit) return 'full';
        batch = 1;
      }
    }
  }

  /** Begins to walk through blocks; `false` when one of them is gone. */
  async function openAll(headers: readonly BlockHeader[], { query, after, open }: Opening): Promise<boolean> {
    const opened = new Map(headers.map((header) => [keyOf(header), views.get(keyOf(header))]));
    const missing = headers.filter((header) => opened.get(keyOf(header)) === undefined);
    const blocks = missing.length === 0 ? [] : await store.journal.load(missing);
    for (const block of blocks) {
      if (block === undefined) return false;
      await turn();
      const view = readBlock(block, () => openBlock(block.data));
      opened.set(keyOf(block), view);
      if (view !== undefined) keep(keyOf(block), view);
    }
    for (const header of headers) {
      const view = opened.get(keyOf(header));
      const walk = view && readBlock(header, () => walkBlock(view, query, after));
      if (walk !== undefined) open.push({ header, walk });
    }
    return true;
  }

  function keep(key: string, view: BlockView): void {
    views.set(key, view);
    for (const oldest of views.keys()) {
      if (views.size <= MAX_VIEWS) break;
      views.delete(oldest);
    }
  }
}

interface Walk {
  readonly query: RecordsQuery;
  readonly limit: number;
  readonly after: RecordPlace;
  readonly list: BlockList;
}

interface Opening extends Pick<Walk, 'query' | 'after'> {
  readonly open: Opened[];
}

/** A block that is walked through. */
interface Opened {
  readonly header: BlockHeader;
  readonly walk: BlockWalk;
}

/** Where a walk through a list ended: at the limit, at its last block, or at one that was gone. */
type End = 'full' | 'done' | 'moved';

function newestOf(open: readonly Opened[]): Opened | undefined {
  let newest: Opened | undefined;
  for (const one of open) if (newest === undefined || isNewer(one.walk, newest.walk)) newest = one;
  return newest;
}

/** A block that was compacted has its name, and other records. */
function keyOf({ writer, seq, account_id, from_ms, to_ms, records }: BlockHeader): string {
  return `${writer}.${seq}.${from_ms}.${to_ms}.${records}.${account_id}`;
}

/** Above all records that a block behind the list may hold. */
function belowOf({ headers }: BlockList): RecordPlace {
  return { ms: headers.at(-1)?.to_ms ?? NEWEST.ms, id: ABOVE_ALL_IDS };
}

function placeOf(record: VerdictRecord): RecordPlace {
  return { ms: Date.parse(record.evaluated_at), id: record.decision_id };
}
