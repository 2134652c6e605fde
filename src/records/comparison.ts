/** The comparison of two versions of a passport. Types only, no code. */
import type { Intent } from '../records.ts';
import type { AgentHistory, ApprovalFact, ProofFact, SpentBudgets } from './asked.ts';
import type { Reason } from './reason.ts';
import type { Instant } from './value.ts';

/**
 * The result of a comparison. `wider`: the later passport allows more intents. `narrower`: it allows fewer
 * intents. `crossing`: it allows some intents that the earlier passport denies, and denies some intents that
 * the earlier passport allows.
 */
export type ComparisonResult = 'equal' | 'narrower' | 'wider' | 'crossing';

/** The comparison of two versions of a passport: the intents that only one of them allows. */
export interface Comparison {
  /**
   * The result. `equal`: both lists are empty. `wider` or `narrower`: only the list of that name has entries.
   * `crossing`: both have entries.
   */
  readonly result: ComparisonResult;
  /** Intents that only the later passport allows: one for each code, in the order of the codes. */
  readonly wider: readonly Difference[];
  /** Intents that only the earlier passport allows. */
  readonly narrower: readonly Difference[];
}

/** An intent that one version of a passport allows and the other denies. */
export interface Difference {
  /** The code of the first reason of the denial. */
  readonly code: Reason['code'];
  /** The reasons of the denial. */
  readonly reasons: readonly Reason[];
  /** The intent, which `decide` has evaluated with both passports. `null` if no single intent shows the difference. */
  readonly intent: Intent | null;
  /** The instant at which the intent was evaluated. */
  readonly at: Instant;
  /** The data, in addition to the intent, with which `decide` evaluated the passport that allows the intent. */
  readonly allowed: AskedWith;
  /** The data, in addition to the intent, with which `decide` evaluated the passport that denies it. */
  readonly denied: AskedWith;
}

/** The data of an intent in addition to its instant, as in `Question` of `decide`. */
export interface AskedWith {
  /** The used part of the budgets. */
  readonly budgets?: SpentBudgets;
  /** The results of paces and rules of order. */
  readonly history?: AgentHistory;
  /** The state of the approval that the intent names. */
  readonly approval?: ApprovalFact;
  /** The result of checking the proof of possession of the intent. */
  readonly proof?: ProofFact;
}
