/** Budgets, their use, and the rule for approvals. Types only, no code. */
import type { Amount, Environment, Instant } from './value.ts';

/**
 * The window of a budget: a part of the calendar in UTC, where a week starts on Monday (ISO 8601). A rolling window is
 * the last hour, day, 7 days or 30 days before each intent.
 */
export type BudgetWindow =
  | 'hour'
  | 'day'
  | 'week'
  | 'month'
  | 'year'
  | 'lifetime'
  | 'rolling_hour'
  | 'rolling_day'
  | 'rolling_week'
  | 'rolling_month';

/** A unit of budgets that is no money: `tokens` are whole, `credits` have at most 6 decimals. */
export type BudgetUnit = 'tokens' | 'credits';

/** The usage that an intent names for budgets with a `unit`: at least one, each an exact number from 0 to 10^12. */
export interface IntentUsage {
  /** The tokens, a whole number. */
  readonly tokens?: Amount;
  /** The credits, with at most 6 decimals. */
  readonly credits?: Amount;
}

/** A limit on the sum (`limit`) or the number (`count`) of intents in a window of time. Set exactly one of them. */
export interface Budget {
  /** The name, `[a-z][a-z0-9_-]{0,31}`, unique in the passport; absent: the name of the window. */
  readonly name?: string;
  /** The window. A budget of the calendar starts again at 0 after each. */
  readonly window: BudgetWindow;
  /**
   * The most that its intents may move in total, in the currency of the passport or in `unit`: an exact decimal of at
   * most 2^53 - 1 minor units.
   */
  readonly limit?: Amount;
  /** The unit of the limit; absent: money. It needs `actions`. Their intents must name a `usage` in this unit. */
  readonly unit?: BudgetUnit;
  /** The most intents that are allowed; 1 to 10^9. */
  readonly count?: number;
  /** The actions and patterns that it counts, 1 to 256; absent: every action. */
  readonly actions?: readonly string[];
  /**
   * `true`: a commit may be above its hold, up to ten times. Then more than the limit may be spent. Default `false`;
   * a budget with a `unit` always is `true`. Not for a `count`.
   */
  readonly overrun?: boolean;
  /**
   * The part of `limit` or `count` that sends the event `budget.threshold` once it is spent or held: 0.01 to 0.99, with
   * at most 2 decimals.
   */
  readonly warn_at?: number;
}

/** The people whose approvals count: any, or none that asked for it or last widened the passport. */
export type ApprovalBy = 'anyone' | 'another';

/**
 * The rule that says which intents and changes people must approve. Set at least one of `above`, `actions` and
 * `changes: true`.
 */
export interface ApprovalRequirement {
  /** The amount above which an intent needs approval, in the currency of the passport. */
  readonly above?: Amount;
  /** The actions and patterns that need approval; 1 to 256. */
  readonly actions?: readonly string[];
  /** The seconds in which people can give the approval and the agent can use it, 60 to 604,800. Default 3,600. */
  readonly seconds?: number;
  /** The number of different people who must approve, 1 to 3. Default 1. */
  readonly count?: number;
  /**
   * The people whose approvals count: `anyone` (default), or `another`. With `another`, approvals do not count from the
   * person who asked, and from the person who issued the passport or last widened it.
   */
  readonly by?: ApprovalBy;
  /** `true`: a change of this passport that lets more happen must be approved as well. Default `false`. */
  readonly changes?: boolean;
}

/** The use of a budget. Either `limit` or `count` is `null`; the amounts are in the unit of the other. */
export interface BudgetState {
  /** The `agent_id` of the passport that has the budget. */
  readonly agent_id: string;
  /** The name of the budget. */
  readonly name: string;
  /** The window of the budget. */
  readonly window: BudgetWindow;
  /** The limit; `null` for a budget that counts intents. */
  readonly limit: Amount | null;
  /** The count; `null` for a budget of money. */
  readonly count: number | null;
  /** The amount spent, without held amounts; of a rolling window with them. */
  readonly spent: Amount;
  /** The amount reserved, and neither committed nor released yet; 0 for a rolling window. */
  readonly held: Amount;
  /** The remaining amount: `limit` or `count`, less `spent` and `held`. At least 0. */
  readonly remaining: Amount;
  /** The end of the window; `null` for `lifetime` and a rolling window. */
  readonly resets_at: Instant | null;
  /** The unit of the amounts; absent for money, and for a budget that counts intents. */
  readonly unit?: BudgetUnit;
}

/** The current use of a budget, with the start of its window. */
export interface BudgetReport extends BudgetState {
  /** The start of the window; `null` for `lifetime` and a rolling window. */
  readonly window_start: Instant | null;
}

/**
 * The status of a spend. A hold that ends before its permit is `committed`.
 *
 * - `held`: reserved until `held_until`.
 * - `committed`: spent.
 * - `released`: returned in full.
 * - `lapsed`: the hold has expired, and was returned in full.
 */
export type SpendStatus = 'held' | 'committed' | 'released' | 'lapsed';

/** The amount that an ALLOW has spent of budgets, or holds. */
export interface Spend {
  /** The verdict that made it. */
  readonly decision_id: string;
  /** The agent of the intent. */
  readonly agent_id: string;
  /** The environment. Each has its own budgets. */
  readonly environment: Environment;
  /** The current status. */
  readonly status: SpendStatus;
  /** The allowed amount; `null` for an intent without an amount. */
  readonly amount: Amount | null;
  /** The amount that was returned; `null` for an intent without an amount. */
  readonly released_amount: Amount | null;
  /** The currency of the intent; `null` if there is none. */
  readonly currency: string | null;
  /** The amount that was committed above the hold; absent without any. */
  readonly overrun_amount?: Amount;
  /** The allowed usage; absent for an intent without usage. */
  readonly usage?: IntentUsage;
  /** The usage that was returned; absent without any. */
  readonly released_usage?: IntentUsage;
  /** The usage that was committed above the hold; absent without any. */
  readonly overrun_usage?: IntentUsage;
  /** The instant at which the hold ends; `null` for an amount spent at once. */
  readonly held_until: Instant | null;
  /**
   * The instant until which a resource may accept the permit of the verdict; `null` without a permit. Until then nothing
   * of the spend goes back.
   */
  readonly permit_until: Instant | null;
  /** The instant at which it was allowed. */
  readonly created_at: Instant;
  /** The instant of its last change. */
  readonly updated_at: Instant;
}

/** The budgets of a passport, in its order. */
export interface BudgetList {
  /** The budgets, at most 8. */
  readonly data: readonly BudgetReport[];
}

/** The use of a budget that has reached its `warn_at`. */
export interface BudgetThreshold {
  /** The `agent_id` of the passport that has the budget. */
  readonly agent_id: string;
  /** The environment. Each has its own budgets. */
  readonly environment: Environment;
  /** The name of the budget. */
  readonly name: string;
  /** The window of the budget. */
  readonly window: BudgetWindow;
  /** The part of the limit or the count. */
  readonly warn_at: number;
  /** The limit; absent for a budget that counts intents. */
  readonly limit?: Amount;
  /** The count; absent for a budget with a limit. */
  readonly count?: number;
  /** The unit of the limit; absent for money and for a count. */
  readonly unit?: BudgetUnit;
  /** The amount spent, without held amounts; of a rolling window with them. */
  readonly spent: Amount;
  /** The amount reserved; 0 for a rolling window. */
  readonly held: Amount;
}
