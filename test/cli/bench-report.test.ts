import { createHistogram } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { createBuckets } from '../../adapters/cli/bench/histogram.ts';
import { reportHtml } from '../../adapters/cli/bench/html.ts';
import type { Measured } from '../../adapters/cli/bench/measure.ts';
import { type BenchReport, reportOf, reportText } from '../../adapters/cli/bench/report.ts';

const ASKED = {
  target: 'http://localhost:3000/api',
  passports: 4,
  connections: 64,
  rate: null,
  doubts: [],
  limit_per_minute: null,
  version: '1.2.3',
};

/** The report on latencies in microseconds. */
function reportOn(
  latencies: readonly number[],
  asked: Partial<Parameters<typeof reportOf>[1]> = {},
  errors: Measured['errors'] = new Map(),
): BenchReport {
  const latency = createHistogram();
  const buckets = createBuckets();
  for (const us of latencies) {
    latency.record(us * 1_000);
    buckets.record(us * 1_000);
  }
  const measured: Measured = {
    latency,
    histogram: buckets.list(),
    late: null,
    eventLoopDelayMs: { p50: 0, p99: 1, max: 2 },
    perSecond: [latencies.length],
    verdicts: latencies.length,
    seconds: 1,
    errors,
    recordsDropped: null,
    memory: { rss_bytes: 100, heap_used_bytes: 10 },
  };
  return reportOf(measured, { ...ASKED, ...asked });
}

test('every latency is in one bucket, which it fits, and the buckets rise', () => {
  const given = [0.2, 1, 1.05, 9.99, 10, 333, 333, 1_000, 2e6];
  const { histogram } = reportOn(given);
  expect(histogram.reduce((sum, { count }) => sum + count, 0)).toBe(given.length);
  for (const us of given) {
    // Edges are rounded to four digits.
    const around = histogram.filter(({ from_us, to_us }) => from_us * 0.999 <= us && us <= to_us * 1.001);
    expect(around.length, `${us}`).toBeGreaterThan(0);
  }
  const edges = histogram.flatMap(({ from_us, to_us }) => [from_us, to_us]);
  expect(edges).toEqual(edges.toSorted((a, b) => a - b));
  for (const { from_us, to_us } of histogram) expect(to_us / from_us).toBeCloseTo(10 ** 0.05, 2);
});

test('the page has a bar for each bucket, the percentiles to p99.99, the machine and the doubts', () => {
  const report = reportOn([1, 5, 5, 5_000], { doubts: ['The machine <was> busy.'] });
  const page = reportHtml(report);
  expect(page.match(/<rect class="bar"/g)).toHaveLength(report.histogram.length);
  for (const mark of ['>p50<', '>p99<', '>p99.9<', '>p99.99<', '>slowest<']) expect(page).toContain(mark);
  expect(page).toContain(report.machine.system);
  expect(page).toContain(process.version);
  expect(page).toContain('Unreliable: The machine &lt;was> busy.');
  expect(page).not.toContain('nothing speaks against');
  expect(reportHtml(reportOn([1]))).toContain('nothing speaks against');
});

test('the page runs nothing, loads nothing, and shows a name that looks like code as text', () => {
  const page = reportHtml(reportOn([1], { target: '<script>alert(1)</script>" \u202e' }));
  expect(page).not.toMatch(/<script|\u202e|\bsrc=|<link|url\(|@import/);
  expect(page).toContain('&lt;script>');
  expect(page).toContain("default-src 'none'");
});

test('a p99.99 of fewer than 100,000 verdicts is said to be of too few', () => {
  const few = reportOn([1, 2]);
  expect(reportHtml(few)).toContain('of too few verdicts to tell');
  expect(reportHtml({ ...few, verdicts: 100_000 })).toContain('one in 10,000 is slower');
});

test('a page about no answers has no histogram', () => {
  const page = reportHtml(reportOn([], {}, new Map([['service_unreachable', 3]])));
  expect(page).toContain('There was no answer.');
  expect(page).toContain('service_unreachable 3');
});

test('of rate_limited the report says the limit, and what to do about it', () => {
  const limited = reportOn([1], { limit_per_minute: 6_000 }, new Map([['rate_limited', 1_234]]));
  for (const text of [reportText(limited), reportHtml(limited)]) {
    expect(text).toContain('1,234 questions were over the limit of the account');
    expect(text).toContain('6,000 verifications a minute');
    expect(text).toContain('--rate-limits off');
    expect(text).toMatch(/agent-identity account plan (<|&lt;)email> enterprise/);
    expect(text).toContain('--rate 89');
  }
  const unknown = reportText(reportOn([1], {}, new Map([['rate_limited', 1]])));
  expect(unknown).toContain('--rate-limits off');
  expect(unknown).not.toMatch(/--rate \d/);
  expect(reportText(reportOn([1]))).not.toContain('rate_limited');
});
