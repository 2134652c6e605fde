/** Finds the instant from which the records of an account are complete. */
import { formatInstant } from '../../base/values/instant.ts';
import { floorTo, RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import type { RollupSum, SumsPart } from '../../ports/journal.ts';
import type { Environment, Instant } from '../../records.ts';
import type { Context } from '../shared/context.ts';
import { type AskSums, partsOf } from './sums.ts';

/** The account and the environment. */
export interface CompleteQuery {
  readonly account_id: string;
  readonly environment: Environment;
  /** The days with a drop; they are read if absent. */
  readonly days?: readonly RollupSum[] | undefined;
}

/**
 * Returns the latest of: the last minute with a drop, the birth of the account, and the end of what retention or a
 * capped journal has removed.
 */
export async function completeSince(context: Context, ask: AskSums, query: CompleteQuery): Promise<Instant> {
  const { clock, retentionDays, store } = context;
  const retainedFrom = clock.now() - retentionDays * RESOLUTION_MS.day;
  const lastDrop = await lastDropIn(context, ask, query);
  const account = await store.get('accounts', query.account_id);
  const birth = account === undefined ? retainedFrom : Date.parse(account.created_at);
  const complete = await store.completeSince(query.account_id);
  const kept = complete === undefined ? retainedFrom : Date.parse(complete);
  return formatInstant(Math.max(retainedFrom, birth, kept, lastDrop + RESOLUTION_MS.minute));
}

/**
 * Returns the start of the last minute with a drop, or the epoch. It searches the days first, because minutes are
 * many.
 */
async function lastDropIn(context: Context, ask: AskSums, query: CompleteQuery): Promise<number> {
  const { account_id, environment, days } = query;
  const dropsIn = async (parts: readonly SumsPart[]): Promise<readonly RollupSum[]> =>
    (await ask({ account_id, environment, agent_id: '', parts })).flat();
  const day = latestStart(days ?? (await dropsIn(dropDays(context))));
  if (day === 0) return 0;
  const minutes = { resolution: 'minute', from: day, to: day + RESOLUTION_MS.day } as const;
  return latestStart(await dropsIn(partsOf([minutes], ['dropped'], true)));
}

/** Returns the parts of a query for the days of the retention period with drops. */
export function dropDays({ clock, retentionDays }: Context): readonly SumsPart[] {
  const present = clock.now();
  const from = floorTo('day', present - retentionDays * RESOLUTION_MS.day);
  return partsOf([{ resolution: 'day', from, to: present + RESOLUTION_MS.day }], ['dropped'], true);
}

/** Returns the latest start among some sums; 0 without any. */
function latestStart(sums: readonly RollupSum[]): number {
  return Math.max(0, ...sums.map(({ start }) => Date.parse(start ?? '')));
}
