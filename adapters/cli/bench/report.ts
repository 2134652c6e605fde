import { arch, cpus, platform, release, totalmem } from 'node:os';
import { fieldList, table } from '../output/table.ts';
import type { LatencyBucket } from './histogram.ts';
import type { Measured } from './measure.ts';

/** The result of `bench`, in the form for `--json`. Latencies are in microseconds. */
export interface BenchReport {
  readonly target: string;
  readonly passports: number;
  readonly connections: number;
  /** Requested verdicts per second; `null` if each connection waits for an answer before its next request. */
  readonly rate: number | null;
  readonly seconds: number;
  readonly verdicts: number;
  readonly per_second: number;
  /** The verdicts in the slowest and the fastest whole second; `null` if there was no whole second. */
  readonly per_second_range: readonly [number, number] | null;
  readonly errors: Readonly<Record<string, number>>;
  readonly records_dropped: number | null;
  /** The limit of verifications per minute for the account, if an answer contained it. */
  readonly limit_per_minute: number | null;
  readonly latency_us: Readonly<Record<'min' | 'p50' | 'p90' | 'p99' | 'p99_9' | 'p99_99' | 'max', number>>;
  readonly histogram: readonly LatencyBucket[];
  /**
   * The microseconds by which requests were sent late; `null` without a rate. A request is on time if it is
   * sent as soon as it is due and a connection is free.
   */
  readonly late_us: Readonly<Record<'p50' | 'p99' | 'max', number>> | null;
  readonly event_loop_delay_ms: Readonly<Record<'p50' | 'p99' | 'max', number>>;
  readonly memory: { readonly rss_bytes: number; readonly heap_used_bytes: number };
  readonly doubts: readonly string[];
  readonly node: string;
  /** The machine of this process, which sends the requests. */
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memory_gib: number;
    readonly system: string;
  };
  readonly version: string;
  /** The instant at which the measurement ended. */
  readonly at: string;
}

const QUANTILES = { p50: 50, p90: 90, p99: 99, p99_9: 99.9, p99_99: 99.99 } as const;

export function reportOf(
  measurement: Measured,
  report: Pick<
    BenchReport,
    'target' | 'passports' | 'connections' | 'rate' | 'doubts' | 'limit_per_minute' | 'version'
  >,
): BenchReport {
  const { latency, late, verdicts, seconds, perSecond, errors, recordsDropped, eventLoopDelayMs, memory } =
    measurement;
  const us = (ns: number): number => Math.round(ns / 10) / 100;
  const quantiles = Object.entries(QUANTILES).map(([name, q]) => [name, us(latency.percentile(q))] as const);
  const wasAsked = latency.count > 0;
  const latency_us = {
    min: wasAsked ? us(latency.min) : 0,
    ...Object.fromEntries(quantiles),
    max: us(latency.max),
  } as BenchReport['latency_us'];
  return {
    target: report.target,
    passports: report.passports,
    connections: report.connections,
    rate: report.rate,
    seconds: Math.round(seconds * 100) / 100,
    verdicts,
    per_second: Math.round(verdicts / seconds),
    per_second_range: perSecond.length === 0 ? null : [Math.min(...perSecond), Math.max(...perSecond)],
    errors: Object.fromEntries(errors),
    records_dropped: recordsDropped,
    limit_per_minute: report.limit_per_minute,
    latency_us,
    histogram: measurement.histogram,
    late_us: late && { p50: us(late.percentile(50)), p99: us(late.percentile(99)), max: us(late.max) },
    event_loop_delay_ms: eventLoopDelayMs,
    memory,
    doubts: report.doubts,
    node: process.version,
    machine: {
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      cores: cpus().length,
      memory_gib: Math.round(totalmem() / 1_073_741_824),
      system: `${platform()} ${release()} ${arch()}`,
    },
    version: report.version,
    at: new Date().toISOString(),
  };
}

export function reportText(report: BenchReport): string {
  const {
    latency_us,
    late_us: late,
    event_loop_delay_ms: delay,
    memory,
    per_second_range: span,
    errors,
    records_dropped: droppedCount,
  } = report;
  const counts = Object.entries(errors).map(([code, count]) => `${code} ${count}`);
  const lines = fieldList({
    target: report.target,
    passports: report.passports,
    connections: report.connections,
    rate: report.rate && whole(report.rate),
    seconds: report.seconds,
    verdicts: whole(report.verdicts),
    per_second: whole(report.per_second),
    ...(span !== null && { slowest_and_fastest_second: `${whole(span[0])} to ${whole(span[1])}` }),
    errors: counts,
    ...(droppedCount !== null && { records_dropped: whole(droppedCount) }),
    ...(late !== null && {
      late: `p50 ${late.p50.toFixed(1)} us, p99 ${late.p99.toFixed(1)} us, max ${late.max.toFixed(1)} us`,
    }),
    event_loop_late: `p50 ${delay.p50.toFixed(1)} ms, p99 ${delay.p99.toFixed(1)} ms, max ${delay.max.toFixed(1)} ms`,
    memory: `${mebibytes(memory.rss_bytes)} resident, ${mebibytes(memory.heap_used_bytes)} heap`,
    node: report.node,
  });
  const latency = table([
    ['LATENCY', 'MICROSECONDS'],
    ...Object.entries(latency_us).map(([name, us]) => [name.replace('_', '.'), us.toFixed(1)]),
  ]);
  const notes = notesOn(report);
  return [lines, latency, ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n');
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

interface Noted {
  readonly doubts: readonly string[];
  readonly records_dropped: number | null;
  readonly errors: Readonly<Record<string, number>>;
  readonly limit_per_minute: number | null;
}

export function notesOn(report: Noted): readonly string[] {
  const { doubts, records_dropped: droppedCount, errors } = report;
  const notes = doubts.map((doubt) => `Unreliable: ${doubt}`);
  if (droppedCount !== null && droppedCount > 0) {
    notes.push(
      `Not recorded: ${whole(droppedCount)} verdicts, which came faster than the storage can take their records.`,
    );
  }
  return errors['rate_limited'] === undefined
    ? notes
    : [...notes, limitNote(errors['rate_limited'], report.limit_per_minute)];
}

export function whole(number: number): string {
  return number.toLocaleString('en');
}

/**
 * Returns the note on the rate limit per minute. The recommended `--rate` uses nine tenths of the limit. The
 * rest is for the requests before the measurement, such as the warm-up.
 */
function limitNote(count: number, limit: number | null): string {
  const plan = limit === null ? 'its plan' : `its plan, ${whole(limit)} verifications a minute`;
  const slower =
    limit === null ? '' : `, or ask more slowly with --rate ${Math.max(1, Math.floor(limit / 67))}`;
  return (
    `rate_limited: ${whole(count)} questions were over the limit of the account (${plan}). Start a service to be ` +
    'measured with "serve --rate-limits off", or give the account a plan without a limit: agent-identity account ' +
    `plan <email> enterprise${slower}.`
  );
}
