/** Removes records piece by piece. No piece needs the records that an earlier piece has removed. */
import {
  COLLECTION_NAMES,
  type CollectionName,
  collections,
  type StoredRecords,
} from '../../ports/stored-records.ts';
import { everyPage, pageSize, recordsBy } from '../shared/record-lists.ts';
import { remove, type Store, untilWritten } from '../storage/store.ts';

export type Pieces<Result = void> = AsyncGenerator<number, Result>;

const PIECE = 50;

export async function* removeRecords<Name extends CollectionName>(
  store: Store,
  collection: Name,
  filter: Readonly<Record<string, string>>,
  isWanted: (record: StoredRecords[Name]) => boolean = () => true,
): Pieces {
  for await (const page of everyPage(recordsBy(store, collection, filter), pageSize(PIECE))) {
    const wantedPage = page.filter(isWanted);
    if (wantedPage.length > 0) await removeAll(store, collection, wantedPage);
    yield wantedPage.length;
  }
}

export async function* removeOwned(store: Store, account_id: string, agent_id?: string): Pieces {
  for (const name of COLLECTION_NAMES) {
    const { owner, lists } = collections[name];
    if (owner === undefined) continue;
    const filter = { [owner.account]: account_id };
    if (agent_id === undefined) yield* removeRecords(store, name, filter);
    if (agent_id === undefined || owner.agent === undefined) continue;
    const { agent } = owner;
    const isListed = lists.some((fields) => fields.join() === `${owner.account},${agent}`);
    const recordFilter = isListed ? { ...filter, [agent]: agent_id } : filter;
    const isOfAgent = (record: object): boolean => Reflect.get(record, agent) === agent_id;
    yield* removeRecords(store, name, recordFilter, isOfAgent);
  }
}

async function removeAll<Name extends CollectionName>(
  store: Store,
  collection: Name,
  records: readonly StoredRecords[Name][],
): Promise<void> {
  const result = await store.write(...records.map(({ id, version }) => remove(collection, id, version)));
  if (result.written) return;
  for (const { id } of records) await removeRecord(store, collection, id);
}

export async function removeRecord(store: Store, collection: CollectionName, id: string): Promise<void> {
  await untilWritten(async () => {
    const base = await store.get(collection, id);
    if (base === undefined) return true;
    return (await store.write(remove(collection, id, base.version))).written || undefined;
  });
}
