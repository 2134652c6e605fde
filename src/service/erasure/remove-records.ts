/** Removes records in pieces. No piece needs the records that an earlier one has removed. */
import type { CollectionName, StoredRecords } from '../../ports/stored-records.ts';
import { everyPage, pageSize, recordsBy } from '../shared/record-lists.ts';
import { remove, type Store, untilWritten } from '../storage/store.ts';

/** The work of an erasure, which yields the number of removed records after each piece. */
export type Pieces<Result = void> = AsyncGenerator<number, Result>;

/** The maximum number of records that one write removes. */
const PIECE = 50;

/** Removes the records of a list that match `isWanted`, by default all. */
export async function* removeRecords<Name extends CollectionName>(
  store: Store,
  collection: Name,
  where: Readonly<Record<string, string>>,
  isWanted: (record: StoredRecords[Name]) => boolean = () => true,
): Pieces {
  for await (const page of everyPage(recordsBy(store, collection, where), pageSize(PIECE))) {
    const wanted = page.filter(isWanted);
    if (wanted.length > 0) await removeAll(store, collection, wanted);
    yield wanted.length;
  }
}

/** Removes records; those that were changed meanwhile are removed one by one. */
async function removeAll<Name extends CollectionName>(
  store: Store,
  collection: Name,
  records: readonly StoredRecords[Name][],
): Promise<void> {
  const result = await store.write(...records.map(({ id, version }) => remove(collection, id, version)));
  if (result.written) return;
  for (const { id } of records) await removeRecord(store, collection, id);
}

/** Removes a record if it exists. */
export async function removeRecord(store: Store, collection: CollectionName, id: string): Promise<void> {
  await untilWritten(async () => {
    const found = await store.get(collection, id);
    if (found === undefined) return true;
    return (await store.write(remove(collection, id, found.version))).written || undefined;
  });
}
