import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bucketStart,
  coarseLatency,
  latencyBucket,
  latencyPercentiles,
} from '../../../src/core/journal/latency.ts';
import { cases } from '../../support/runs.ts';

test('a latency counts as at most 12 % less than it is, in few buckets', () => {
  const buckets = new Set<number>();
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60_000_000 }), (us) => {
      const bucket = bucketStart(latencyBucket(us));
      buckets.add(bucket);
      expect(bucket).toBeLessThanOrEqual(us);
      expect(us - bucket).toBeLessThanOrEqual(0.12 * us);
      expect(bucketStart(latencyBucket(bucket))).toBe(bucket);
      expect(latencyBucket(us)).toBeLessThan(192);
    }),
    { numRuns: cases(2_000) },
  );
  expect(buckets.size).toBeLessThan(220);
});

test('percentiles of the merged counts are those of all latencies, to 12 %', () => {
  const all = Array.from({ length: 10_000 }, (_, index) => index + 1);
  const counts = all.map((us) => [bucketStart(latencyBucket(us)), 1] as const);
  const { p50, p95, p99 } = latencyPercentiles(counts);
  for (const [found, exact] of [
    [p50, 5_000],
    [p95, 9_500],
    [p99, 9_900],
  ] as const) {
    expect(Math.abs((found ?? 0) - exact)).toBeLessThanOrEqual(0.12 * exact);
  }
  expect(latencyPercentiles([])).toEqual({ p50: null, p95: null, p99: null });
});

test('for one agent a latency counts as at most 42 % more or less than it is, in very few buckets', () => {
  const buckets = new Set<number>();
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60_000_000 }), (us) => {
      const bucket = coarseLatency(latencyBucket(us));
      buckets.add(bucket);
      // Whole microseconds: the smallest buckets are off by half of one besides.
      expect(Math.abs(us - bucket)).toBeLessThanOrEqual(0.42 * us + 0.5);
    }),
    { numRuns: cases(2_000) },
  );
  expect(buckets.size).toBeLessThanOrEqual(27);
});
