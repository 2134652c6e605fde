/** Defines the stored records of spends: the amounts that verdicts of `ALLOW` took from budgets. */

import type { Collection } from '../../ports/collection.ts';
import type { RecordBase } from '../../ports/stored.ts';
import type { BudgetUnit, Environment, Instant, SpendStatus } from '../../records.ts';

/** An amount that a spend took from one budget. It is refunded when the spend is released. */
export type SpendTaking = {
  /**
   * The name of the counter of amounts that are spent or held. A rolling window has several spans of time,
   * and each span has its own counter.
   */
  readonly used: string;
  /** The name of the counter of held amounts; absent for a rolling window. */
  readonly held?: string;
  /** The amount, in the unit of the counters. */
  readonly by: number;
  /**
   * `true` for money. A release can refund a part of a money amount, but only the whole number of intents,
   * tokens or credits.
   */
  readonly is_money: boolean;
  /** The unit; absent for money and for intents. */
  readonly unit?: BudgetUnit;
  /** `true` if the commit may be higher than the hold, otherwise absent. */
  readonly overrun?: true;
  /** The instant at which the counters expire. `null`: never. */
  readonly expires_at: Instant | null;
};

/** A usage, as canonical decimal text. */
export type StoredUsage = { readonly [Unit in BudgetUnit]?: string };

/** The amount that an ALLOW spent or holds. Its `id` is the `decision_id`. Amounts are canonical decimal text. */
export type SpendRecord = RecordBase & {
  readonly agent_id: string;
  /**
   * The topmost agent in the chain of parent agents. All agents that can hold amounts of these budgets have
   * the same topmost agent, so a search by it finds all these holds.
   */
  readonly root_agent_id?: string;
  readonly environment: Environment;
  readonly status: SpendStatus;
  readonly amount: string | null;
  readonly released_amount: string | null;
  /** The committed amount; `null` before that. */
  readonly committed_amount: string | null;
  /** `true` if the whole held amount was committed. */
  readonly committed_whole: boolean;
  readonly currency: string | null;
  /** The amount that was committed above the hold. Absent if there is none. */
  readonly overrun_amount?: string;
  /** The usage that the verdict allowed. Absent if the intent has none. */
  readonly usage?: StoredUsage;
  /** The refunded usage. Absent if there is none. */
  readonly released_usage?: StoredUsage;
  /** The usage that was committed above the hold. Absent if there is none. */
  readonly overrun_usage?: StoredUsage;
  /** The number of decimals of the currency. */
  readonly decimals: number;
  /** The end of the hold. `null` for an amount that was spent at once. */
  readonly held_until: Instant | null;
  /** The instant until which a resource may accept the permit of the spend. Absent without a permit. */
  readonly permit_until?: Instant;
  /** The same as `held_until` while the amount is held. */
  readonly due_at?: Instant;
  readonly updated_at: Instant;
  /** The instant from which the record may be deleted. Absent while the amount is held. */
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
