/** The records of an account, newest first, out of blocks: as few are opened as can hold what is asked for. */
import { formatInstant } from '../../base/instant.ts';
import { turn } from '../../base/turns.ts';
import { type Block, type BlockHeader, MAX_LOADED_BLOCKS } from '../../ports/journal.ts';
import type { Position } from '../../ports/queries.ts';
import type { VerdictRecord } from '../../records.ts';
import type { Context } from '../shared/context.ts';
import { type BlockWalk, isNewer, type RecordFilter, type RecordPlace, walkBlock } from './block-walk.ts';
import { createBlockOpener } from './damage.ts';
import { type HeaderList, headerList } from './header-list.ts';

/** The records of an account that fit. */
export interface RecordsQuery extends RecordFilter {
  readonly account_id: string;
}

/** What one read has found. */
export interface RecordsPiece {
  /** Newest first; fewer than asked for, or none, where few of those looked at fit. */
  readonly records: readonly VerdictRecord[];
  /** The next read goes on after it. `null`: there are no more. */
  readonly next: Position | null;
}

/** Reads at most `limit` records by (`evaluated_at`, `decision_id`), the newest first, strictly after a position. */
export type ReadRecords = (query: RecordsQuery, limit: number, after?: Position) => Promise<RecordsPiece>;

/** How many blocks one read opens that the read before it has not reached. */
const MAX_OPENED = 64;
/** How often a read begins again because blocks were compacted or removed under it. */
const MAX_RESTARTS = 10;
/** Higher than every id of a record, and later than every record. */
const ABOVE_ALL_IDS = '~';
const LAST: RecordPlace = { ms: Date.parse('9999-12-31T23:59:59.999Z'), id: ABOVE_ALL_IDS };

/** Where a walk over blocks ended. */
type End = RecordPlace | null | 'moved';

/** A reader over the storage of `context`. */
export function createReader({ store, log }: Context): ReadRecords {
  const opener = createBlockOpener(log);

  return async (query, limit, after) => {
    const records: VerdictRecord[] = [];
    let place = after && { ms: Date.parse(after.created_at), id: after.id };
    let end: End = 'moved';
    for (let tried = 0; tried < MAX_RESTARTS && end === 'moved'; tried += 1) {
      const headers = headerList(store.journal, query, place?.ms);
      end = await walk({ query, limit, after: place, headers }, records);
      const last = records.at(-1);
      if (last !== undefined) place = { ms: Date.parse(last.evaluated_at), id: last.decision_id };
    }
    if (end === 'moved') end = place ?? LAST;
    return { records, next: end && { created_at: formatInstant(end.ms), id: end.id } };
  };

  /** Adds records to `found`, up to the limit; `moved`: a block was gone before it could be read. */
  async function walk({ query, limit, after, headers }: Walk, found: VerdictRecord[]): Promise<End> {
    const open: BlockWalk[] = [];
    let opened = 0;
    for (;;) {
      const newest = open.reduce<BlockWalk | undefined>(
        (best, walk) => (best === undefined || isNewer(walk, best) ? walk : best),
        undefined,
      );
      const header = await headers.peek();
      if (header !== undefined && (newest === undefined || header.to_ms >= newest.ms)) {
        if (opened >= MAX_OPENED) return { ms: header.to_ms, id: ABOVE_ALL_IDS };
        const batch = headers.take(newest === undefined ? MAX_LOADED_BLOCKS : 1);
        opened += batch.filter(({ to_ms }) => after === undefined || to_ms < after.ms).length;
        const walks = await openAll(batch, query, after);
        if (walks === undefined) return 'moved';
        open.push(...walks);
        continue;
      }
      if (newest === undefined) return null;
      const place = { ms: newest.ms, id: newest.id };
      found.push(newest.record());
      if (!newest.next()) open.splice(open.indexOf(newest), 1);
      if (found.length === limit) return place;
    }
  }

  async function openAll(
    headers: readonly BlockHeader[],
    filter: RecordFilter,
    after: RecordPlace | undefined,
  ): Promise<readonly BlockWalk[] | undefined> {
    const walks: BlockWalk[] = [];
    const blocks: readonly (Block | undefined)[] = await store.journal.load(headers);
    for (const block of blocks) {
      if (block === undefined) return undefined;
      await turn();
      const walk = opener.open(block, (view) => walkBlock(view, filter, after));
      if (walk !== undefined) walks.push(walk);
    }
    return walks;
  }
}

interface Walk {
  readonly query: RecordsQuery;
  readonly limit: number;
  readonly after: RecordPlace | undefined;
  readonly headers: HeaderList;
}
