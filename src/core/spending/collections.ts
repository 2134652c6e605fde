/** The stored records of spends: the amounts that an ALLOW took from budgets. */

import type { Collection } from '../../ports/collection.ts';
import type { RecordBase } from '../../ports/stored.ts';
import type { BudgetUnit, Environment, Instant, SpendStatus } from '../../records.ts';

/** An amount that a spend took from a budget, which is refunded when the spend is released. */
export type SpendTaking = {
  /** The name of the counter of spent or held amounts. A rolling window has one for each span. */
  readonly used: string;
  /** The name of the counter of held amounts; absent for a rolling window. */
  readonly held?: string;
  /** The amount, in the unit of the counters. */
  readonly by: number;
  /** True for money. Intents, tokens and credits are returned as a whole. */
  readonly is_money: boolean;
  /** The unit; absent for money and for intents. */
  readonly unit?: BudgetUnit;
  /** True if a commit may be above its hold; else absent. */
  readonly overrun?: true;
  /** The instant at which the counters end; `null`: they do not. */
  readonly expires_at: Instant | null;
};

/** A usage, as canonical decimal text. */
export type StoredUsage = { readonly [Unit in BudgetUnit]?: string };

/** The amount that an ALLOW spent or holds. Its `id` is the `decision_id`. Amounts are canonical decimal text. */
export type SpendRecord = RecordBase & {
  readonly agent_id: string;
  /** The topmost agent of its chain, the same for all agents that can hold from a budget of the chain. */
  readonly root_agent_id?: string;
  readonly environment: Environment;
  readonly status: SpendStatus;
  readonly amount: string | null;
  readonly released_amount: string | null;
  /** The committed amount; `null` before that. */
  readonly committed_amount: string | null;
  /** True when all of the held amount was committed. */
  readonly committed_whole: boolean;
  readonly currency: string | null;
  /** The amount that was committed above the hold; absent without any. */
  readonly overrun_amount?: string;
  /** The allowed usage; absent for an intent without it. */
  readonly usage?: StoredUsage;
  /** The usage that was returned, and the usage that was committed above the hold; each absent without any. */
  readonly released_usage?: StoredUsage;
  readonly overrun_usage?: StoredUsage;
  /** The decimals of the unit of money. */
  readonly decimals: number;
  /** The end of the hold; `null` for an amount that was spent at once. */
  readonly held_until: Instant | null;
  /** The instant until which a resource may accept the permit of the spend; absent without a permit. */
  readonly permit_until?: Instant;
  /** Equals `held_until` while it is held. */
  readonly due_at?: Instant;
  readonly updated_at: Instant;
  /** The instant from which it may be removed; absent while it is held. */
  readonly expires_at?: Instant;
  readonly takings: readonly SpendTaking[];
};

export const spendCollection: Collection<SpendRecord> = {
  fields: {
    agent_id: 'text',
    root_agent_id: 'text?',
    environment: 'text',
    status: 'text',
    amount: 'text|null',
    released_amount: 'text|null',
    committed_amount: 'text|null',
    committed_whole: 'boolean',
    currency: 'text|null',
    overrun_amount: 'text?',
    usage: 'json?',
    released_usage: 'json?',
    overrun_usage: 'json?',
    decimals: 'integer',
    held_until: 'text|null',
    permit_until: 'text?',
    due_at: 'text?',
    updated_at: 'text',
    expires_at: 'text?',
    takings: 'json',
  },
  lists: [[], ['account_id']],
  due: ['root_agent_id'],
  expires: true,
  isConfirmed: true,
  owner: { account: 'account_id', agent: 'agent_id' },
};
