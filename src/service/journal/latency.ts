/**
 * Latencies as counts of HDR histogram buckets: counts of the same bucket add up, whichever process or hour they
 * come from. The library is loaded with the first flush, not at start: it takes longer than all the rest.
 */
import type { JsHistogram } from 'hdr-histogram-js';

/** Percentiles in microseconds; `null` where nothing was measured. */
export interface LatencyPercentiles {
  /** Half of the verdicts took at most this; `null` without any. */
  readonly p50: number | null;
  /** 95 of 100 took at most this. */
  readonly p95: number | null;
  /** 99 of 100 took at most this. */
  readonly p99: number | null;
}

/** Sorts latencies into buckets, and reads percentiles from the counts of buckets. */
export interface LatencyScale {
  /** The lowest latency, in microseconds, that counts as the same as this one. */
  bucketOf(us: number): number;
  /** The same for one agent: the middle of the two powers of two around it, so that it is exact to 42 %. */
  coarseBucketOf(us: number): number;
  percentiles(counts: Iterable<readonly [bucket: number, count: number]>): LatencyPercentiles;
}

/** What took longer counts as this. */
const LONGEST_US = 60_000_000;
/** The buckets of shorter ones are found beforehand: most are short. */
const REMEMBERED_US = 1_024;
/** Below it every microsecond has a bucket. */
const FINEST_US = 16;

/** The scale all processes share: 1 us to 60 s, to 12 %: finer ones make many more rows of rollups. */
export async function loadLatencyScale(): Promise<LatencyScale> {
  const hdr = await import('hdr-histogram-js');
  const { build } = hdr.default ?? hdr;
  const histogram = () =>
    build({
      lowestDiscernibleValue: 1,
      highestTrackableValue: LONGEST_US,
      numberOfSignificantValueDigits: 1,
      bitBucketSize: 64,
    }) as JsHistogram;
  const scale = histogram();
  return {
    bucketOf: remembering((us) => {
      const fine = scale.lowestEquivalentValue(us);
      // Every second bucket of the library: 8 between a number and its double.
      const step = 2 * scale.sizeOfEquivalentValueRange(fine);
      return fine < FINEST_US ? fine : fine - (fine % step);
    }),
    coarseBucketOf: remembering((us) =>
      us <= 1 ? us : Math.round(Math.SQRT2 * 2 ** Math.floor(Math.log2(us))),
    ),
    percentiles(counts) {
      const all = histogram();
      for (const [bucket, count] of counts) all.recordValueWithCount(Math.min(bucket, LONGEST_US), count);
      const at = (percentile: number) => (all.totalCount === 0 ? null : all.getValueAtPercentile(percentile));
      return { p50: at(50), p95: at(95), p99: at(99) };
    },
  };
}

/** `bucketOf` for any latency, by the whole microsecond. */
function remembering(bucketOf: (us: number) => number): (us: number) => number {
  const known = Array.from({ length: REMEMBERED_US }, (_, us) => bucketOf(us));
  return (us) => {
    const whole = Math.min(Math.max(Math.round(us), 0), LONGEST_US);
    return known[whole] ?? bucketOf(whole);
  };
}
