/** Budgets, their use, and the rule for approvals. Types only, no code. */
import type { Amount, Environment, Instant } from './value.ts';

/**
 * The window of a budget: a calendar period in UTC, in which weeks start on Monday (ISO 8601), or a rolling window. A
 * rolling window is the last hour, day, 7 days or 30 days before each intent.
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

/** A unit of budgets that is not money. `tokens` are whole numbers; `credits` have at most 6 decimals. */
export type BudgetUnit = 'tokens' | 'credits';

/**
 * The usage that an intent names for budgets with a `unit`. It names at least one unit, each with an exact number from
 * 0 to 10^12.
 */
export interface IntentUsage {
  /** The tokens, a whole number. */
  readonly tokens?: Amount;
  /** The credits, with at most 6 decimals. */
  readonly credits?: Amount;
}

/** A limit on the sum (`limit`) or the number (`count`) of intents in a time window. Set exactly one of them. */
export interface Budget {
  /** The name, `[a-z][a-z0-9_-]{0,31}`, unique in the passport. Absent: the name of the window. */
  readonly name?: string;
  /** The window. A budget with a calendar window starts again at 0 in each window. */
  readonly window: BudgetWindow;
  /**
   * The maximum sum of its intents, in the currency of the passport or in `unit`: an exact decimal of at most 2^53 - 1
   * minor units.
   */
  readonly limit?: Amount;
  /**
   * The unit of the limit. Absent: money. A unit requires `actions`. The intents of these actions must have a `usage`
   * in this unit.
   */
  readonly unit?: BudgetUnit;
  /** The maximum number of allowed intents; 1 to 10^9. */
  readonly count?: number;
  /** The actions and patterns that it counts, 1 to 256. Absent: every action. */
  readonly actions?: readonly string[];
  /**
   * `true`: when you commit a hold, you may commit up to ten times the held amount, so the sum may exceed the
   * limit. Always `true` for a budget with a `unit`. Default: `false`. Not allowed with `count`.
   */
  readonly overrun?: boolean;
  /**
   * The part of `limit` or `count` at which the event `budget.threshold` is sent, counting spent and held amounts: 0.01
   * to 0.99, with at most 2 decimals.
   */
  readonly warn_at?: number;
}

/**
 * The approvers that count. `anyone`: all approvers. `another`: all approvers except the person who asked and the
 * person behind the passport. The person behind the passport issued it, or made the last change that lets its agent do
 * more.
 */
export type ApprovalBy = 'anyone' | 'another';

/** Says which intents and changes people must approve. Set at least one of `above`, `actions` and `changes: true`. */
export interface ApprovalRequirement {
  /** The amount above which an intent needs an approval, in the currency of the passport. */
  readonly above?: Amount;
  /** The actions and patterns that need an approval; 1 to 256. */
  readonly actions?: readonly string[];
  /** The seconds in which people must give the approval and the agent must use it, 60 to 604,800. Default: 3,600. */
  readonly seconds?: number;
  /** The number of different people who must approve, 1 to 3. Default 1. */
  readonly count?: number;
  /**
   * The approvers that count: `anyone` (default) or `another`. `another` excludes the person who asked. It also
   * excludes the person who issued the passport or made the last change that lets its agent do more.
   */
  readonly by?: ApprovalBy;
  /** `true`: a change of this passport that lets the agent do more must also be approved. Default: `false`. */
  readonly changes?: boolean;
}

/**
 * The used part of a budget. Either `limit` or `count` is `null`. `spent`, `held` and `remaining` have the
 * unit of `limit`. For a budget with a `count`, they are numbers of intents.
 */
export interface BudgetState {
  /** The `agent_id` of the passport that has the budget. */
  readonly agent_id: string;
  /** The name of the budget. */
  readonly name: string;
  /** The window of the budget. */
  readonly window: BudgetWindow;
  /** The limit. `null` for a budget that counts intents. */
  readonly limit: Amount | null;
  /** The maximum number of intents. `null` for a budget with a limit. */
  readonly count: number | null;
  /** The spent amount. For a rolling window, it includes held amounts, because the window cannot tell them apart. */
  readonly spent: Amount;
  /** The amount that is held, and not yet committed or released. 0 for a rolling window. */
  readonly held: Amount;
  /** The remaining amount: `limit` or `count` minus `spent` and `held`. Never below 0. */
  readonly remaining: Amount;
  /** The end of the window. `null` for `lifetime` and for a rolling window. */
  readonly resets_at: Instant | null;
  /** The unit of the amounts. Absent for money, and for a budget that counts intents. */
  readonly unit?: BudgetUnit;
}

/** The current use of a budget, with the start of its window. */
export interface BudgetReport extends BudgetState {
  /** The start of the window. `null` for `lifetime` and for a rolling window. */
  readonly window_start: Instant | null;
}

/**
 * The status of a spend. A permit may be valid for longer than its hold. In this case the spend becomes `committed` at
 * the end of the hold, because a resource may still act.
 *
 * - `held`: held until `held_until`.
 * - `committed`: spent.
 * - `released`: refunded in full.
 * - `lapsed`: the hold has expired, and was refunded in full.
 */
export type SpendStatus = 'held' | 'committed' | 'released' | 'lapsed';

/** The amount that an ALLOW spends from budgets, or holds. */
export interface Spend {
  /** The verdict of the spend. */
  readonly decision_id: string;
  /** The agent of the intent. */
  readonly agent_id: string;
  /** The environment. Each environment has separate budgets. */
  readonly environment: Environment;
  /** The current status. */
  readonly status: SpendStatus;
  /** The allowed amount. `null` for an intent without an amount. */
  readonly amount: Amount | null;
  /** The refunded amount. `null` for an intent without an amount. */
  readonly released_amount: Amount | null;
  /** The currency of the intent. `null` if it has none. */
  readonly currency: string | null;
  /** The amount that was committed above the hold. Absent if there is none. */
  readonly overrun_amount?: Amount;
  /** The allowed usage. Absent for an intent without usage. */
  readonly usage?: IntentUsage;
  /** The refunded usage. Absent if there is none. */
  readonly released_usage?: IntentUsage;
  /** The usage that was committed above the hold. Absent if there is none. */
  readonly overrun_usage?: IntentUsage;
  /** The instant at which the hold ends. `null` for an amount that was spent at once. */
  readonly held_until: Instant | null;
  /**
   * The instant until which a resource may accept the permit of the verdict. Until then the spend cannot be refunded.
   * `null` without a permit.
   */
  readonly permit_until: Instant | null;
  /** The instant at which it was allowed. */
  readonly created_at: Instant;
  /** The instant of its last change. */
  readonly updated_at: Instant;
}

/** The budgets of a passport, in the same order as in the passport. */
export interface BudgetList {
  /** The budgets, at most 8. */
  readonly data: readonly BudgetReport[];
}

/** The state of a budget that has reached its `warn_at`. */
export interface BudgetThreshold {
  /** The `agent_id` of the passport that has the budget. */
  readonly agent_id: string;
  /** The environment. Each environment has separate budgets. */
  readonly environment: Environment;
  /** The name of the budget. */
  readonly name: string;
  /** The window of the budget. */
  readonly window: BudgetWindow;
  /** The part of the limit or the count that was reached. */
  readonly warn_at: number;
  /** The limit. Absent for a budget that counts intents. */
  readonly limit?: Amount;
  /** The maximum number of intents. Absent for a budget with a limit. */
  readonly count?: number;
  /** The unit of the limit. Absent for money, and for a budget that counts intents. */
  readonly unit?: BudgetUnit;
  /** The spent amount. For a rolling window, it includes held amounts, because the window cannot tell them apart. */
  readonly spent: Amount;
  /** The held amount. 0 for a rolling window. */
  readonly held: Amount;
}
