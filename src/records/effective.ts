/** The effective permissions of an agent. Types only, no code. */
import type { Budget, Condition, Order, Pace, Passport } from '../records.ts';

/** A budget that binds an agent. */
export interface EffectiveBudget extends Budget {
  /** The `agent_id` of the passport that has the budget: the agent's own passport, or a passport above it. */
  readonly agent_id: string;
}

/** A condition that binds an agent. */
export interface EffectiveCondition extends Condition {
  /** The `agent_id` of the passport that has the condition: the agent's own passport, or a passport above it. */
  readonly agent_id: string;
}

/** A pace that binds an agent. */
export interface EffectivePace extends Pace {
  /** The `agent_id` of the passport that has the pace: the agent's own passport, or a passport above it. */
  readonly agent_id: string;
}

/** A rule of order that binds an agent. */
export interface EffectiveOrder extends Order {
  /** The `agent_id` of the passport that has the rule: the agent itself, or one above it. */
  readonly agent_id: string;
}

/** The fields that name, describe or date a passport. No verdict depends on them. */
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
 * The combined permissions of an agent's passport and its ancestors, in the fields of a passport, for people to read.
 * A verdict does not use it, because it evaluates each passport.
 *
 * Lists may be longer than the lists of a passport. If two of the passports name different currencies, no amount is
 * allowed and the limit is 0.
 */
export interface EffectivePassport
  extends Omit<Passport, PassportNote | 'budgets' | 'conditions' | 'pace' | 'order' | 'revoked_at'> {
  /** The agents above, nearest first; empty for an agent without a parent. */
  readonly ancestors: readonly string[];
  /** The budgets of all these passports. The budgets of the agent are first. All must hold. */
  readonly budgets?: readonly EffectiveBudget[];
  /** The conditions of all these passports. The conditions of the agent are first. All must hold. */
  readonly conditions?: readonly EffectiveCondition[];
  /** The paces of all these passports, first of the agent; all of them must hold. */
  readonly pace?: readonly EffectivePace[];
  /** The rules of order of all these passports, first of the agent; all of them must hold. */
  readonly order?: readonly EffectiveOrder[];
}
