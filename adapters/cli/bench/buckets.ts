/** The number of latencies from `from_us` up to, but not including, `to_us`. */
export interface LatencyBucket {
  readonly from_us: number;
  readonly to_us: number;
  readonly count: number;
}

/** Counts latencies in buckets that are each 12 % wider than the one before. */
export interface Buckets {
  record(ns: number): void;
  /** Lists the buckets in rising order, without empty ones. */
  list(): readonly LatencyBucket[];
}

const PER_DECADE = 20;

/** Makes buckets that have counted no latency yet. */
export function createBuckets(): Buckets {
  const counts = new Map<number, number>();
  return {
    record(ns) {
      const index = Math.floor(Math.log10(ns) * PER_DECADE);
      counts.set(index, (counts.get(index) ?? 0) + 1);
    },
    list() {
      const sorted = [...counts].sort(([a], [b]) => a - b);
      return sorted.map(([index, count]) => ({ from_us: edgeUs(index), to_us: edgeUs(index + 1), count }));
    },
  };
}

function edgeUs(index: number): number {
  return Number((10 ** (index / PER_DECADE) / 1_000).toPrecision(4));
}
