/**
 * Latencies as buckets, which are the same in every process: counts of the same bucket add up, whichever process or
 * hour they come from.
 */

/** Percentiles in microseconds; `null` where nothing was measured. */
export interface LatencyPercentiles {
  /** Half of the verdicts took at most this; `null` without any. */
  readonly p50: number | null;
  /** 95 of 100 took at most this. */
  readonly p95: number | null;
  /** 99 of 100 took at most this. */
  readonly p99: number | null;
}

/** Longer latencies count as this, in microseconds. */
const LONGEST_US = 60_000_000;
/** Below it every microsecond has a bucket; above it there are as many between a number and its double. */
const FINEST_US = 16;
const STEPS = 8;
/** The buckets of shorter latencies are looked up: most are short. */
const REMEMBERED_US = 1_024;
const REMEMBERED: Uint8Array = Uint8Array.from({ length: REMEMBERED_US }, (_, us) => reckonBucket(us));

/** The bucket of a latency in microseconds, exact to 12 %: 0 to 191. */
export function latencyBucket(us: number): number {
  const whole = Math.min(Math.max(Math.round(us), 0), LONGEST_US);
  return REMEMBERED[whole] ?? reckonBucket(whole);
}

function reckonBucket(us: number): number {
  if (us < FINEST_US) return us;
  const power = Math.floor(Math.log2(us));
  return FINEST_US + (power - 4) * STEPS + Math.floor((us / 2 ** power - 1) * STEPS);
}

/** The lowest latency of a bucket, in microseconds. */
export function bucketStart(bucket: number): number {
  if (bucket < FINEST_US) return bucket;
  const steps = bucket - FINEST_US;
  return 2 ** (4 + Math.floor(steps / STEPS)) * (1 + (steps % STEPS) / STEPS);
}

/**
 * What stands for a bucket in the sums of one agent: the middle of the two powers of two around it, exact to 42 %.
 * There are many agents, and each bucket of one is a row in every minute.
 */
export function coarseLatency(bucket: number): number {
  const us = bucketStart(bucket);
  return us <= 1 ? us : Math.round(Math.SQRT2 * 2 ** Math.floor(Math.log2(us)));
}

/** The percentiles of latencies that were counted by the lowest, or any, of their bucket. */
export function latencyPercentiles(
  counts: Iterable<readonly [us: number, count: number]>,
): LatencyPercentiles {
  const buckets = [...counts].map(([us, count]) => [latencyBucket(us), count] as const);
  buckets.sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  const at = (percent: number): number | null => {
    let left = (total * percent) / 100;
    for (const [bucket, count] of buckets) {
      left -= count;
      if (left <= 0) return bucketMiddle(bucket);
    }
    return null;
  };
  return { p50: at(50), p95: at(95), p99: at(99) };
}

function bucketMiddle(bucket: number): number {
  const start = bucketStart(bucket);
  return start + Math.floor((bucketStart(bucket + 1) - start - 1) / 2);
}
