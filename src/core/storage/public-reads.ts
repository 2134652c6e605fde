/** Reads records for anonymous callers. Limits concurrent reads, and remembers missing records. */
import { createBoundedMap } from '../../base/bounded-map.ts';
import { type IdentityError, overloaded } from '../../errors.ts';
import type { RecordCache } from './record-cache.ts';

const MISS_MS = 5_000;

const LEAST_MISSES = 10_000;

/** The anonymous reads of one collection. */
export interface PublicReads<Value> {
  /**
   * Returns the value. Returns `undefined` if the record does not exist, or did not exist within the last 5 s. Rejects
   * with `overloaded` if too many reads are running.
   */
  get(id: string): Promise<Value | undefined>;
}

/** Creates the reads for one cache. Concurrent calls for the same record share one read. */
export function createPublicReads<Value>(
  cache: RecordCache<Value>,
  places: PublicPlaces,
  monotonic: () => number,
): PublicReads<Value> {
  const missedAt = createBoundedMap<string, number>(LEAST_MISSES);
  const flights = new Map<string, Promise<Value | undefined>>();

  async function load(id: string, atMs: number): Promise<Value | undefined> {
    try {
      const { value } = await places.take(() => cache.load(id, atMs));
      if (value === undefined) missedAt.set(id, atMs);
      return value;
    } finally {
      flights.delete(id);
    }
  }

  return {
    async get(id) {
      const atMs = monotonic();
      const entry = cache.peek(id, atMs, false);
      if (entry?.value !== undefined) return entry.value;
      if (atMs - (missedAt.get(id) ?? Number.NEGATIVE_INFINITY) < MISS_MS) return undefined;
      const flight = flights.get(id) ?? load(id, atMs);
      flights.set(id, flight);
      return flight;
    },
  };
}

const MAX_READS = 16;

/** Limits concurrent anonymous reads. All collections share this limit. */
export interface PublicPlaces {
  /** Runs a read. Rejects with `overloaded` if too many reads are running. */
  take<Result>(read: () => Promise<Result>): Promise<Result>;
}

/** Creates the limit of one service. */
export function createPublicPlaces(): PublicPlaces {
  let takenCount = 0;
  return {
    async take(read) {
      if (takenCount >= MAX_READS) throw tooMany();
      takenCount += 1;
      try {
        return await read();
      } finally {
        takenCount -= 1;
      }
    },
  };
}

function tooMany(): IdentityError {
  return overloaded('Too many readers of documents wait. Try again.');
}
