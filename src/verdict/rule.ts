import type { Amount, Instant, Intent, Passport, Reason } from '../records.ts';
import type { ApprovalFact } from './approval.ts';
import type { SpentBudgets } from './budgets.ts';
import type { Policy } from './policy.ts';
import type { PreparedPassport } from './prepare.ts';
import type { ProofFact } from './proof.ts';

/** What `decide` is asked. */
export interface Question {
  /** The passport of the agent, plain or prepared; `null` or `undefined` when there is none. */
  readonly passport: Passport | PreparedPassport | null | undefined;
  /** What the agent is about to do. */
  readonly intent: Intent;
  /** The instant to judge at: milliseconds since the Unix epoch, or RFC 3339 text. */
  readonly at: number | Instant;
  /** Who asks; absent for the trusted host, which sees every passport. */
  readonly caller?: Caller | null | undefined;
  /**
   * The passports above that of the agent, nearest first: that of its parent, that of its parent's parent and so on. An
   * agent with a parent may do nothing without them; of one that has none they are not looked at.
   */
  readonly ancestors?: readonly (Passport | PreparedPassport)[] | undefined;
  /** What the proof of the intent came to; absent: the intent brings none. */
  readonly proof?: ProofFact | undefined;
  /** What was spent of the budgets until then; without it an agent with budgets may do nothing. */
  readonly budgets?: SpentBudgets | undefined;
  /** What the approval of the intent came to; absent: the intent names none. It is judged whether one is needed or not. */
  readonly approval?: ApprovalFact | undefined;
}

/** Who asks. Every field that is present narrows what is seen. */
export interface Caller {
  /** Sees only passports whose `account_id` is this. */
  readonly account_id?: string;
  /** Sees only these agents, at most 100,000; `null` for all. */
  readonly agent_ids?: readonly string[] | null;
}

/**
 * What a rule looks at, read once from the question and frozen throughout. `undefined` says that the intent does not
 * carry it; `null`, that it carries something else in its place.
 */
export interface Facts {
  /** A copy of the passport, as it was when it was prepared. */
  readonly passport: Passport;
  /** A copy of the intent: only as well-formed as the caller made it. A member that is `undefined` is left out. */
  readonly intent: Intent;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** `''` when the intent names none. */
  readonly action: string;
  /** A DID. */
  readonly target: string | null | undefined;
  /** An exact decimal in range, with no more decimals than the currency that counts. */
  readonly amount: Amount | null | undefined;
  /** The ISO 4217 code that the intent names. */
  readonly currency: string | null | undefined;
}

/** @internal What reasons say of a question. */
export interface Asked extends Pick<Facts, 'amount' | 'currency'> {
  readonly policy: Policy;
}

/** @internal What our own rules look at. Never given to a rule of the host: one policy judges for all who ask. */
export interface Judged extends Asked, Omit<Facts, 'passport' | 'intent'> {
  /** Whether the passport names targets, and this among them. */
  readonly isTargetNamed: boolean;
}

/**
 * Answers nothing, or the reason why not. A rule is synchronous and looks at nothing but the facts, so that the
 * same question gives the same verdict. One that throws or answers anything else denies with `rule_failed`.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a rule may end without a return
export type Rule = (facts: Facts) => Reason | null | undefined | void;
