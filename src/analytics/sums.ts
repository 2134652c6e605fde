/** Sums up rollups and the blocks that are not yet merged into rollups. The result is exact at any time. */

import { turn } from '../base/async/turns.ts';
import { formatInstant } from '../base/values/instant.ts';
import { floorTo, RESOLUTION_MS, type Stretch } from '../base/values/time-buckets.ts';
import type { ReadBlock } from '../core/journal/damage.ts';
import { bucketStart, coarseLatency } from '../core/journal/latency.ts';
import { OTHER } from '../core/journal/merge/group-counter.ts';
import type { Context } from '../core/shared/context.ts';
import type { Store } from '../core/storage/store.ts';
import {
  type BlockView,
  type FoldedMinute,
  foldBlock,
  openBlock,
  startOfMinute,
} from '../journal-format/index.ts';
import {
  BLOCK_FLAGS,
  type Block,
  type RollupKind,
  type RollupSum,
  type SumsPart,
  type SumsQuery,
} from '../ports/journal.ts';
import type { Environment, Instant } from '../records.ts';

/** Returns the sums for each part of a query. Several sums of a part may have the same start, kind and key. */
export type AskSums = (query: SumsQuery) => Promise<readonly (readonly RollupSum[])[]>;

type Additions = Map<number, Map<RollupKind, Map<string, number>>>;

export function createSums(store: Pick<Store, 'journal'>, readBlock: ReadBlock): AskSums {
  return async (query) => {
    const { parts, unmerged } = await store.journal.sums(query);
    const additions: Additions = new Map();
    for (const block of unmerged) {
      if (!concerns(block, query)) continue;
      await turn();
      const view = readBlock(block, () => openBlock(block.data));
      if (view !== undefined) readBlock(block, () => addBlock(view, query, additions));
    }
    return parts.map((sums, index) => [...sums, ...sumsIn(additions, query.parts[index])]);
  };
}

function concerns({ flags, from_ms, to_ms }: Block, { environment, parts }: SumsQuery): boolean {
  // A block with drops always counts: its times are those of its records, not of its drops.
  if ((flags & BLOCK_FLAGS.drops) !== 0) return true;
  if ((flags & (BLOCK_FLAGS[environment] | BLOCK_FLAGS.outcomes)) === 0) return false;
  return parts.some(({ from, to }) => to_ms >= Date.parse(from) && from_ms < Date.parse(to));
}

function sumsIn(additions: Additions, part: SumsPart | undefined): readonly RollupSum[] {
  const sums: RollupSum[] = [];
  if (part === undefined) return sums;
  const { resolution, from, to, byStart } = part;
  for (const [minute_ms, kinds] of additions) {
    const start = formatInstant(floorTo(resolution, minute_ms));
    if (start < from || start >= to) continue;
    for (const kind of part.kinds) {
      for (const [key, count] of kinds.get(kind) ?? []) {
        sums.push({ start: byStart ? start : null, kind, key, count });
      }
    }
  }
  return sums;
}

type Add = (kind: RollupKind, key: string, count: number) => void;

type IsWanted = (agent: string, isKnown: boolean) => boolean;

function addBlock(view: BlockView, { environment, agent_id }: SumsQuery, additions: Additions): void {
  const isOfAll = agent_id === '';
  const isWanted: IsWanted = (agent, isKnown) => isOfAll || (agent === agent_id && isKnown);
  for (const minute of foldBlock(view)) {
    if (minute.environment !== environment) continue;
    addMinute(minute, { isOfAll, isWanted }, adderOf(additions, minute.minute_ms));
  }
  for (let place = 0; place < view.outcomes.length; place += 1) {
    const report = view.outcomes.report(place);
    if (report.environment !== environment || !isWanted(report.agent_id, true)) continue;
    adderOf(additions, startOfMinute(report.evaluated_ms))('outcome', report.outcome, 1);
  }
  if (!isOfAll) return;
  for (const drop of view.drops) {
    if (drop.environment !== environment) continue;
    adderOf(additions, startOfMinute(drop.at_ms))('dropped', '', drop.count);
  }
}

function addMinute(
  { verdicts, latencies }: FoldedMinute,
  { isOfAll, isWanted }: { readonly isOfAll: boolean; readonly isWanted: IsWanted },
  add: Add,
): void {
  for (const { agent_id, isKnown, action, codes, count } of verdicts) {
    if (!isWanted(agent_id, isKnown)) continue;
    const agent = isKnown ? agent_id : OTHER;
    add('verdict', codes.length === 0 ? 'ALLOW' : 'DENY', count);
    add('action', action, count);
    for (const code of codes) add('reason', code, count);
    if (isOfAll) add('agent', agent, count);
  }
  const startOf = isOfAll ? bucketStart : coarseLatency;
  for (const { agent_id, isKnown, bucket, count } of latencies) {
    if (isWanted(agent_id, isKnown)) add('latency', `${startOf(bucket)}`, count);
  }
}

function adderOf(additions: Additions, minute_ms: number): Add {
  const kinds = additions.get(minute_ms) ?? new Map<RollupKind, Map<string, number>>();
  additions.set(minute_ms, kinds);
  return (kind, key, count) => {
    const counts = kinds.get(kind) ?? new Map<string, number>();
    kinds.set(kind, counts);
    counts.set(key, (counts.get(key) ?? 0) + count);
  };
}

export function partsOf(
  stretches: readonly Stretch[],
  kinds: readonly RollupKind[],
  byStart: boolean,
): readonly SumsPart[] {
  return stretches.map(({ resolution, from, to }) => {
    return { resolution, kinds, from: formatInstant(from), to: formatInstant(to), byStart };
  });
}

interface CompleteQuery {
  readonly account_id: string;
  readonly environment: Environment;
  readonly days?: readonly RollupSum[] | undefined;
}

/**
 * Returns the instant since which the sums are complete. It is the latest of three instants:
 *
 * - the minute after the last dropped record
 * - the creation of the account
 * - the instant up to which records were removed
 */
export async function completeSince(
  context: Pick<Context, 'store' | 'clock' | 'retentionDays'>,
  ask: AskSums,
  query: CompleteQuery,
): Promise<Instant> {
  const { clock, retentionDays, store } = context;
  const retainedFrom = clock.now() - retentionDays * RESOLUTION_MS.day;
  const lastDrop = await lastDropIn(context, ask, query);
  const account = await store.get('accounts', query.account_id);
  const birth = account === undefined ? retainedFrom : Date.parse(account.created_at);
  const complete = await store.journal.completeSince(query.account_id);
  const keptMs = complete === undefined ? retainedFrom : Date.parse(complete);
  return formatInstant(Math.max(retainedFrom, birth, keptMs, lastDrop + RESOLUTION_MS.minute));
}

/**
 * Returns the start of the last minute with a dropped record, or the epoch. It searches by days first, because there
 * are many minutes.
 */
async function lastDropIn(
  context: Pick<Context, 'clock' | 'retentionDays'>,
  ask: AskSums,
  query: CompleteQuery,
): Promise<number> {
  const { account_id, environment, days } = query;
  const dropsIn = async (parts: readonly SumsPart[]): Promise<readonly RollupSum[]> =>
    (await ask({ account_id, environment, agent_id: '', parts })).flat();
  const day = latestStart(days ?? (await dropsIn(dropDays(context))));
  if (day === 0) return 0;
  const minutes = { resolution: 'minute', from: day, to: day + RESOLUTION_MS.day } as const;
  return latestStart(await dropsIn(partsOf([minutes], ['dropped'], true)));
}

export function dropDays({
  clock,
  retentionDays,
}: Pick<Context, 'clock' | 'retentionDays'>): readonly SumsPart[] {
  const present = clock.now();
  const startMs = floorTo('day', present - retentionDays * RESOLUTION_MS.day);
  return partsOf([{ resolution: 'day', from: startMs, to: present + RESOLUTION_MS.day }], ['dropped'], true);
}

function latestStart(sums: readonly RollupSum[]): number {
  return Math.max(0, ...sums.map(({ start }) => Date.parse(start ?? '')));
}
