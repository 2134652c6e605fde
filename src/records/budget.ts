/** Budgets, what was spent of them or is held, and when a person is asked. Types only; nothing here runs. */
import type { Amount, Environment, Instant } from './value.ts';

/** The part of the calendar, in UTC, that a budget is for; a week is that of ISO 8601, from Monday. */
export type BudgetWindow = 'hour' | 'day' | 'week' | 'month' | 'year' | 'lifetime';

/** How much, or how often, an agent may do something in a window of time. Either `limit` or `count`. */
export interface Budget {
  /** `[a-z][a-z0-9_-]{0,31}`, unique in the passport; absent: the name of the window. */
  readonly name?: string;
  /** After each it begins again at 0. */
  readonly window: BudgetWindow;
  /** The most that its intents may move together, in the currency of the passport: an exact decimal of at most 2^53 - 1 minor units. */
  readonly limit?: Amount;
  /** How many of its intents are allowed; 1 to 10^9. */
  readonly count?: number;
  /** Actions and patterns that it counts, 1 to 256; absent: every action. */
  readonly actions?: readonly string[];
}

/** Which intents a person has to approve. At least one of `above` and `actions`. */
export interface ApprovalRequirement {
  /** Those that move more than this amount, in the currency of the passport. */
  readonly above?: Amount;
  /** Those with one of these actions and patterns; 1 to 256. */
  readonly actions?: readonly string[];
  /** How long an approval may be given and used: 60 to 604,800; default 3,600. */
  readonly seconds?: number;
}

/** How much of a budget is used. Either `limit` or `count` is `null`; all else is in the unit of the other. */
export interface BudgetState {
  /** The `agent_id` of the passport that has the budget. */
  readonly agent_id: string;
  /** As the passport names it. */
  readonly name: string;
  /** As the passport says. */
  readonly window: BudgetWindow;
  /** `null` for a budget that counts intents. */
  readonly limit: Amount | null;
  /** `null` for a budget of money. */
  readonly count: number | null;
  /** Without what is held. */
  readonly spent: Amount;
  /** Reserved, and neither committed nor released yet. */
  readonly held: Amount;
  /** `limit` or `count`, less `spent` and `held`; at least 0. */
  readonly remaining: Amount;
  /** The end of the window; `null` for `lifetime`. */
  readonly resets_at: Instant | null;
}

/** How much of a budget is used now. */
export interface BudgetReport extends BudgetState {
  /** The start of the window; `null` for `lifetime`. */
  readonly window_start: Instant | null;
}

/**
 * `held`: reserved until `held_until`; `committed`: spent; `released`: all of it went back; `lapsed`: it was held for too
 * long, and all of it went back.
 */
export type SpendStatus = 'held' | 'committed' | 'released' | 'lapsed';

/** What an ALLOW has spent of budgets, or holds. */
export interface Spend {
  /** The verdict that made it. */
  readonly decision_id: string;
  /** Who may spend it. */
  readonly agent_id: string;
  /** Each has its own budgets. */
  readonly environment: Environment;
  /** As of now. */
  readonly status: SpendStatus;
  /** What was allowed; `null` for an intent without an amount. */
  readonly amount: Amount | null;
  /** What went back of it; `null` for an intent without an amount. */
  readonly released_amount: Amount | null;
  /** That of the intent; `null` without one. */
  readonly currency: string | null;
  /** Up to here it is held, without this instant; `null` for what was spent at once. */
  readonly held_until: Instant | null;
  /** When it was allowed. */
  readonly created_at: Instant;
  /** Its last change. */
  readonly updated_at: Instant;
}

/** The budgets of a passport, in its order. */
export interface BudgetList {
  /** At most 8. */
  readonly data: readonly BudgetReport[];
}
