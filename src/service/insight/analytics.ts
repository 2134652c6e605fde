/** Analytics: sums of rollups, at a cost that does not grow with the number of verdicts. */

import { formatInstant } from '../../base/instant.ts';
import { orderErrors, type RangeRequest, rangeErrors, readRange } from '../../base/instant-range.ts';
import { floorTo, RESOLUTION_MS, type Resolution, stretches } from '../../base/time-buckets.ts';
import { refuseAny } from '../../errors.ts';
import type { RollupKind, RollupSum } from '../../ports/journal.ts';
import type { PassportCounts } from '../../ports/queries.ts';
import type { Environment, Instant } from '../../records.ts';
import { createBlockReader } from '../journal/damage.ts';
import type { Journal } from '../journal/journal.ts';
import { type LatencyPercentiles, latencyPercentiles } from '../journal/latency.ts';
import { OTHER } from '../journal/rollup-groups.ts';
import { agentIdErrors } from '../shared/agent-filter.ts';
import { assertWanted, type CallOptions } from '../shared/call-options.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, type Context } from '../shared/context.ts';
import { unavailable } from '../storage/storage-guard.ts';
import { completeSince, dropDays } from './complete-since.ts';
import { countPassports } from './passport-counts.ts';
import { createSums, partsOf } from './sums.ts';

/** What to count. */
export interface AnalyticsQuery extends RangeRequest {
  /** The length of a point of the series; default `hour`. */
  readonly interval?: 'minute' | 'hour' | 'day';
  /** Only this agent; all counts are 0 for one that is not the account's. */
  readonly agent_id?: string;
  /** Default `live`. */
  readonly environment?: Environment;
}

/** One point of a series. */
export interface SeriesPoint {
  /** Where the interval starts. */
  readonly start: Instant;
  /** Verdicts that were `ALLOW`. */
  readonly allowed: number;
  /** Verdicts that were `DENY`. */
  readonly denied: number;
}

/** A name and how often it occurred; `other` stands for all that found no place of their own. */
export interface TopEntry {
  /** The agent, action or code; `other` for all that found no place of their own. */
  readonly key: string;
  /** How often. */
  readonly count: number;
}

/** What happened in [`from`, `to`), to the whole minute; the agents are counted as of now. */
export interface Analytics {
  /** Totals. */
  readonly overview: {
    /** Passports of the account. */
    readonly total_agents: number;
    /** Of these, the active ones. */
    readonly active_agents: number;
    /** Of these, the suspended ones. */
    readonly suspended_agents: number;
    /** Of these, the revoked ones. */
    readonly revoked_agents: number;
    /** Verdicts that were asked for, dry runs left out. */
    readonly total_verifications: number;
    /** Of these, how many were `ALLOW`. */
    readonly allowed: number;
    /** Of these, how many were `DENY`. */
    readonly denied: number;
  };
  /** One point per interval, without holes. */
  readonly series: readonly SeriesPoint[];
  /** The agents that were asked about most, at most 10. */
  readonly top_agents: readonly TopEntry[];
  /** The actions that were asked for most, at most 10. */
  readonly top_actions: readonly TopEntry[];
  /** The codes that were given most, at most 10. */
  readonly top_reasons: readonly TopEntry[];
  /** Microseconds. */
  readonly latency_us: LatencyPercentiles;
  /** Verdicts of this time that were answered but not recorded. */
  readonly journal_dropped: number;
  /** From here on nothing is known to be missing. */
  readonly complete_since: Instant;
}

/** How many points a series has at most, and how many names a list. */
const MAX_INTERVALS = 1_000;
const MAX_NAMES = 10;
const DAY_MS = RESOLUTION_MS.day;
/** The last instant that is spelled with a year of four digits. */
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
/** Each call of the storage has its own deadline; this is the one for all of them together. */
const LONGEST_MS = 10_000;
/** What is summed up besides the verdicts themselves. */
const COUNTED: readonly RollupKind[] = ['agent', 'action', 'reason', 'latency', 'dropped'];

/** Sums up what happened in a stretch of time. */
export type AskAnalytics = (query?: AnalyticsQuery, options?: Actor & CallOptions) => Promise<Analytics>;

/** The analytics over the rollups of `context`. */
export function createAnalytics(context: Context, journal: Journal): AskAnalytics {
  const { store, caches } = context;
  const ask = createSums(store, createBlockReader(context.log));

  return async (query = {}, { signal, ...actor } = {}) => {
    const end = caches.monotonic() + LONGEST_MS;
    /** Before each call of the storage. */
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
    const allowed = series.reduce((total, point) => total + point.allowed, 0);
    const denied = series.reduce((total, point) => total + point.denied, 0);
    const latency = merged(totals, 'latency');
    return {
      overview: {
        ...agents(await countPassports(context, account_id, query.agent_id, assertInTime)),
        total_verifications: allowed + denied,
        allowed,
        denied,
      },
      series,
      top_agents:
        query.agent_id === undefined ? top(totals, 'agent') : only(query.agent_id, allowed + denied),
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

/** Whole minutes: the default is the last 24 hours. */
function rangeOf(query: AnalyticsQuery, interval: Resolution, present: number): Span {
  const given = readRange(query);
  // One past the present, so that what happened right now counts.
  const to = given.to ?? present + 1;
  const from = floorTo('minute', given.from ?? to - DAY_MS);
  const range = { from, to: Math.min(floorTo('minute', to + RESOLUTION_MS.minute - 1), LAST_MS) };
  const points = (range.to - floorTo(interval, from)) / RESOLUTION_MS[interval];
  const message = `This makes more than ${MAX_INTERVALS} intervals.`;
  refuseAny([
    ...orderErrors({ from, to }),
    ...(points > MAX_INTERVALS ? [{ path: '/from', code: 'out_of_range', message }] : []),
  ]);
  return range;
}

/** A point for each interval of the range, also for those without a verdict. */
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
