/** Shows spends to callers, and makes the event of each settlement. */
import { toAmount } from '../../base/values/money.ts';
import type { Change } from '../../ports/storage.ts';
import type { Spend } from '../../records.ts';
import type { Context } from '../shared/context.ts';
import { eventOf } from '../shared/outbox.ts';
import type { SpendRecord } from './collections.ts';
import type { Settlement } from './settle.ts';

/** Returns the steps that store a settlement with its event: neither exists without the other. */
export function settledSteps(context: Context, { next, changes }: Settlement): readonly Change[] {
  const { account_id } = next;
  return [...changes, eventOf(context, 'spend.settled', { account_id, data: { spend: toSpend(next) } })];
}

/** Returns the spend as callers see it. */
export function toSpend(record: SpendRecord): Spend {
  const { id, agent_id, environment, status, amount, released_amount, currency, held_until } = record;
  const { permit_until = null, created_at, updated_at } = record;
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
  };
}
