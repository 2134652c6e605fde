/** The comparison of two versions of a passport. Types only, no code. */
import type { Intent } from '../records.ts';
import type { AgentHistory, ApprovalFact, ProofFact, SpentBudgets } from './asked.ts';
import type { Reason } from './reason.ts';
import type { Instant } from './value.ts';

/** The result of a comparison: `crossing` when the later passport allows more in one place and less in another. */
export type ComparisonResult = 'equal' | 'narrower' | 'wider' | 'crossing';

/** The comparison of two passports: the intents that only one of them allows. */
export interface Comparison {
  /**
   * The result: `equal` if both lists are empty, `wider` or `narrower` if only this list has entries, else `crossing`.
   */
  readonly result: ComparisonResult;
  /**
   * Intents that the later passport allows and the earlier passport denies, one for each code, in the order of the
   * codes.
   */
  readonly wider: readonly Difference[];
  /** Intents that the later passport denies and the earlier one allows. */
  readonly narrower: readonly Difference[];
}

/** An intent that one of two passports allows and the other denies. */
export interface Difference {
  /** The code of the first reason of the passport that denies. */
  readonly code: Reason['code'];
  /** The reasons of the passport that denies. */
  readonly reasons: readonly Reason[];
  /** The intent, which `decide` has evaluated under both passports; `null` for a difference that no intent shows. */
  readonly intent: Intent | null;
  /** The instant at which the intent was evaluated. */
  readonly at: Instant;
  /** The other facts that the passport that allows was asked with. */
  readonly allowed: AskedWith;
  /** The other facts that the passport that denies was asked with. */
  readonly denied: AskedWith;
}

/** The facts of an intent in addition to its instant, as in `Question` of `decide`. */
export interface AskedWith {
  /** The use of the budgets. */
  readonly budgets?: SpentBudgets;
  /** The history of the agents. */
  readonly history?: AgentHistory;
  /** The state of the approval that the intent names. */
  readonly approval?: ApprovalFact;
  /** The result of checking the proof of the intent. */
  readonly proof?: ProofFact;
}
