/** What an agent may do in effect. Types only; nothing here runs. */
import type { Budget, Passport } from '../records.ts';

/** A budget that binds an agent. */
export interface EffectiveBudget extends Budget {
  /** Of the passport that has it: the agent itself, or one above it. */
  readonly agent_id: string;
}

/**
 * What the passport of an agent and all those above it allow together, in the fields of a passport, for people to read.
 * Lists may be longer than those of a passport. Where two of them name different currencies no amount passes, and the
 * limit is 0. A verdict is not judged by this but by each passport.
 */
export interface EffectivePassport
  extends Omit<
    Passport,
    | 'domain'
    | 'agent_name'
    | 'budgets'
    | 'public_keys'
    | 'description'
    | 'metadata'
    | 'version'
    | 'created_at'
    | 'updated_at'
    | 'suspended_by'
    | 'suspension_reason'
    | 'revoked_at'
    | 'revoked_by'
    | 'revocation_reason'
  > {
  /** The agents above, nearest first; empty for one without a parent. */
  readonly ancestors: readonly string[];
  /** Those of all of them, of the agent itself first; all must hold. */
  readonly budgets?: readonly EffectiveBudget[];
}
