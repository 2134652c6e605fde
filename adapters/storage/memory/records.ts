import {
  type Change,
  type CollectionName,
  type FailedStep,
  type StoredRecord,
  turn,
  type WriteFailure,
  type WriteResult,
} from '../../../src/ports/index.ts';
import { type Collection, createCollection } from './collection.ts';

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
    const knownCollection = collections.get(name);
    if (knownCollection !== undefined) return knownCollection;
    const createdCollection = createCollection();
    collections.set(name, createdCollection);
    return createdCollection;
  }

  function applyToCounter(
    change: Extract<Change, { counter: string }>,
    { undo, found, sums }: Progress,
  ): WriteFailure | 'unsafe' | undefined {
    const { counter } = change;
    const counterBefore = counters.get(counter);
    undo.push(() => restore(counters, counter, counterBefore));
    if (change.op === 'forget') {
      counters.delete(counter);
      return undefined;
    }
    const value = valueAt(counterBefore, change.at);
    found.push(value);
    sums.push(value + change.by);
    const result = addTo(counterBefore, change);
    if (typeof result === 'string') return result;
    if (change.by !== 0) counters.set(counter, result);
    return undefined;
  }

  function removeRecord(
    { collection: name, id, version }: Extract<Change, { op: 'remove' }>,
    { undo }: Progress,
  ): WriteFailure | undefined {
    const records = collection(name);
    const removedRecord = records.get(id);
    if (removedRecord?.version !== version) return 'stale';
    records.remove(id);
    undo.push(() => records.put(removedRecord));
    return undefined;
  }

  function apply(change: Change, progress: Progress): WriteFailure | 'unsafe' | undefined {
    if ('counter' in change) return applyToCounter(change, progress);
    if (change.op === 'remove') return removeRecord(change, progress);
    const records = collection(change.collection);
    const recordBefore = records.get(change.record.id);
    if (change.op !== 'replace' && recordBefore !== undefined) return failureToAdd(change, recordBefore);
    if (change.op === 'replace' && recordBefore?.version !== change.version) return 'stale';
    records.put(change.record);
    progress.undo.push(() =>
      recordBefore === undefined ? records.remove(change.record.id) : records.put(recordBefore),
    );
    return undefined;
  }

  return {
    counters,
    collection,
    write(steps) {
      const progress: Progress = { undo: [], found: [], sums: [] };
      const failedSteps: FailedStep[] = [];
      try {
        for (const [step, change] of steps.entries()) {
          const failure = apply(change, progress);
          if (failure !== undefined) failedSteps.push(toFailedStep(step, failure, failedSteps.length));
        }
      } catch (error) {
        takeBack(progress.undo);
        throw error;
      }
      const [first] = failedSteps;
      if (first === undefined) return { written: true, sums: progress.sums };
      takeBack(progress.undo);
      return { written: false, ...first, failed: failedSteps, found: progress.found };
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

function failureToAdd(
  { op, record }: Extract<Change, { op: 'insert' | 'claim' }>,
  recordBefore: StoredRecord,
): WriteFailure | undefined {
  if (op === 'insert') return 'exists';
  return recordBefore.account_id === record.account_id ? undefined : 'claimed';
}

function toFailedStep(step: number, failure: WriteFailure | 'unsafe', index: number): FailedStep {
  if (failure !== 'unsafe') return { step, failure };
  if (index === 0) throw new RangeError('A counter would leave the safe integers.');
  return { step, failure: 'limit' };
}

function restore(counters: Map<string, Counter>, name: string, counterBefore: Counter | undefined): void {
  if (counterBefore === undefined) counters.delete(name);
  else counters.set(name, counterBefore);
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

export interface Counter {
  readonly value: number;
  readonly expires_at?: string;
}

/**
 * Returns the counter after the change. Returns `'limit'` if the sum would exceed `max`, and `'unsafe'` if it would
 * leave the safe integers.
 */
function addTo(
  counter: Counter | undefined,
  change: Extract<Change, { op: 'add' }>,
): Counter | 'limit' | 'unsafe' {
  const live = isLive(counter, change.at) ? counter : undefined;
  const value = (live?.value ?? 0) + change.by;
  if (change.max !== undefined && value > change.max) return 'limit';
  if (!Number.isSafeInteger(value)) return 'unsafe';
  const expiresAt = live === undefined ? change.expires_at : endOf(live, change);
  return expiresAt === undefined ? { value } : { value, expires_at: expiresAt };
}

function endOf(
  { expires_at }: Counter,
  { renew, expires_at: next }: Extract<Change, { op: 'add' }>,
): string | undefined {
  if (!renew || expires_at === undefined) return expires_at;
  return next === undefined || next > expires_at ? next : expires_at;
}

export function valueAt(counter: Counter | undefined, instant: string): number {
  return isLive(counter, instant) ? counter.value : 0;
}

/** The number of counters after which the loop yields to the event loop. */
const MAX_LOOKED_AT = 5_000;

export async function purgeCounters(
  counters: Map<string, Counter>,
  cutoff: string,
  limit: number,
): Promise<number> {
  let removedCount = 0;
  let lookedCount = 0;
  for (const [name, { expires_at }] of counters) {
    if (expires_at !== undefined && expires_at < cutoff && counters.delete(name)) removedCount += 1;
    if (removedCount === limit) break;
    lookedCount += 1;
    if (lookedCount % MAX_LOOKED_AT === 0) await turn();
  }
  return removedCount;
}

function isLive(counter: Counter | undefined, instant: string): counter is Counter {
  return counter !== undefined && (counter.expires_at === undefined || counter.expires_at > instant);
}
