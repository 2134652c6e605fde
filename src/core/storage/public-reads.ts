/** Reads records for anonymous callers. */
import { createBoundedMap } from '../../base/bounded-map.ts';
import { IdentityError } from '../../errors.ts';
import type { RecordCache } from './record-cache.ts';

/** The time for which a missing record is remembered. */
const MISS_MS = 5_000;

/** The number of missing records that are remembered at least. */
const LEAST_MISSES = 10_000;

/** The anonymous reads of one collection. */
export interface PublicReads<Value> {
  /**
   * Returns the value; `undefined` if the record is missing, or was within the last 5 s. Rejects with `overloaded` if
   * too many reads are under way.
   */
  get(id: string): Promise<Value | undefined>;
}

/** Creates the reads over one cache. Callers who want the same record at the same time share one read. */
export function createPublicReads<Value>(
  cache: RecordCache<Value>,
  places: PublicPlaces,
  monotonic: () => number,
): PublicReads<Value> {
  const missedAt = createBoundedMap<string, number>(LEAST_MISSES);
  const flights = new Map<string, Promise<Value | undefined>>();

  async function load(id: string, at: number): Promise<Value | undefined> {
    try {
      const { value } = await places.take(() => cache.load(id, at));
      if (value === undefined) missedAt.set(id, at);
      return value;
    } finally {
      flights.delete(id);
    }
  }

  return {
    async get(id) {
      const at = monotonic();
      const known = cache.peek(id, at, false);
      if (known?.value !== undefined) return known.value;
      if (at - (missedAt.get(id) ?? Number.NEGATIVE_INFINITY) < MISS_MS) return undefined;
      const flight = flights.get(id) ?? load(id, at);
      flights.set(id, flight);
      return flight;
    },
  };
}

/** The maximum number of concurrent anonymous reads. */
const MAX_READS = 16;

/** The limit that all collections share. */
export interface PublicPlaces {
  /** Runs a read; rejects with `overloaded` if too many are under way. */
  take<Result>(read: () => Promise<Result>): Promise<Result>;
}

/** Creates the limit of one service. */
export function createPublicPlaces(): PublicPlaces {
  let taken = 0;
  return {
    async take(read) {
      if (taken >= MAX_READS) throw tooMany();
      taken += 1;
      try {
        return await read();
      } finally {
        taken -= 1;
      }
    },
  };
}

function tooMany(): IdentityError {
  const details = { retryAfterSeconds: 1 };
  return new IdentityError('overloaded', 'Too many readers of documents at this moment.', { details });
}
