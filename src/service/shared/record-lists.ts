/** The lists of the storage, as pages read them. */
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
  for await (const records of everyPage(reader, batch)) yield* records;
}

/** The same a page at a time. */
export async function* everyPage<Record, Place>(
  { read }: ListReader<Record, Place>,
  batch: number,
): AsyncGenerator<readonly Record[], undefined> {
  let after: Place | undefined;
  do {
    const { records, next } = await read(batch, after);
    yield records;
    after = next ?? undefined;
  } while (after !== undefined);
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
