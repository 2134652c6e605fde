/**
 * Groups latencies into buckets. The limits of the buckets never change, so the counts of several processes and hours
 * can be added up.
 */

/** Percentiles in microseconds; `null` if nothing was measured. */
export interface LatencyPercentiles {
  /** The median. */
  readonly p50: number | null;
  /** The 95th percentile. */
  readonly p95: number | null;
  /** The 99th percentile. */
  readonly p99: number | null;
}

const LONGEST_US = 60_000_000;
/**
 * Below this latency, each microsecond has its own bucket. From this latency on, each power of two has `STEPS` buckets.
 */
const FINEST_US = 16;
const STEPS = 8;
const REMEMBERED_US = 1_024;
const REMEMBERED: Uint8Array = Uint8Array.from({ length: REMEMBERED_US }, (_, us) => reckonBucket(us));

/** Returns the bucket of a latency in microseconds: 0 to `LAST_BUCKET`. The bucket is exact to 12 %. */
export function latencyBucket(us: number): number {
  const whole = Math.min(Math.max(Math.round(us), 0), LONGEST_US);
  return REMEMBERED[whole] ?? reckonBucket(whole);
}

function reckonBucket(us: number): number {
  if (us < FINEST_US) return us;
  const power = Math.floor(Math.log2(us));
  return FINEST_US + (power - 4) * STEPS + Math.floor((us / 2 ** power - 1) * STEPS);
}

export const LAST_BUCKET: number = reckonBucket(LONGEST_US);

export function bucketStart(bucket: number): number {
  if (bucket < FINEST_US) return bucket;
  const steps = bucket - FINEST_US;
  return 2 ** (4 + Math.floor(steps / STEPS)) * (1 + (steps % STEPS) / STEPS);
}

/**
 * Returns the latency that represents a bucket in the rollups of one agent: the middle of its power of two, exact to 42
 * %. Coarse buckets keep the number of rows low, because each bucket of each agent is a row in every minute.
 */
export function coarseLatency(bucket: number): number {
  const us = bucketStart(bucket);
  return us <= 1 ? us : Math.round(Math.SQRT2 * 2 ** Math.floor(Math.log2(us)));
}

export function latencyPercentiles(
  counts: Iterable<readonly [us: number, count: number]>,
): LatencyPercentiles {
  const buckets = [...counts].map(([us, count]) => [latencyBucket(us), count] as const);
  buckets.sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  const latencyAt = (percent: number): number | null => {
    let leftCount = (total * percent) / 100;
    for (const [bucket, count] of buckets) {
      leftCount -= count;
      if (leftCount <= 0) return bucketMiddle(bucket);
    }
    return null;
  };
  return { p50: latencyAt(50), p95: latencyAt(95), p99: latencyAt(99) };
}

function bucketMiddle(bucket: number): number {
  const start = bucketStart(bucket);
  return start + Math.floor((bucketStart(bucket + 1) - start - 1) / 2);
}
