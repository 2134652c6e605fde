/** Sums up the verdicts of a period from rollups. The cost does not depend on the number of verdicts. */

import { formatInstant } from '../base/values/instant.ts';
import { statusAt } from '../base/values/passport-status.ts';
import { floorTo, RESOLUTION_MS, type Resolution, stretches } from '../base/values/time-buckets.ts';
import { createBlockReader } from '../core/journal/damage.ts';
import type { Journal } from '../core/journal/journal.ts';
import { type LatencyPercentiles, latencyPercentiles } from '../core/journal/latency.ts';
import { OTHER } from '../core/journal/merge/group-counter.ts';
import { agentIdErrors } from '../core/shared/agent-filter.ts';
import { type Actor, assertWanted, type CallOptions } from '../core/shared/callers.ts';
import { accountOf, type Context } from '../core/shared/context.ts';
import { everyPage, pageSize, recordsBy } from '../core/shared/record-lists.ts';
import { unavailable } from '../core/storage/storage-guard.ts';
import { refuseAny } from '../errors.ts';
import type { PassportCounts, RollupKind, RollupSum } from '../ports/journal.ts';
import { MAX_PAGE_SIZE } from '../ports/limits.ts';
import type { Outcome } from '../records/outcome.ts';
import type { Environment, Instant } from '../records.ts';
import { orderErrors, type RangeRequest, rangeErrors, readRange } from '../schema/instant-range.ts';
import { completeSince, createSums, dropDays, partsOf } from './sums.ts';

/** A query for analytics. */
export interface AnalyticsQuery extends RangeRequest {
  /** The length of one interval of the series; default `hour`. */
  readonly interval?: 'minute' | 'hour' | 'day';
  /** Only verdicts of this agent. For an agent of another account, all counts are 0. */
  readonly agent_id?: string;
  /** The environment; default `live`. */
  readonly environment?: Environment;
}

/** One point of a series. */
export interface SeriesPoint {
  /** The start of the interval. */
  readonly start: Instant;
  /** The number of `ALLOW` verdicts. */
  readonly allowed: number;
  /** The number of `DENY` verdicts. */
  readonly denied: number;
}

/** A name with its count. The name `other` stands for all names that are not in the list. */
export interface TopEntry {
  /** The agent, action or code; `other` stands for all names that are not in the list. */
  readonly key: string;
  /** The number of verdicts with this name. */
  readonly count: number;
}

/** The number of reports of each outcome. If two nodes have taken the same report, it counts twice. */
export interface OutcomeSums extends Readonly<Record<Outcome, number>> {
  /** The number of ALLOW verdicts minus the number of reports; at least 0. */
  readonly unreported: number;
}

/**
 * Sums over the verdicts in [`from`, `to`), rounded to whole minutes. The numbers of agents apply to the time of the
 * call.
 */
export interface Analytics {
  /** The totals of the period. */
  readonly overview: {
    /** The number of passports of the account. */
    readonly total_agents: number;
    /** The number of active passports. */
    readonly active_agents: number;
    /** The number of suspended passports. */
    readonly suspended_agents: number;
    /** The number of revoked passports. */
    readonly revoked_agents: number;
    /** The number of verdicts, without dry runs. */
    readonly total_verifications: number;
    /** The number of `ALLOW` verdicts. */
    readonly allowed: number;
    /** The number of `DENY` verdicts. */
    readonly denied: number;
  };
  /** The reported outcomes of the verdicts, and the number of verdicts without a report. */
  readonly outcomes: OutcomeSums;
  /** One point for each interval, including intervals without verdicts. */
  readonly series: readonly SeriesPoint[];
  /** The most frequent agents, at most 10. */
  readonly top_agents: readonly TopEntry[];
  /** The most frequent actions, at most 10. */
  readonly top_actions: readonly TopEntry[];
  /** The most frequent codes of reasons, at most 10. */
  readonly top_reasons: readonly TopEntry[];
  /** Percentiles of the latency of verdicts, in microseconds. */
  readonly latency_us: LatencyPercentiles;
  /** The number of verdicts in the period that were answered but not recorded. */
  readonly journal_dropped: number;
  /** The instant since which no record is known to be missing. */
  readonly complete_since: Instant;
}

const MAX_INTERVALS = 1_000;
const MAX_NAMES = 10;
const DAY_MS = RESOLUTION_MS.day;
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
/** The time limit for all storage calls of a query together. Each call also has its own deadline. */
const LONGEST_MS = 10_000;
const COUNTED: readonly RollupKind[] = ['agent', 'action', 'reason', 'latency', 'dropped', 'outcome'];

/**
 * Sums up the verdicts of a period.
 *
 * @throws {IdentityError} `invalid_request` for a wrong filter, or a period of more than 1,000 intervals.
 */
export type AskAnalytics<Options = CallOptions> = (
  query?: AnalyticsQuery,
  options?: Options & CallOptions,
) => Promise<Analytics>;

/** Creates the analytics over the rollups of the storage. */
export function createAnalytics(
  context: Pick<Context, 'store' | 'caches' | 'clock' | 'session' | 'retentionDays' | 'log'>,
  journal: Journal,
): AskAnalytics<Actor> {
  const { store, caches } = context;
  const ask = createSums(store, createBlockReader(context.log));

  return async (query = {}, { signal, ...actor } = {}) => {
    const end = caches.monotonic() + LONGEST_MS;
    const assertInTime = (): void => {
      assertWanted(signal);
      if (caches.monotonic() > end) throw unavailable(new Error('Analytics took too long.'));
    };
    const account_id = accountOf(context, actor);
    const { interval = 'hour', agent_id = '', environment = 'live' } = query;
    refuseAny([...agentIdErrors(query.agent_id), ...rangeErrors(query)]);
    const { from, to } = rangeOf(query, interval, context.clock.now());
    const isSettled = await journal.settle(account_id);
    assertInTime();
    const [byStart, inAll] = [stretches(from, to, interval), stretches(from, to, 'day')];
    const parts = [
      ...partsOf(byStart, ['verdict'], true),
      ...partsOf(inAll, COUNTED, false),
      ...dropDays(context),
    ];
    const sums = await ask({ account_id, environment, agent_id, parts });
    const totals = sums.slice(byStart.length, -1).flat();
    const series = seriesOf({ from, to }, interval, sums.slice(0, byStart.length).flat());
    const allowedCount = series.reduce((total, point) => total + point.allowed, 0);
    const deniedCount = series.reduce((total, point) => total + point.denied, 0);
    const latency = merged(totals, 'latency');
    return {
      overview: {
        ...agents(await countPassports(context, account_id, query.agent_id, assertInTime)),
        total_verifications: allowedCount + deniedCount,
        allowed: allowedCount,
        denied: deniedCount,
      },
      outcomes: outcomesOf(merged(totals, 'outcome'), allowedCount),
      series,
      top_agents:
        query.agent_id === undefined
          ? top(totals, 'agent')
          : only(query.agent_id, allowedCount + deniedCount),
      top_actions: top(totals, 'action'),
      top_reasons: top(totals, 'reason'),
      latency_us: latencyPercentiles([...latency].map(([us, count]) => [Number(us), count])),
      journal_dropped: [...merged(totals, 'dropped').values()].reduce((total, count) => total + count, 0),
      complete_since: isSettled
        ? await completeSince(context, ask, {
            account_id,
            environment,
            days: agent_id === '' ? sums.at(-1) : undefined,
          })
        : formatInstant(context.clock.now()),
    };
  };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function rangeOf(query: AnalyticsQuery, interval: Resolution, present: number): Span {
  const givenRange = readRange(query);
  // One millisecond after the present, so that a verdict of this moment counts.
  const end = givenRange.to ?? present + 1;
  const startMs = floorTo('minute', givenRange.from ?? end - DAY_MS);
  const range = { from: startMs, to: Math.min(floorTo('minute', end + RESOLUTION_MS.minute - 1), LAST_MS) };
  const points = (range.to - floorTo(interval, startMs)) / RESOLUTION_MS[interval];
  const message = `This makes more than ${MAX_INTERVALS} intervals. Shorten the range.`;
  refuseAny([
    ...orderErrors({ from: startMs, to: end }),
    ...(points > MAX_INTERVALS ? [{ path: '/from', code: 'out_of_range', message }] : []),
  ]);
  return range;
}

function seriesOf({ from, to }: Span, interval: Resolution, verdicts: readonly RollupSum[]): SeriesPoint[] {
  const points = new Map<number, { allowed: number; denied: number }>();
  for (let start = floorTo(interval, from); start < to; start += RESOLUTION_MS[interval]) {
    points.set(start, { allowed: 0, denied: 0 });
  }
  for (const { start, key, count } of verdicts) {
    const point = points.get(floorTo(interval, Date.parse(start ?? '')));
    if (point !== undefined) point[key === 'ALLOW' ? 'allowed' : 'denied'] += count;
  }
  return [...points].map(([start, counts]) => ({ start: formatInstant(start), ...counts }));
}

function merged(sums: readonly RollupSum[], kind: RollupKind): Map<string, number> {
  const counts = new Map<string, number>();
  for (const sum of sums) {
    if (sum.kind === kind) counts.set(sum.key, (counts.get(sum.key) ?? 0) + sum.count);
  }
  return counts;
}

function top(sums: readonly RollupSum[], kind: RollupKind): TopEntry[] {
  const entries = [...merged(sums, kind)].map(([key, count]) => ({
    key: key === OTHER ? 'other' : key,
    count,
  }));
  return entries.sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)).slice(0, MAX_NAMES);
}

function outcomesOf(counts: ReadonlyMap<string, number>, allowedCount: number): OutcomeSums {
  const count = (outcome: Outcome): number => counts.get(outcome) ?? 0;
  const [succeededCount, failedCount] = [count('succeeded'), count('failed')];
  const [not_attempted, unknown] = [count('not_attempted'), count('unknown')];
  const unreportedCount = Math.max(0, allowedCount - succeededCount - failedCount - not_attempted - unknown);
  return {
    succeeded: succeededCount,
    failed: failedCount,
    not_attempted,
    unknown,
    unreported: unreportedCount,
  };
}

function only(key: string, count: number): TopEntry[] {
  return count === 0 ? [] : [{ key, count }];
}

function agents({ active, suspended, revoked, expired }: PassportCounts): {
  total_agents: number;
  active_agents: number;
  suspended_agents: number;
  revoked_agents: number;
} {
  return {
    total_agents: active + suspended + revoked + expired,
    active_agents: active,
    suspended_agents: suspended,
    revoked_agents: revoked,
  };
}

/** Counts the passports of an account by their present status, or only the passport of one agent. */
async function countPassports(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  account_id: string,
  agent_id: string | undefined,
  assertInTime: () => void,
): Promise<PassportCounts> {
  const instant = formatInstant(clock.now());
  const sums = { active: 0, suspended: 0, revoked: 0, expired: 0 };
  if (agent_id !== undefined) {
    const record = await store.get('passports', agent_id);
    if (record?.account_id === account_id) sums[statusAt(record, instant)] = 1;
    return sums;
  }
  if (store.countPassports === undefined) {
    const passports = recordsBy(store, 'passports', { account_id });
    for await (const page of everyPage(passports, pageSize(MAX_PAGE_SIZE))) {
      assertInTime();
      for (const record of page) sums[statusAt(record, instant)] += 1;
    }
    return sums;
  }
  let firstId: string | undefined;
  do {
    assertInTime();
    const { next, ...piece } = await store.countPassports(account_id, instant, firstId);
    for (const status of Object.keys(sums) as (keyof PassportCounts)[]) sums[status] += piece[status];
    firstId = next ?? undefined;
  } while (firstId !== undefined);
  return sums;
}
