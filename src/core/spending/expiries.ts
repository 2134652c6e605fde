/** Ends expired holds. The first process that notices an expired hold refunds or commits it, once. */

import { toAmount } from '../../base/values/money.ts';
import { readUsage } from '../../base/values/usage.ts';
import type { Change } from '../../ports/storage.ts';
import type { Spend } from '../../records.ts';
import type { Context } from '../shared/context.ts';
import { eventOf } from '../shared/outbox.ts';
import { createSweep } from '../shared/sweep.ts';
import type { StorePresent } from '../storage/clock-watch.ts';
import type { SpendRecord } from './collections.ts';
import { expire } from './settle.ts';
import type { Settlement } from './settlement.ts';

/**
 * Ends expired holds and refunds their amounts. If a permit is valid for longer than its hold, a resource may still
 * accept the permit. The amount is then committed instead.
 */
export interface Expiries {
  /** Returns how many holds this process has ended for the agents below a topmost agent. */
  expiredCount(root_agent_id: string): number;
  /**
   * Ends the expired holds of all agents below a topmost agent. `countBefore` is an earlier result of `lapsed`.
   * Returns `true` if any hold has ended after that result.
   */
  expireBelow(root_agent_id: string, present: StorePresent, countBefore: number): Promise<boolean>;
  /** Ends one expired hold. Returns `false` if the record has changed since it was read. */
  expireOne(record: SpendRecord, present: StorePresent): Promise<boolean>;
  /** Stops the search for expired holds. */
  stop(): Promise<void>;
}

/** Creates the part of one service that searches for expired holds every minute. */
export function createExpiries(
  context: Pick<
    Context,
    'store' | 'clock' | 'clockWatch' | 'nextEventName' | 'retentionDays' | 'auditDays' | 'after' | 'log'
  >,
): Expiries {
  const { store, retentionDays } = context;

  async function expireOne(record: SpendRecord, { at, signal }: StorePresent): Promise<boolean> {
    const settlement = expire(record, { at, retentionDays });
    return (await store.writeUnless(signal, ...settledSteps(context, settlement))).written;
  }

  const message = 'Expired holds could not be ended. The service tries again.';
  const sweep = createSweep(context, { collection: 'spends', settle: expireOne, message });
  return {
    expiredCount: (root_agent_id) => sweep.settled({ root_agent_id }),
    expireBelow: (root_agent_id, present, countBefore) => sweep.run(present, { root_agent_id }, countBefore),
    expireOne,
    stop: sweep.stop,
  };
}

/** Returns the steps that store a settlement together with its event. */
export function settledSteps(
  context: Pick<Context, 'clock' | 'nextEventName' | 'auditDays'>,
  { next, changes }: Settlement,
): readonly Change[] {
  const { account_id } = next;
  return [...changes, eventOf(context, 'spend.settled', { account_id, data: { spend: toSpend(next) } })];
}

/** Returns the spend in the form that callers get. */
export function toSpend(record: SpendRecord): Spend {
  const { id, agent_id, environment, status, amount, released_amount, currency, held_until } = record;
  const { permit_until = null, created_at, updated_at, overrun_amount } = record;
  const { usage, released_usage, overrun_usage } = record;
  return {
    decision_id: id,
    agent_id,
    environment,
    status,
    amount: amount === null ? null : toAmount(amount),
    released_amount: released_amount === null ? null : toAmount(released_amount),
    currency,
    held_until,
    permit_until,
    created_at,
    updated_at,
    ...(overrun_amount !== undefined && { overrun_amount: toAmount(overrun_amount) }),
    ...(usage !== undefined && { usage: readUsage(usage) ?? {} }),
    ...(released_usage !== undefined && { released_usage: readUsage(released_usage) ?? {} }),
    ...(overrun_usage !== undefined && { overrun_usage: readUsage(overrun_usage) ?? {} }),
  };
}
