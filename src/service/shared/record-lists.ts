/** The lists of the storage, as pages read them. */
import { jsonSize } from '../../base/values/json-size.ts';
import type { ExpiringCollection, ExpiryPosition, Position } from '../../ports/queries.ts';
import type { StoredRecords } from '../../ports/stored-records.ts';
import type { Instant } from '../../records.ts';
import type { Store } from '../storage/store.ts';
import type { PageSource } from './pages.ts';

/** How a list is read piece by piece. */
export type ListReader<Record, Place> = Pick<
  PageSource<Record, unknown, Place>,
  'read' | 'positionOf' | 'atOnce'
>;

/** The largest records have 64 KiB: this number is read within a few milliseconds. */
const AT_ONCE = 16;

/** The records of a collection whose fields equal `where`, newest first. */
export function recordsBy<Name extends keyof StoredRecords>(
  store: Store,
  collection: Name,
  where: Readonly<Record<string, string>>,
): ListReader<StoredRecords[Name], Position> {
  const positionOf = ({ created_at, id }: StoredRecords[Name]): Position => ({ created_at, id });
  return {
    positionOf,
    atOnce: AT_ONCE,
    async read(limit, after) {
      const records = await store.list(collection, { where, limit, ...(after && { after }) });
      return { records, next: nextOf(records, limit, positionOf) };
    },
  };
}

/** Those whose `expires_at` is over, the latest first. */
export function recordsExpiredBy<Name extends ExpiringCollection>(
  store: Store,
  collection: Name,
  by: Instant,
  where: Readonly<Record<string, string>>,
): ListReader<StoredRecords[Name], ExpiryPosition> {
  const positionOf = ({ expires_at, id }: StoredRecords[Name]): ExpiryPosition => ({
    expires_at: expires_at ?? '',
    id,
  });
  return {
    positionOf,
    atOnce: AT_ONCE,
    async read(limit, after) {
      const records = await store.listExpired(collection, { where, by, limit, ...(after && { after }) });
      return { records, next: nextOf(records, limit, positionOf) };
    },
  };
}

/** The same list, read only after `demand` has not refused: a limit or a cursor that is wrong is refused before. */
export function onlyAfter<Record, Place>(
  demand: () => Promise<unknown>,
  { read, ...list }: ListReader<Record, Place>,
): ListReader<Record, Place> {
  return {
    ...list,
    async read(limit, after) {
      await demand();
      return read(limit, after);
    },
  };
}

/** Every record of a list, piece by piece. */
export async function* everyRecord<Record, Place>(
  reader: ListReader<Record, Place>,
  batch: number,
): AsyncGenerator<Record, undefined> {
  for await (const records of everyPage(reader, pageSize(batch))) yield* records;
}

/** The same a page at a time, behind `begin` or from the first record on. */
export async function* everyPage<Record, Place>(
  { read }: ListReader<Record, Place>,
  size: PageSize,
  begin?: Place,
): AsyncGenerator<readonly Record[], undefined> {
  let after = begin;
  do {
    const { records, next } = await read(size.limit, after);
    size.note(records);
    yield records;
    after = next ?? undefined;
  } while (after !== undefined);
}

/** How many records are read at a time: as many as are about 256 KiB, by those that were read before. */
export interface PageSize {
  readonly limit: number;
  /** Learns from a page that was read. */
  note(records: readonly unknown[]): void;
}

/** A page is parsed in one go, and held as a whole. */
const PAGE_BYTES = 256 * 1024;
/** Before the size of any record is known; a record may have some hundred kB. */
const FIRST_LIMIT = 4;

/** The size of the pages of a walk, at most `most` records. */
export function pageSize(most: number): PageSize {
  let limit = Math.min(FIRST_LIMIT, most);
  return {
    get limit() {
      return limit;
    },
    note(records) {
      // A page that is not full says too little of those that come.
      const grown = records.length < limit ? limit : limit * 2;
      const largest = records.reduce<number>((size, record) => Math.max(size, jsonSize(record)), 1);
      limit = Math.max(1, Math.min(Math.floor(PAGE_BYTES / largest), grown, most));
    },
  };
}

/** A page that is not full is the last. */
function nextOf<Record, Place>(
  records: readonly Record[],
  limit: number,
  positionOf: (record: Record) => Place,
): Place | null {
  const last = records.length < limit ? undefined : records.at(-1);
  return last === undefined ? null : positionOf(last);
}
