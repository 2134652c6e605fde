/** The effective permissions of an agent. Types only, no code. */
import type { Budget, Condition, Order, Pace, Passport } from '../records.ts';

/** A budget that limits an agent. */
export interface EffectiveBudget extends Budget {
  /** The `agent_id` of the passport that has the budget: the agent's own passport, or the passport of an ancestor. */
  readonly agent_id: string;
}

/** A condition that limits an agent. */
export interface EffectiveCondition extends Condition {
  /**
   * The `agent_id` of the passport that has the condition: the agent's own passport, or the passport of an ancestor.
   */
  readonly agent_id: string;
}

/** A pace that limits an agent. */
export interface EffectivePace extends Pace {
  /** The `agent_id` of the passport that has the pace: the agent's own passport, or the passport of an ancestor. */
  readonly agent_id: string;
}

/** A rule of order that limits an agent. */
export interface EffectiveOrder extends Order {
  /** The `agent_id` of the passport that has the rule: the agent's own passport, or the passport of an ancestor. */
  readonly agent_id: string;
}

/** The fields with names, descriptions and dates of a passport. No verdict depends on them. */
export type PassportNote =
  | 'domain'
  | 'agent_name'
  | 'public_keys'
  | 'trusted_issuers'
  | 'description'
  | 'metadata'
  | 'owner'
  | 'last_seen_at'
  | 'managed_by'
  | 'version'
  | 'created_at'
  | 'updated_at'
  | 'suspended_by'
  | 'suspension_reason'
  | 'revoked_by'
  | 'revocation_reason';

/**
 * The combined permissions of an agent's passport and the passports of its ancestors, for people to read. It has the
 * fields of a passport. It does not decide any verdict: a verdict evaluates each of these passports separately.
 *
 * Lists may be longer than in a passport. If two of the passports have different currencies, no amount is
 * allowed and the limit is 0.
 */
export interface EffectivePassport
  extends Omit<Passport, PassportNote | 'budgets' | 'conditions' | 'pace' | 'order' | 'revoked_at'> {
  /** The ancestors of the agent, nearest first. Empty for an agent without a parent. */
  readonly ancestors: readonly string[];
  /** The budgets of all these passports, the agent's own first. An intent must fit into all of them. */
  readonly budgets?: readonly EffectiveBudget[];
  /** The conditions of all these passports, the agent's own first. An intent must meet all of them. */
  readonly conditions?: readonly EffectiveCondition[];
  /** The paces of all these passports, the agent's own first. An intent must fit into all of them. */
  readonly pace?: readonly EffectivePace[];
  /** The rules of order of all these passports, the agent's own first. An intent must meet all of them. */
  readonly order?: readonly EffectiveOrder[];
}
