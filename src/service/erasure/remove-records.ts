/** Records are removed piece by piece: each piece by itself leaves nothing that a later one needs. */
import type { CollectionName, StoredRecords } from '../../ports/stored-records.ts';
import { everyPage, pageSize, recordsBy } from '../shared/record-lists.ts';
import { remove, type Store, untilWritten } from '../storage/store.ts';

/** The work of an erasure: a number after each piece, of what it has removed. */
export type Pieces<Result = void> = AsyncGenerator<number, Result>;

/** How many are removed in one write. */
const PIECE = 50;

/** Removes the records of a list, by default all of them. */
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

/** Removes records in the version that they have now. */
async function removeAll<Name extends CollectionName>(
  store: Store,
  collection: Name,
  records: readonly StoredRecords[Name][],
): Promise<void> {
  const result = await store.write(...records.map(({ id, version }) => remove(collection, id, version)));
  if (result.written) return;
  for (const { id } of records) await removeRecord(store, collection, id);
}

/** Removes a record, if it is there. */
export async function removeRecord(store: Store, collection: CollectionName, id: string): Promise<void> {
  await untilWritten(async () => {
    const found = await store.get(collection, id);
    if (found === undefined) return true;
    return (await store.write(remove(collection, id, found.version))).written || undefined;
  });
}
