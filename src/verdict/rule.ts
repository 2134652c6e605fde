import type { AgentHistory, ApprovalFact, ProofFact, SpentBudgets } from '../records/asked.ts';
import type { Amount, Instant, Intent, Passport, Reason } from '../records.ts';
import type { Policy } from './policy.ts';
import type { PreparedPassport } from './prepare.ts';

/** The input of `decide`. */
export interface Question {
  /** The passport of the agent, plain or prepared. `null` or `undefined` if there is none. */
  readonly passport: Passport | PreparedPassport | null | undefined;
  /** The action that the agent is about to take. */
  readonly intent: Intent;
  /** The instant of the evaluation: milliseconds since the Unix epoch, or RFC 3339 text. */
  readonly at: number | Instant;
  /** The caller. Absent for the application itself, which sees every passport. */
  readonly caller?: Caller | null | undefined;
  /**
   * The passports of the agent's ancestors, nearest first: its parent, the parent of its parent, and so on. Without
   * them an agent with a parent may do nothing. Ignored for an agent without a parent.
   */
  readonly ancestors?: readonly (Passport | PreparedPassport)[] | undefined;
  /** The result of checking the proof of possession. Absent if the intent has none. */
  readonly proof?: ProofFact | undefined;
  /** The earlier actions of the agents. Without this history, every action with a pace or a rule of order is denied. */
  readonly history?: AgentHistory | undefined;
  /** The used parts of the budgets. Without them, an agent with budgets may do nothing. */
  readonly budgets?: SpentBudgets | undefined;
  /**
   * The state of the approval that the intent names. Absent if the intent names none. The approval is evaluated even if
   * no approval is required.
   */
  readonly approval?: ApprovalFact | undefined;
}

/** The caller of a verdict. Each field that is set limits the passports that the caller may see. */
export interface Caller {
  /** Limits the caller to passports with this `account_id`. */
  readonly account_id?: string;
  /** Limits the caller to these agents, at most 100,000. `null`: all agents. */
  readonly agent_ids?: readonly string[] | null;
}

/**
 * The facts for a rule, read once from the input and frozen. `undefined`: the intent does not have the member. `null`:
 * the member has an invalid value.
 */
export interface Facts {
  /** A copy of the passport from the time when it was prepared. */
  readonly passport: Passport;
  /** A copy of the intent, which was not validated. Members with the value `undefined` remain only in `parameters`. */
  readonly intent: Intent;
  /** The instant of the evaluation, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** The action. `''` if the intent has none. */
  readonly action: string;
  /** The target, a DID. */
  readonly target: string | null | undefined;
  /** The amount: an exact decimal in the valid range, with at most as many decimals as its currency has. */
  readonly amount: Amount | null | undefined;
  /** The ISO 4217 code in the intent. */
  readonly currency: string | null | undefined;
}

/** @internal The parts of the input that reasons contain. */
export interface Asked extends Pick<Facts, 'amount' | 'currency'> {
  readonly policy: Policy;
}

/** @internal The facts that the default rules read. Rules of the application never see them. */
export interface Evaluated extends Asked, Omit<Facts, 'passport' | 'intent'> {
  readonly isTargetNamed: boolean;
}

/**
 * A rule: returns nothing, or a reason against the intent. A rule must be synchronous and read only the facts, so that
 * the same question gives the same verdict. If a rule throws or returns anything else, the verdict is a DENY with
 * `rule_failed`.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a rule may end without a return
export type Rule = (facts: Facts) => Reason | null | undefined | void;
