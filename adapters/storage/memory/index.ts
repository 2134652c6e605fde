import {
  assertPageSize,
  type Change,
  type CollectionName,
  MAX_PURGE_SIZE,
  type Purgeable,
  type StorageAdapter,
  type StoredValue,
  type WriteFailure,
  type WriteResult,
} from '../../../src/ports/index.ts';
import { createBlockStore } from './block-store.ts';
import { type Collection, createCollection } from './collection.ts';
import { countPassports } from './count-passports.ts';
import { addTo, type Counter, purgeCounters, valueAt } from './counters.ts';
import { createHorizon } from './horizon.ts';
import { createJournal } from './journal.ts';
import { createListeners } from './listeners.ts';
import { createRollups } from './rollups.ts';

export type { StorageAdapter } from '../../../src/ports/index.ts';

/**
 * A storage in the memory of this process, for tests and demonstrations: gone when the process ends, and not
 * shared with another. Records are copied in, and come out frozen. Of each account it keeps the newest 1,000,000
 * verdicts: what comes before them is let go, a block at a time, once it is merged.
 */
export function memoryStorage(): StorageAdapter {
  const collections = new Map<CollectionName, Collection>();
  const counters = new Map<string, Counter>();
  const rollups = createRollups();
  const blocks = createBlockStore();
  const listeners = createListeners();
  const horizon = createHorizon();
  const texts = new Map<string, string>();
  let closed = false;

  function collection(name: CollectionName): Collection {
    const known = collections.get(name);
    if (known !== undefined) return known;
    const created = createCollection();
    collections.set(name, created);
    return created;
  }

  function assertOpen(): void {
    if (closed) throw new Error('The storage is closed.');
  }

  /** Does one step and tells `undo` how to take it back. */
  function apply(change: Change, undo: (() => void)[]): WriteFailure | undefined {
    if (change.op === 'add') {
      const before = counters.get(change.counter);
      const after = addTo(before, change);
      if (after === undefined) return 'limit';
      counters.set(change.counter, after);
      undo.push(() => restore(counters, change.counter, before));
      return undefined;
    }
    const records = collection(change.collection);
    if (change.op === 'remove') {
      const removed = records.get(change.id);
      if (removed?.version !== change.version) return 'stale';
      records.remove(change.id);
      undo.push(() => records.put(removed));
      return undefined;
    }
    const before = records.get(change.record.id);
    if (change.op === 'insert' && before !== undefined) return 'exists';
    if (change.op === 'claim' && before !== undefined) {
      return before.account_id === change.record.account_id ? undefined : 'claimed';
    }
    if (change.op === 'replace' && before?.version !== change.version) return 'stale';
    records.put(change.record);
    undo.push(() => (before === undefined ? records.remove(change.record.id) : records.put(before)));
    return undefined;
  }

  async function purgeUntil(what: Purgeable, before: string): Promise<number> {
    if (what === 'counters') return purgeCounters(counters, before, MAX_PURGE_SIZE);
    if (what === 'verdicts') return blocks.purge(before);
    if (what === 'rollups') return rollups.purge(before, MAX_PURGE_SIZE);
    const ids = await collection(what).expired(before, MAX_PURGE_SIZE);
    for (const id of ids) collection(what).remove(id);
    return ids.length;
  }

  return {
    name: 'memory',
    journal: createJournal({ store: blocks, rollups, assertOpen }),
    async get(name, id) {
      assertOpen();
      return collection(name).get(id);
    },
    async list(name, query) {
      assertOpen();
      assertPageSize(query.limit);
      return collection(name).list(query);
    },
    async listExpired(name, query) {
      assertOpen();
      assertPageSize(query.limit);
      return collection(name).listExpired(query);
    },
    async write(changes): Promise<WriteResult> {
      assertOpen();
      const steps = changes.map(frozenCopy);
      const undo: (() => void)[] = [];
      try {
        for (const [step, change] of steps.entries()) {
          const failure = apply(change, undo);
          if (failure === undefined) continue;
          takeBack(undo);
          return { written: false, step, failure };
        }
      } catch (error) {
        takeBack(undo);
        throw error;
      }
      listeners.tell(steps);
      return { written: true };
    },
    async count(counter, at) {
      assertOpen();
      return valueAt(counters.get(counter), at);
    },
    async countPassports(account_id, at, from) {
      assertOpen();
      return countPassports(collection('passports'), account_id, at, from);
    },
    async purge(what, before, present = before) {
      assertOpen();
      const end = horizon.of(before, present);
      return horizon.note(what, end, await purgeUntil(what, end));
    },
    async time(present, isTrusted) {
      assertOpen();
      return horizon.time(present, isTrusted);
    },
    async completeSince(account_id) {
      assertOpen();
      const known = [blocks.completeSince(account_id), horizon.removedUntil()];
      return known
        .filter((since) => since !== undefined)
        .sort()
        .at(-1);
    },
    async remember(name, change) {
      assertOpen();
      if (change !== undefined && texts.get(name) === change.from) texts.set(name, change.to);
      return texts.get(name);
    },
    subscribe(listener) {
      assertOpen();
      return listeners.add(listener);
    },
    async check() {
      assertOpen();
      return { durability: 'volatile', detail: 'Everything is gone when this process ends.' };
    },
    async close() {
      closed = true;
      collections.clear();
      counters.clear();
      blocks.clear();
      rollups.clear();
      listeners.clear();
      texts.clear();
    },
  };
}

function takeBack(undo: (() => void)[]): void {
  for (const step of undo.reverse()) step();
}

function restore(counters: Map<string, Counter>, name: string, before: Counter | undefined): void {
  if (before === undefined) counters.delete(name);
  else counters.set(name, before);
}

/** The change with a record of its own. */
function frozenCopy(change: Change): Change {
  if (change.op === 'add' || change.op === 'remove') return { ...change };
  return { ...change, record: frozenJson(change.record) };
}

/** A copy of its own: the JSON text is what every other store keeps as well. */
function frozenJson<Kept extends StoredValue>(value: Kept): Kept {
  const copy: Kept = JSON.parse(JSON.stringify(value));
  freeze(copy);
  return copy;
}

function freeze(value: StoredValue): void {
  if (typeof value !== 'object' || value === null) return;
  for (const element of Object.values(value)) freeze(element);
  Object.freeze(value);
}
