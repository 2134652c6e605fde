import type { Reason, ReasonCode } from '../records.ts';

/**
 * Every code of ours with its sentence, in the order in which reasons are listed; `''` where the code is the sentence:
 * `agent_not_yet_valid` is "The agent is not yet valid."
 */
const SENTENCES = {
  agent_not_found: '',
  agent_revoked: '',
  agent_suspended: '',
  agent_expired: '',
  agent_not_yet_valid: '',
  action_denied: '',
  action_not_allowed: '',
  target_invalid: '',
  target_required: '',
  target_not_allowed: '',
  amount_invalid: 'The amount is not an exact decimal in range.',
  amount_required: '',
  currency_invalid: 'The currency is not an ISO 4217 code.',
  currency_mismatch: 'The currency is not allowed.',
  amount_over_limit: 'The amount is over the limit.',
  rule_failed: 'The rule failed.',
} as const satisfies Readonly<Record<ReasonCode, string>>;

// INVARIANT: the bit of a rule is the place of its code in `SENTENCES`.
/** @internal No such passport for whoever asks. */
export const AGENT_NOT_FOUND: number = 1;
/** @internal For ever. */
export const AGENT_REVOKED: number = 1 << 1;
/** @internal Until its end, where it has one. */
export const AGENT_SUSPENDED: number = 1 << 2;
/** @internal From `expires_at` on. */
export const AGENT_EXPIRED: number = 1 << 3;
/** @internal Before `not_before`. */
export const AGENT_NOT_YET_VALID: number = 1 << 4;
/** @internal In `denied_actions`. */
export const ACTION_DENIED: number = 1 << 5;
/** @internal Not in `allowed_actions`. */
export const ACTION_NOT_ALLOWED: number = 1 << 6;
/** @internal No DID. */
export const TARGET_INVALID: number = 1 << 7;
/** @internal None, where the passport names targets. */
export const TARGET_REQUIRED: number = 1 << 8;
/** @internal A DID that the passport does not name. */
export const TARGET_NOT_ALLOWED: number = 1 << 9;
/** @internal No exact decimal in range. */
export const AMOUNT_INVALID: number = 1 << 10;
/** @internal None, for an action in `monetary_actions`. */
export const AMOUNT_REQUIRED: number = 1 << 11;
/** @internal No ISO 4217 code. */
export const CURRENCY_INVALID: number = 1 << 12;
/** @internal Not the passport's. */
export const CURRENCY_MISMATCH: number = 1 << 13;
/** @internal More than `monetary_limit_per_txn`. */
export const AMOUNT_OVER_LIMIT: number = 1 << 14;

/** @internal Every reason of ours, in the order of `SENTENCES`, as far as it is the same for all. */
export const HEADS: readonly Reason[] = Object.entries(SENTENCES).map(([code, sentence]) => {
  return { code, message: sentence || `The ${code.replace('_', ' is ').replaceAll('_', ' ')}.` };
});
