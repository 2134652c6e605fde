import type { AgentHistory, ApprovalFact, ProofFact, SpentBudgets } from '../records/asked.ts';
import type { Amount, Instant, Intent, Passport, Reason } from '../records.ts';
import type { Policy } from './policy.ts';
import type { PreparedPassport } from './prepare.ts';

/** The question that `decide` answers. */
export interface Question {
  /** The passport of the agent, plain or prepared; `null` or `undefined` when there is none. */
  readonly passport: Passport | PreparedPassport | null | undefined;
  /** The action that the agent is about to take. */
  readonly intent: Intent;
  /** The instant to evaluate at: milliseconds since the Unix epoch, or RFC 3339 text. */
  readonly at: number | Instant;
  /** The caller. Absent for the trusted application, which sees every passport. */
  readonly caller?: Caller | null | undefined;
  /**
   * The passports above the agent, nearest first: its parent, the parent of its parent, and so on. Without them an
   * agent with a parent may do nothing. Ignored for an agent without a parent.
   */
  readonly ancestors?: readonly (Passport | PreparedPassport)[] | undefined;
  /** The result of checking the proof of the intent; absent when the intent brings none. */
  readonly proof?: ProofFact | undefined;
  /** The history of the agents until now; without it an agent may do nothing that a pace or order names. */
  readonly history?: AgentHistory | undefined;
  /** The use of the budgets until now; without it an agent with budgets may do nothing. */
  readonly budgets?: SpentBudgets | undefined;
  /**
   * The state of the approval that the intent names; absent when it names none. It is evaluated even when no approval is
   * needed.
   */
  readonly approval?: ApprovalFact | undefined;
}

/** The caller of a verdict. Each field that is present narrows what the caller sees. */
export interface Caller {
  /** Limits the caller to passports with this `account_id`. */
  readonly account_id?: string;
  /** Limits the caller to these agents, at most 100,000; `null`: all agents. */
  readonly agent_ids?: readonly string[] | null;
}

/**
 * The facts that a rule sees, read once from the question and frozen. `undefined`: the intent does not have the member.
 * `null`: the member has an invalid value.
 */
export interface Facts {
  /** A copy of the passport, made when it was prepared. */
  readonly passport: Passport;
  /** A copy of the intent. It was not validated. Only in `parameters` do members with the value `undefined` stay. */
  readonly intent: Intent;
  /** The instant of the question, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** The action; `''` when the intent names none. */
  readonly action: string;
  /** The target, a DID. */
  readonly target: string | null | undefined;
  /** The amount: an exact decimal in range, with no more decimals than its currency has. */
  readonly amount: Amount | null | undefined;
  /** The ISO 4217 code that the intent names. */
  readonly currency: string | null | undefined;
}

/** @internal The parts of a question that reasons show. */
export interface Asked extends Pick<Facts, 'amount' | 'currency'> {
  readonly policy: Policy;
}

/** @internal The facts that our own rules read. Rules of the application never see them. */
export interface Judged extends Asked, Omit<Facts, 'passport' | 'intent'> {
  /** True when the passport lists the target. */
  readonly isTargetNamed: boolean;
}

/**
 * A rule: returns nothing, or the reason against the intent. It is synchronous and reads only the facts, so that the
 * same question gives the same verdict. A rule that throws or returns anything else denies with `rule_failed`.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a rule may end without a return
export type Rule = (facts: Facts) => Reason | null | undefined | void;
