import { matchesAction } from '../action.ts';
import { compareAmounts } from '../money.ts';
import type { Reason } from '../records.ts';
import { matchesTarget } from '../target.ts';
import type { Facts, Rule } from './rule.ts';

/** Every code of ours with its sentence, in the order in which reasons are listed. */
export const MESSAGES = {
  agent_not_found: 'The agent is unknown.',
  agent_revoked: 'The agent is revoked.',
  agent_suspended: 'The agent is suspended.',
  agent_expired: 'The agent is expired.',
  agent_not_yet_valid: 'The agent is not yet valid.',
  action_denied: 'The action is denied.',
  action_not_allowed: 'The passport does not allow this action.',
  target_invalid: 'The target is not a DID.',
  target_required: 'The target is required.',
  target_not_allowed: 'The passport does not allow this target.',
  amount_invalid: 'The amount is not an exact decimal in range.',
  amount_required: 'The amount is required.',
  currency_invalid: 'The currency is not an ISO 4217 code.',
  currency_mismatch: 'The passport does not allow this currency.',
  amount_over_limit: 'The amount is over the limit per transaction.',
  rule_failed: 'The rule failed.',
} as const;

/** The code of a reason of ours. A host's own rules add theirs. */
export type ReasonCode = keyof typeof MESSAGES;

/** INVARIANT: the bit of a rule is the place of its code in `MESSAGES`. */
const AGENT_REVOKED = 1 << 1;
const AGENT_SUSPENDED = 1 << 2;
const AGENT_EXPIRED = 1 << 3;
const AGENT_NOT_YET_VALID = 1 << 4;
const ACTION_DENIED = 1 << 5;
const ACTION_NOT_ALLOWED = 1 << 6;
const TARGET_INVALID = 1 << 7;
const TARGET_REQUIRED = 1 << 8;
const TARGET_NOT_ALLOWED = 1 << 9;
const AMOUNT_INVALID = 1 << 10;
const AMOUNT_REQUIRED = 1 << 11;
const CURRENCY_INVALID = 1 << 12;
const CURRENCY_MISMATCH = 1 << 13;
const AMOUNT_OVER_LIMIT = 1 << 14;

/** @internal The policy: every rule that denies, as its bit. */
export function denialsOf({ policy, at, action, target, amount, currency }: Facts): number {
  const { targets } = policy;
  let denials = 0;
  if (policy.revoked) denials |= AGENT_REVOKED;
  if (at < policy.suspended_until) denials |= AGENT_SUSPENDED;
  if (at >= policy.expires_at) denials |= AGENT_EXPIRED;
  if (at < policy.not_before) denials |= AGENT_NOT_YET_VALID;

  if (matchesAction(policy.denied, action)) denials |= ACTION_DENIED;
  if (!matchesAction(policy.allowed, action)) denials |= ACTION_NOT_ALLOWED;

  if (target === null) denials |= TARGET_INVALID;
  else if (targets !== undefined) {
    if (target === undefined) denials |= TARGET_REQUIRED;
    else if (!matchesTarget(targets, target)) denials |= TARGET_NOT_ALLOWED;
  }

  if (amount === null) denials |= AMOUNT_INVALID;
  if (amount === undefined && matchesAction(policy.monetary, action)) denials |= AMOUNT_REQUIRED;
  if (currency === null) denials |= CURRENCY_INVALID;
  else if (
    policy.currency !== null &&
    currency !== policy.currency &&
    (currency !== undefined || amount !== undefined)
  )
    denials |= CURRENCY_MISMATCH;
  else if (compareAmounts(amount ?? 0, policy.limit) > 0) denials |= AMOUNT_OVER_LIMIT;
  return denials;
}

/** Every reason of ours, in the order of `MESSAGES`, as far as it is the same for all. */
const REASONS: readonly Reason[] = Object.entries(MESSAGES).map(([code, message]) =>
  Object.freeze({ code, message }),
);

/** @internal The reasons of the rules whose bits are set, without what they tell besides. */
export function headsOf(denials: number): Reason[] {
  return REASONS.filter((_reason, place) => (denials >> place) & 1);
}

/** @internal The reasons of the rules whose bits are set. */
export function reasonsOf(denials: number, facts: Facts): Reason[] {
  return headsOf(denials).map((head) => reasonOf(head, facts));
}

/** The reason with what it tells besides its sentence. */
function reasonOf(head: Reason, { policy, amount, currency }: Facts): Reason {
  const { code, message } = head;
  if (code === 'currency_mismatch') return { ...head, expected: policy.currency, actual: currency ?? null };
  if (code === 'amount_over_limit')
    return { code, message, limit: String(policy.limit), actual: String(amount) };
  return { ...head, ...policy.reasons[code] };
}

/** Our rules, in the order of their reasons. A host adds its own behind them: `[...defaultRules, outsideHours]`. */
export const defaultRules: readonly Rule[] = Object.freeze(
  REASONS.slice(1, -1).map(
    (_reason, index): Rule =>
      (facts) =>
        reasonsOf(denialsOf(facts) & (AGENT_REVOKED << index), facts)[0],
  ),
);
