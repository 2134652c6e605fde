/** Records of one collection in the memory of this process, each for less than a second. */
import { LRUCache } from 'lru-cache';
import { within } from '../../base/async/deadlines.ts';
import { createBoundedMap } from '../../base/bounded-map.ts';
import type { CacheFigures } from '../../ports/metrics.ts';
import { tooLate, unavailable } from './storage-guard.ts';

/** How long after its read began a record may answer from memory: every change counts on every node within a second. */
export const FRESH_MS = 800;

/** A record that is asked for after this time is read again, while what is in memory still serves. */
const REFRESH_MS = 400;

/** A record that was seen within this time cannot be missing, as far as the storage is right. */
const GONE_MS = 10_000;

/** How often a record is read whose answer is older than one known before. */
const MAX_READS = 3;

const OLDER = 'The storage answers with an older version than before, or with none.';

const NEVER = Number.NEGATIVE_INFINITY;

/** What a record says of its version. */
interface Versioned {
  readonly version: number;
}

/** What is known of one record. */
export interface Known<Value> {
  /** `undefined` when there is no such record. */
  readonly value: Value | undefined;
}

interface Entry<Value> extends Known<Value> {
  /** Of the value; 0 when there is none. */
  readonly version: number;
  /** The newest version that is known. */
  floor: number;
  /** When its read began; `NEVER` once it is known to be outdated. */
  readAt: number;
}

interface Flight<Value> {
  readonly startedAt: number;
  readonly answer: Promise<Known<Value>>;
}

/** Where a cache reads, and what it keeps. */
export interface RecordCacheOptions<Record extends Versioned, Value> {
  readonly read: (id: string) => Promise<Record | undefined>;
  /** What is kept of a record; `before` is what was kept of the same id. */
  readonly keep: (record: Record, before: Value | undefined) => Value;
  /** About how many bytes it takes. */
  readonly bytesOf: (record: Record) => number;
  readonly maxEntries: number;
  readonly maxBytes: number;
  /** Milliseconds that never go back and go on in a sleep. */
  readonly monotonic: () => number;
  /** A record may be removed for good: that it is missing is an answer where it was not seen for ten seconds. */
  readonly mayGo?: boolean;
  /** `strict`: every question reads. */
  readonly isStrict: boolean;
  /** A question is answered within this number of milliseconds, or not at all. */
  readonly deadlineMs: number;
}

/** Looks records up. */
export interface RecordCache<Value> {
  /**
   * What memory answers to a question that began at `at`, if it may. A record that is about to be too old is read
   * again behind it, unless `refreshes` is `false`.
   */
  peek(id: string, at: number, refreshes?: boolean): Known<Value> | undefined;
  /** What the storage answers to a question that began at `at`. Many who ask together share one read. */
  load(id: string, at: number): Promise<Known<Value>>;
  /** A record has changed, to `version` where that is known. The entry and reads under way are not used any more. */
  note(id: string, version?: number): void;
  /** Anything may have changed. */
  forgetAll(): void;
  /** How often memory has answered, and how often the storage was asked. */
  readonly counts: CacheFigures;
}

/** About what a record that does not exist takes. */
const MISS_BYTES = 300;

/** The least number of records out of memory whose version is known: about 100 bytes each, and few ever change. */
const LEAST_FLOORS = 100_000;

/** A cache of one collection. */
export function createRecordCache<Record extends Versioned, Value>(
  options: RecordCacheOptions<Record, Value>,
): RecordCache<Value> {
  const { read, monotonic, isStrict, deadlineMs, mayGo = false } = options;
  const { entries, floorOf, raiseFloor, settle } = createKept(options);
  const flights = new Map<string, Flight<Value>>();
  const counts = { hits: 0, misses: 0 };
  let forgottenAt = NEVER;

  function begin(id: string, now: number): Promise<Known<Value>> {
    const flight = { startedAt: now, answer: fetch() };
    // With `strict` reads are not shared: a read that began before a change must not answer a question after it.
    if (!isStrict) flights.set(id, flight);
    return flight.answer;

    async function fetch(): Promise<Known<Value>> {
      try {
        for (let reads = 1, startedAt = now; ; reads += 1, startedAt = monotonic()) {
          const record = await read(id);
          const known = entries.peek(id);
          const isGone = record === undefined && mayGo && !(startedAt - (known?.readAt ?? NEVER) < GONE_MS);
          if (isGone || (record?.version ?? 0) >= floorOf(id, known))
            return settle(id, record, known, isCurrent() ? startedAt : NEVER);
          if (reads === MAX_READS) throw unavailable(new Error(OLDER));
        }
      } finally {
        if (isCurrent()) flights.delete(id);
      }
    }

    function isCurrent(): boolean {
      return isStrict || flights.get(id) === flight;
    }
  }

  return {
    counts,
    peek(id, at, refreshes = true) {
      // An entry in use is read again every 400 ms, which makes it the latest used. To note each use as well would read
      // five more places in memory for every verdict.
      const entry = entries.peek(id);
      if (entry === undefined || isStrict) return undefined;
      const { readAt } = entry;
      if (!(at - readAt < FRESH_MS) || readAt <= forgottenAt) return undefined;
      if (at - readAt >= REFRESH_MS && refreshes && !flights.has(id)) {
        // A failure shows when what is in memory serves no more.
        begin(id, at).catch(() => undefined);
      }
      counts.hits += 1;
      return entry;
    },
    load(id, at) {
      counts.misses += 1;
      const now = monotonic();
      const flight = flights.get(id);
      const isJoined = flight !== undefined && at - flight.startedAt < FRESH_MS;
      const answer = isJoined ? flight.answer : begin(id, now);
      const spentMs = now - at;
      // The read has a deadline of its own; only a question that has waited before may run out sooner.
      return spentMs < 1 ? answer : within(() => answer, { ms: deadlineMs - spentMs, toError: tooLate });
    },
    note(id, version = 0) {
      const known = entries.peek(id);
      if (known !== undefined && version !== 0 && known.version >= version) return;
      flights.delete(id);
      if (known === undefined) {
        raiseFloor(id, version);
        return;
      }
      known.readAt = NEVER;
      known.floor = Math.max(known.floor, version);
    },
    forgetAll() {
      forgottenAt = monotonic();
      flights.clear();
    },
  };
}

/** What is kept of the records, and the newest version of each that is known. */
function createKept<Record extends Versioned, Value>({
  keep,
  bytesOf,
  maxBytes,
  maxEntries,
}: RecordCacheOptions<Record, Value>) {
  // Bounded by size alone, as a bound of entries has the library reserve them all at the start.
  const entries = new LRUCache<string, Entry<Value>>({
    maxSize: maxBytes,
    dispose: (entry, id) => raiseFloor(id, entry.floor),
  });
  /** The newest version that is known, for records that have no entry now. */
  const floors = createBoundedMap<string, number>(LEAST_FLOORS);
  const leastBytes = Math.ceil(maxBytes / maxEntries);

  function settle(
    id: string,
    record: Record | undefined,
    known: Entry<Value> | undefined,
    readAt: number,
  ): Known<Value> {
    const version = record?.version ?? 0;
    const value = record === undefined ? undefined : keep(record, known?.value);
    if (known !== undefined && known.value === value && known.version === version) {
      known.readAt = Math.max(known.readAt, readAt);
      // Now the latest used.
      entries.get(id);
      return known;
    }
    const entry = { value, version, floor: version, readAt };
    // An answer that a change has overtaken goes to the callers that asked for it, and is not kept.
    const bytes = record === undefined ? MISS_BYTES : bytesOf(record);
    if (readAt !== NEVER) entries.set(id, entry, { size: Math.max(Math.ceil(bytes), leastBytes) });
    return entry;
  }

  /** A record at version 1 has no older version that could be answered. */
  function raiseFloor(id: string, version: number): void {
    if (version > 1) floors.set(id, Math.max(version, floors.get(id) ?? 0));
  }

  /** The newest version that is known of a record. */
  function floorOf(id: string, known: Entry<Value> | undefined): number {
    return known?.floor ?? floors.get(id) ?? 0;
  }

  return { entries, floorOf, raiseFloor, settle };
}
