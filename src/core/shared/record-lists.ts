/** Reads lists of the storage in pieces. */
import { jsonSize } from '../../base/values/json-values.ts';
import type { ExpiringCollection, ExpiryPosition, Position } from '../../ports/journal.ts';
import type { StoredRecords } from '../../ports/stored-records.ts';
import type { Instant } from '../../records.ts';
import type { Store } from '../storage/store.ts';
import type { PageSource } from './pages.ts';

export type ListReader<Record, Place> = Pick<
  PageSource<Record, unknown, Place>,
  'read' | 'positionOf' | 'atOnce'
>;

/** The number of records in one read. A passport has at most 64 KiB, so a read takes a few milliseconds. */
const AT_ONCE = 16;

export function recordsBy<Name extends keyof StoredRecords>(
  store: Store,
  collection: Name,
  filter: Readonly<Record<string, string>>,
): ListReader<StoredRecords[Name], Position> {
  const positionOf = ({ created_at, id }: StoredRecords[Name]): Position => ({ created_at, id });
  return {
    positionOf,
    atOnce: AT_ONCE,
    async read(limit, positionAfter) {
      const records = await store.list(collection, {
        where: filter,
        limit,
        ...(positionAfter && { after: positionAfter }),
      });
      return { records, next: nextOf(records, limit, positionOf) };
    },
  };
}

/** Returns a reader of the records that have expired, the latest expiry first. */
export function recordsExpiredBy<Name extends ExpiringCollection>(
  store: Store,
  collection: Name,
  instant: Instant,
  filter: Readonly<Record<string, string>>,
): ListReader<StoredRecords[Name], ExpiryPosition> {
  const positionOf = ({ expires_at, id }: StoredRecords[Name]): ExpiryPosition => ({
    expires_at: expires_at ?? '',
    id,
  });
  return {
    positionOf,
    atOnce: AT_ONCE,
    async read(limit, positionAfter) {
      const records = await store.listExpired(collection, {
        where: filter,
        by: instant,
        limit,
        ...(positionAfter && { after: positionAfter }),
      });
      return { records, next: nextOf(records, limit, positionOf) };
    },
  };
}

/**
 * Returns a reader that waits for the check `demand` before each read. An error of the limit or the cursor is
 * reported before an error of the check.
 */
export function onlyAfter<Record, Place>(
  demand: () => Promise<unknown>,
  { read, ...list }: ListReader<Record, Place>,
): ListReader<Record, Place> {
  return {
    ...list,
    async read(limit, position) {
      await demand();
      return read(limit, position);
    },
  };
}

export async function* everyRecord<Record, Place>(
  reader: ListReader<Record, Place>,
  batch: number,
): AsyncGenerator<Record, undefined> {
  for await (const records of everyPage(reader, pageSize(batch))) yield* records;
}

export async function* everyPage<Record, Place>(
  { read }: ListReader<Record, Place>,
  size: PageSize,
  begin?: Place,
): AsyncGenerator<readonly Record[], undefined> {
  let position = begin;
  do {
    const { records, next } = await read(size.limit, position);
    size.note(records);
    yield records;
    position = next ?? undefined;
  } while (position !== undefined);
}

export interface PageSize {
  readonly limit: number;
  note(records: readonly unknown[]): void;
}

/** The target size of a page in bytes. A page is parsed in one piece and held in memory. */
const PAGE_BYTES = 256 * 1024;
/**
 * The number of records in the first page, before any size is known. An approval of a large passport change
 * may have some hundred kB.
 */
const FIRST_LIMIT = 4;

export function pageSize(mostLimit: number): PageSize {
  let limit = Math.min(FIRST_LIMIT, mostLimit);
  return {
    get limit() {
      return limit;
    },
    note(records) {
      // Only a full page lets the limit grow.
      const grownLimit = records.length < limit ? limit : limit * 2;
      const largest = records.reduce<number>((size, record) => Math.max(size, jsonSize(record)), 1);
      limit = Math.max(1, Math.min(Math.floor(PAGE_BYTES / largest), grownLimit, mostLimit));
    },
  };
}

function nextOf<Record, Place>(
  records: readonly Record[],
  limit: number,
  positionOf: (record: Record) => Place,
): Place | null {
  const last = records.length < limit ? undefined : records.at(-1);
  return last === undefined ? null : positionOf(last);
}
