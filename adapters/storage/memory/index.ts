import {
  assertListed,
  type CollectionName,
  isExpiring,
  knownOptions,
  MAX_PURGE_SIZE,
  type Purgeable,
  type StorageAdapter,
  type WriteResult,
} from '../../../src/ports/index.ts';
import { createBlockStore } from './block-store.ts';
import { createJournal, createRetention } from './journal.ts';
import { createListeners } from './listeners.ts';
import { createRecords, frozenCopy, purgeCounters, type Records, valueAt } from './records.ts';
import { createRollups } from './rollups.ts';

export type { StorageAdapter } from '../../../src/ports/index.ts';

/**
 * Creates a storage in the memory of this process, for tests and demonstrations. Its data is lost when the process
 * ends, and no other process can share it. It copies the records that it receives, and returns frozen records. It keeps
 * the newest 1,000,000 verdicts of each account, and removes older blocks once they are merged.
 *
 * @throws {IdentityError} `invalid_configuration` for any option, because there are none.
 */
export function memoryStorage(options: Readonly<Record<string, never>> = {}): StorageAdapter {
  knownOptions('memoryStorage', options, {});
  const records = createRecords();
  const rollups = createRollups();
  const blocks = createBlockStore();
  const listeners = createListeners();
  const retention = createRetention();
  let isClosed = false;

  function assertOpen(): void {
    if (isClosed) throw new Error('The storage is closed.');
  }

  async function purgeUntil(purgeable: Purgeable, cutoff: string): Promise<number> {
    if (purgeable === 'verdicts') return blocks.purge(cutoff);
    if (purgeable === 'writers') return blocks.writers.forget(cutoff, MAX_PURGE_SIZE);
    if (purgeable === 'rollups') return rollups.purge(cutoff, MAX_PURGE_SIZE);
    return purgeRecords(records, purgeable, cutoff);
  }

  return {
    name: 'memory',
    journal: createJournal({ store: blocks, rollups, retention, assertOpen }),
    ...readsOf(records, assertOpen),
    async write(changes): Promise<WriteResult> {
      assertOpen();
      const steps = changes.map(frozenCopy);
      const result = records.write(steps);
      if (result.written) listeners.notify(steps);
      return result;
    },
    async purge(purgeable, cutoff, present = cutoff) {
      assertOpen();
      const end = retention.of(cutoff, present);
      return retention.note(purgeable, end, await purgeUntil(purgeable, end));
    },
    async time(present, isTrusted) {
      assertOpen();
      return retention.time(present, isTrusted);
    },
    subscribe(listener) {
      assertOpen();
      return listeners.add(listener);
    },
    async check() {
      assertOpen();
      return { durability: 'volatile', detail: 'All data is lost when this process ends.' };
    },
    async close() {
      isClosed = true;
      records.clear();
      blocks.clear();
      rollups.clear();
      listeners.clear();
    },
  };
}

async function purgeRecords(
  { collection, counters }: Records,
  kind: CollectionName | 'counters',
  cutoff: string,
): Promise<number> {
  if (kind === 'counters') return purgeCounters(counters, cutoff, MAX_PURGE_SIZE);
  if (!isExpiring(kind)) throw new TypeError(`${kind} cannot be purged.`);
  const ids = await collection(kind).expired(cutoff, MAX_PURGE_SIZE);
  for (const id of ids) collection(kind).remove(id);
  return ids.length;
}

function readsOf(
  { collection, counters }: Records,
  assertOpen: () => void,
): Pick<StorageAdapter, 'get' | 'list' | 'count'> {
  return {
    async get(name, id) {
      assertOpen();
      return collection(name).get(id);
    },
    async list(name, query) {
      assertOpen();
      assertListed(name, query);
      return collection(name).list(query);
    },
    async count(counter, instant) {
      assertOpen();
      return valueAt(counters.get(counter), instant);
    },
  };
}
