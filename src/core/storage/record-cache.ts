/** Caches the records of one collection in this process, each for less than a second. */

import { LRUCache } from 'lru-cache';
import { within } from '../../base/async/deadlines.ts';
import { turn } from '../../base/async/turns.ts';
import { createBoundedMap } from '../../base/bounded-map.ts';
import type { CacheFigures } from '../../ports/metrics.ts';
import { tooLate, unavailable } from './storage-guard.ts';

/**
 * The milliseconds for which a cached record is valid, from the start of its read. Every node must see changes within a
 * second.
 */
export const FRESH_MS = 800;

const REFRESH_MS = 400;

/**
 * The milliseconds for which a record must still exist after it was read. If the storage reports it as
 * missing earlier, the cache assumes that the storage answers with old data.
 */
const GONE_MS = 10_000;

/** The maximum number of reads of a record if the storage returns an older version than before. */
const MAX_READS = 3;

const OLDER = 'The storage answers with an older version, or with none.';

const NEVER = Number.NEGATIVE_INFINITY;

interface Versioned {
  readonly version: number;
}

/** The result of a lookup for one record. */
export interface Known<Value> {
  /** The value; `undefined` if there is no such record. */
  readonly value: Value | undefined;
}

interface Entry<Value> extends Known<Value> {
  readonly version: number;
  floor: number;
  /** The monotonic time at which the read of this record began. `NEVER` if the record is outdated. */
  readAt: number;
}

/** A record, and an instant at which the storage had it. */
export interface Confirmed<Value> extends Known<Value> {
  /** An instant at which the storage had this version, by the monotonic clock. */
  readonly asOf: number;
}

interface Flight<Value> {
  readonly startedAt: number;
  readonly answer: Promise<Known<Value>>;
}

/** The source, the values and the limits of a cache. */
export interface RecordCacheOptions<Record extends Versioned, Value> {
  readonly read: (id: string) => Promise<Record | undefined>;
  /** Creates the cached value of a record. `valueBefore` is the previous value with the same id. */
  readonly keep: (record: Record, valueBefore: Value | undefined) => Value;
  /** Returns the id in a cached value. The cache keeps it in place of the text of the caller, so that it is there once. */
  readonly idOf?: (value: Value | undefined) => string | undefined;
  /** Estimates the bytes of the cached value of a record. */
  readonly bytesOf: (record: Record) => number;
  readonly maxEntries: number;
  readonly maxBytes: number;
  /** A clock in milliseconds that never goes back and includes sleep of the computer. */
  readonly monotonic: () => number;
  /**
   * `true` if records can be deleted. The cache then accepts that a record is missing if it was last read ten seconds
   * ago or more.
   */
  readonly mayGo?: boolean;
  /** `true` if every lookup reads from the storage. */
  readonly isStrict: boolean;
  /** The time limit of a lookup in milliseconds. */
  readonly deadlineMs: number;
}

/** Looks up records. */
export interface RecordCache<Value> {
  /**
   * Returns the cached record for a lookup that began at `atMs`, or `undefined` if the cache has no valid one. Also
   * reads an ageing record again in the background, unless `refreshes` is `false`.
   */
  peek(id: string, atMs: number, refreshes?: boolean): Known<Value> | undefined;
  /** Reads the record from the storage for a lookup that began at `atMs`. Concurrent lookups share one read. */
  load(id: string, atMs: number): Promise<Known<Value>>;
  /**
   * Returns the record as the storage had it at `sinceMs` or later. Uses the cached record if it was read since then,
   * and reads otherwise.
   */
  confirmed(id: string, sinceMs: number): Promise<Confirmed<Value>>;
  /** Returns the cached record, of any age. Returns `undefined` if the record has changed since it was read. */
  held(id: string): Confirmed<Value> | undefined;
  /**
   * Marks the cached record as outdated because it changed. `version` is the new version, if known. The results of
   * running reads are not used either.
   */
  note(id: string, version?: number): void;
  /** Discards all cached records, because any record may have changed. */
  forgetAll(): void;
  /** The numbers of lookups that the cache and the storage have answered. */
  readonly counts: CacheFigures;
}

/** A cache that also accepts confirmations of records from other sources than its own reads. */
export interface ConfirmedCache<Record extends Versioned, Value> extends RecordCache<Value> {
  /**
   * Confirms that the storage had a record at `atMs`: the record in `result`, or the cached record if `result` is
   * absent. Returns the cached record, or `undefined` if there is none.
   */
  confirmAt(
    id: string,
    atMs: number,
    result?: { readonly record: Record | undefined },
  ): Known<Value> | undefined;
  /** Removes the record from the cache. */
  drop(id: string): void;
}

const MISS_BYTES = 300;

/**
 * The minimum number of evicted records for which the cache remembers the version, about 100 bytes each. The cache
 * refuses an older version of such a record. Few records ever change.
 */
const LEAST_FLOORS = 100_000;

export function createRecordCache<Record extends Versioned, Value>(
  options: RecordCacheOptions<Record, Value>,
): ConfirmedCache<Record, Value> {
  const { read, monotonic, isStrict, deadlineMs, mayGo = false } = options;
  const { entries, floorOf, outdate, settle, confirmAt, drop } = createKept(options);
  const flights = new Map<string, Flight<Value>>();
  const counts = { hits: 0, misses: 0 };
  let forgottenAt = NEVER;
  const refresh = createRefreshes((id) => {
    const readAt = entries.peek(id)?.readAt ?? NEVER;
    if (flights.has(id) || monotonic() - readAt < REFRESH_MS) return;
    // If it fails, a later look-up reads again and reports the failure.
    begin(id, monotonic()).answer.catch(() => undefined);
  });

  function begin(id: string, now: number): Flight<Value> {
    const isCurrent = (): boolean => isStrict || flights.get(id) === flight;
    const flight: Flight<Value> = { startedAt: now, answer: fetch() };
    // With `strict`, reads are not shared: a read that began before a change must not answer a look-up after it.
    if (!isStrict) flights.set(id, flight);
    return flight;

    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: it runs for each read of a passport.
    async function fetch(): Promise<Known<Value>> {
      try {
        for (let reads = 1, startedAt = now; ; reads += 1, startedAt = monotonic()) {
          const record = await read(id);
          const entry = entries.peek(id);
          const isGone = record === undefined && mayGo && !(startedAt - (entry?.readAt ?? NEVER) < GONE_MS);
          if (isGone || (record?.version ?? 0) >= floorOf(id, entry))
            return settle(id, record, entry, isCurrent() ? startedAt : NEVER);
          if (reads === MAX_READS) throw unavailable(new Error(OLDER));
        }
      } finally {
        if (isCurrent()) flights.delete(id);
      }
    }
  }

  return {
    counts,
    confirmAt,
    drop,
    peek(id, atMs, refreshes = true) {
      // Does not update the LRU order, which would touch five more places in memory for each verdict. An entry in use
      // is read again every 400 ms, and that updates the order.
      const entry = entries.peek(id);
      if (entry === undefined || isStrict) return undefined;
      const { readAt } = entry;
      if (!(atMs - readAt < FRESH_MS) || readAt <= forgottenAt) return undefined;
      if (atMs - readAt >= REFRESH_MS && refreshes && !flights.has(id)) refresh(id);
      counts.hits += 1;
      return entry;
    },
    load(id, atMs) {
      counts.misses += 1;
      const now = monotonic();
      const flight = flights.get(id);
      const isJoined = flight !== undefined && atMs - flight.startedAt < FRESH_MS;
      const { answer } = isJoined ? flight : begin(id, now);
      const spentMs = now - atMs;
      // The read has its own deadline; a look-up that has waited before may reach its deadline sooner.
      return spentMs < 1 ? answer : within(() => answer, { ms: deadlineMs - spentMs, toError: tooLate });
    },
    async confirmed(id, sinceMs) {
      const entry = entries.peek(id);
      const isFresh =
        entry !== undefined && !isStrict && entry.readAt >= sinceMs && entry.readAt > forgottenAt;
      counts[isFresh ? 'hits' : 'misses'] += 1;
      if (isFresh) return { value: entry.value, asOf: entry.readAt };
      const flight = flights.get(id);
      const read = flight !== undefined && flight.startedAt >= sinceMs ? flight : begin(id, monotonic());
      return { value: (await read.answer).value, asOf: read.startedAt };
    },
    held: (id) => heldOf(entries.peek(id), forgottenAt),
    note(id, version = 0) {
      if (outdate(id, version)) flights.delete(id);
    },
    forgetAll() {
      forgottenAt = monotonic();
      flights.clear();
    },
  };
}

function createKept<Record extends Versioned, Value>({
  keep,
  idOf,
  bytesOf,
  maxBytes,
  maxEntries,
}: RecordCacheOptions<Record, Value>) {
  // Bounded by size alone: with a maximum number of entries, the library would allocate them all at the start.
  const entries = new LRUCache<string, Entry<Value>>({
    maxSize: maxBytes,
    dispose: (entry, id) => raiseFloor(id, entry.floor),
  });
  /** The newest known versions of records that are not in the cache. */
  const floors = createBoundedMap<string, number>(LEAST_FLOORS);
  const leastBytes = Math.ceil(maxBytes / maxEntries);

  function settle(
    id: string,
    record: Record | undefined,
    knownEntry: Entry<Value> | undefined,
    readAt: number,
  ): Known<Value> {
    const version = record?.version ?? 0;
    const value = record === undefined ? undefined : keep(record, knownEntry?.value);
    if (knownEntry !== undefined && knownEntry.value === value && knownEntry.version === version) {
      knownEntry.readAt = Math.max(knownEntry.readAt, readAt);
      // Marks the entry as the most recently used.
      entries.get(id);
      return knownEntry;
    }
    const entry = { value, version, floor: version, readAt };
    // An answer that a change has overtaken goes to its callers, but is not cached.
    const bytes = record === undefined ? MISS_BYTES : bytesOf(record);
    if (readAt !== NEVER)
      entries.set(idOf?.(value) ?? id, entry, { size: Math.max(Math.ceil(bytes), leastBytes) });
    return entry;
  }

  function confirmAt(
    id: string,
    atMs: number,
    result?: { readonly record: Record | undefined },
  ): Known<Value> | undefined {
    const entry = entries.peek(id);
    if (result !== undefined) return settle(id, result.record, entry, atMs);
    if (entry !== undefined) entry.readAt = Math.max(entry.readAt, atMs);
    // Marks the entry as the most recently used.
    return entries.get(id);
  }

  /** Remembers a version. Skips version 1, because the storage could return no older version. */
  function raiseFloor(id: string, version: number): void {
    if (version > 1) floors.set(id, Math.max(version, floors.get(id) ?? 0));
  }

  function floorOf(id: string, entry: Entry<Value> | undefined): number {
    return entry?.floor ?? floors.get(id) ?? 0;
  }

  /**
   * Marks a cached record as outdated by a change to `version` (0: unknown). Returns `false` if the cached record
   * already has the change.
   */
  function outdate(id: string, version: number): boolean {
    const entry = entries.peek(id);
    if (entry === undefined) raiseFloor(id, version);
    else {
      if (version !== 0 && entry.version >= version) return false;
      entry.readAt = NEVER;
      entry.floor = Math.max(entry.floor, version);
    }
    return true;
  }

  const drop = (id: string): void => void entries.delete(id);

  return { entries, floorOf, outdate, settle, confirmAt, drop };
}

function heldOf<Value>(entry: Entry<Value> | undefined, forgottenAt: number): Confirmed<Value> | undefined {
  if (entry === undefined || entry.readAt <= forgottenAt) return undefined;
  return { value: entry.value, asOf: entry.readAt };
}

// Refreshes records in the background, with a limited number of reads in each turn of the event loop.

export const MAX_REFRESHES = 64;

/**
 * Creates a function that starts the read of an id at once, or in a later turn if this turn has started too many.
 * Records that were read together expire together. A storage in this process would read all of them before anything
 * else could run.
 */
export function createRefreshes(begin: (id: string) => void): (id: string) => void {
  const due = new Set<string>();
  let leftCount = MAX_REFRESHES;

  async function goOn(): Promise<void> {
    await turn();
    leftCount = MAX_REFRESHES;
    if (due.size === 0) return;
    void goOn();
    for (const id of due) {
      if (leftCount === 0) return;
      leftCount -= 1;
      due.delete(id);
      begin(id);
    }
  }

  return (id) => {
    if (leftCount === 0) {
      due.add(id);
      return;
    }
    if (leftCount === MAX_REFRESHES) void goOn();
    leftCount -= 1;
    begin(id);
  };
}
