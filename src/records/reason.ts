/** Reasons and their codes. Types only, no code. */

/**
 * The codes of this package's reasons, in the order in which reasons are listed. An application's own rules add their
 * own codes.
 */
export type ReasonCode =
  | 'agent_not_found'
  | 'agent_revoked'
  | 'agent_suspended'
  | 'agent_expired'
  | 'agent_not_yet_valid'
  | 'action_denied'
  | 'action_not_allowed'
  | 'target_invalid'
  | 'target_required'
  | 'target_not_allowed'
  | 'amount_invalid'
  | 'amount_required'
  | 'currency_invalid'
  | 'currency_mismatch'
  | 'amount_over_limit'
  | 'usage_required'
  | 'parameter_required'
  | 'parameter_not_allowed'
  | 'session_required'
  | 'parent_not_found'
  | 'parent_denied'
  | 'proof_required'
  | 'proof_invalid'
  | 'proof_expired'
  | 'rule_failed'
  | 'permit_unavailable'
  | 'token_unavailable'
  | 'proof_replayed'
  | 'history_unknown'
  | 'order_required'
  | 'order_forbidden'
  | 'pace_exceeded'
  | 'budget_exceeded'
  | 'budget_unknown'
  | 'too_many_holds'
  | 'approval_required'
  | 'approval_pending'
  | 'approval_rejected'
  | 'approval_expired'
  | 'approval_used'
  | 'approval_mismatch';

/** A reason why a verdict is not ALLOW: a stable code, a fixed message, and details. */
export interface Reason {
  /** A code of this package, or `[a-z][a-z0-9_]{0,63}` from an application's own rule. */
  readonly code: ReasonCode | (string & Record<never, never>);
  /** The message, which is the same for every reason with this code. */
  readonly message: string;
  readonly [fact: string]: string | number | boolean | null;
}
