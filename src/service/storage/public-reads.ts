/** Records that strangers, who need no credential, may read. */
import { createBoundedMap } from '../../base/bounded-map.ts';
import type { PublicPlaces } from './public-places.ts';
import type { RecordCache } from './record-cache.ts';

/** How long it is remembered that there is no such record. */
const MISS_MS = 5_000;

/** Misses that are remembered, at least. */
const LEAST_MISSES = 10_000;

/** What strangers read of one collection. */
export interface PublicReads<Value> {
  /** The value; `undefined` for a record that is not there, or was not within the last 5 s; `overloaded`. */
  get(id: string): Promise<Value | undefined>;
}

/** The reads through one cache. Those who ask for the same record at the same time share one. */
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
