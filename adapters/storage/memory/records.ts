import type {
  Change,
  CollectionName,
  FailedStep,
  WriteFailure,
  WriteResult,
} from '../../../src/ports/index.ts';
import { type Collection, createCollection } from './collection.ts';
import { addTo, type Counter, valueAt } from './counters.ts';

export interface Records {
  readonly counters: Map<string, Counter>;
  collection(name: CollectionName): Collection;
  /** Applies all steps, or none. `steps` must be frozen copies. */
  write(steps: readonly Change[]): WriteResult;
  clear(): void;
}

interface Progress {
  readonly undo: (() => void)[];
  readonly found: number[];
  readonly sums: number[];
}

export function createRecords(): Records {
  const collections = new Map<CollectionName, Collection>();
  const counters = new Map<string, Counter>();

  function collection(name: CollectionName): Collection {
    const known = collections.get(name);
    if (known !== undefined) return known;
    const created = createCollection();
    collections.set(name, created);
    return created;
  }

  function applyToCounter(
    change: Extract<Change, { counter: string }>,
    { undo, found, sums }: Progress,
  ): WriteFailure | 'unsafe' | undefined {
    const { counter } = change;
    const before = counters.get(counter);
    undo.push(() => restore(counters, counter, before));
    if (change.op === 'forget') {
      counters.delete(counter);
      return undefined;
    }
    const value = valueAt(before, change.at);
    found.push(value);
    sums.push(value + change.by);
    const after = addTo(before, change);
    if (typeof after === 'string') return after;
    if (change.by !== 0) counters.set(counter, after);
    return undefined;
  }

  function apply(change: Change, progress: Progress): WriteFailure | 'unsafe' | undefined {
    if ('counter' in change) return applyToCounter(change, progress);
    const { undo } = progress;
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

  return {
    counters,
    collection,
    write(steps) {
      const progress: Progress = { undo: [], found: [], sums: [] };
      const failed: FailedStep[] = [];
      try {
        for (const [step, change] of steps.entries()) {
          const failure = apply(change, progress);
          if (failure === undefined) continue;
          if (failure === 'unsafe' && failed.length === 0)
            throw new RangeError('A counter would leave the safe integers.');
          failed.push({ step, failure: failure === 'unsafe' ? 'limit' : failure });
        }
      } catch (error) {
        takeBack(progress.undo);
        throw error;
      }
      const [first] = failed;
      if (first === undefined) return { written: true, sums: progress.sums };
      takeBack(progress.undo);
      return { written: false, ...first, failed, found: progress.found };
    },
    clear() {
      collections.clear();
      counters.clear();
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

export function frozenCopy(change: Change): Change {
  if (!('record' in change)) return change;
  return { ...change, record: frozenJson(change.record) };
}

/** Returns a frozen copy of plain data without `undefined` members, in the form that other storages store. */
function frozenJson<Kept extends object>(value: Kept): Kept {
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  for (const name in copy) {
    const member = copy[name];
    if (typeof member === 'object' && member !== null) copy[name] = frozenJson(member);
    else if (member === undefined) delete copy[name];
  }
  return Object.freeze(copy) as Kept;
}
