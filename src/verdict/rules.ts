/** The default rules, one row for each, in the order in which reasons are listed. */
import { matchesAction } from '../base/values/action.ts';
import { amountText, compareAmounts } from '../base/values/money.ts';
import type { Instant, Reason, ReasonCode } from '../records.ts';
import type { APPROVAL_MESSAGES } from './approval.ts';
import type { BUDGET_MESSAGES } from './budgets.ts';
import type { CONDITION_MESSAGES } from './conditions.ts';
import type { HISTORY_MESSAGES } from './pace.ts';
import type { Policy } from './policy.ts';
import type { PROOF_MESSAGES } from './proof.ts';
import type { Asked, Evaluated } from './rule.ts';

type RuleCode = Exclude<
  ReasonCode,
  | 'agent_not_found'
  | 'parent_not_found'
  | 'parent_denied'
  | 'rule_failed'
  | 'usage_required'
  | 'permit_unavailable'
  | 'token_unavailable'
  | keyof typeof APPROVAL_MESSAGES
  | keyof typeof BUDGET_MESSAGES
  | keyof typeof HISTORY_MESSAGES
  | keyof typeof CONDITION_MESSAGES
  | keyof typeof PROOF_MESSAGES
>;

/** @internal A rule: its message, the condition under which it denies, and the details of its reason. */
interface Row {
  readonly message: string;
  readonly denies: (evaluation: Evaluated) => boolean;
  readonly factsOfPassport?: (policy: Policy) => Readonly<Record<string, Instant | null>>;
  readonly facts?: (question: Asked) => Readonly<Record<string, string | null>>;
}

/**
 * The default rules. A new rule needs its code in `ReasonCode`, a row here and a test. `verdicts.ts` has room for 16
 * rules.
 */
const POLICY: Readonly<Record<RuleCode, Row>> = {
  agent_revoked: {
    message: 'The agent is revoked.',
    denies: ({ policy }) => policy.times.revoked,
    factsOfPassport: ({ times }) => ({ since: times.spelled.revoked_at }),
  },
  agent_suspended: {
    message: 'The agent is suspended.',
    denies: ({ policy, at }) => at < policy.times.suspended_until,
    factsOfPassport: ({ times }) => ({ until: times.spelled.suspended_until }),
  },
  agent_expired: {
    message: 'The agent is expired.',
    denies: ({ policy, at }) => at >= policy.times.expires_at,
    factsOfPassport: ({ times }) => ({ since: times.spelled.expires_at }),
  },
  agent_not_yet_valid: {
    message: 'The agent is not yet valid.',
    denies: ({ policy, at }) => at < policy.times.not_before,
    factsOfPassport: ({ times }) => ({ until: times.spelled.not_before }),
  },
  action_denied: {
    message: 'The action is denied.',
    denies: ({ policy, action }) => matchesAction(policy.denied, action),
  },
  action_not_allowed: {
    message: 'The action is not allowed.',
    denies: ({ policy, action }) => !matchesAction(policy.allowed, action),
  },
  target_invalid: {
    message: 'The target is invalid.',
    denies: ({ target }) => target === null,
  },
  target_required: {
    message: 'The target is required.',
    denies: ({ policy, target }) => policy.targets !== undefined && target === undefined,
  },
  target_not_allowed: {
    message: 'The target is not allowed.',
    denies: ({ policy, target, isTargetNamed }) =>
      policy.targets !== undefined && typeof target === 'string' && !isTargetNamed,
  },
  amount_invalid: {
    message: 'The amount is not an exact decimal in range.',
    denies: ({ amount }) => amount === null,
  },
  amount_required: {
    message: 'The amount is required.',
    denies: ({ policy, action, amount }) => amount === undefined && matchesAction(policy.monetary, action),
  },
  currency_invalid: {
    message: 'The currency is not an ISO 4217 code.',
    denies: ({ currency }) => currency === null,
  },
  currency_mismatch: {
    message: 'The currency is not allowed.',
    denies: isOtherCurrency,
    facts: ({ policy, currency }) => ({ expected: policy.currency, actual: currency ?? null }),
  },
  amount_over_limit: {
    message: 'The amount is over the limit.',
    denies: isOverLimit,
    facts: ({ policy, amount }) => ({ limit: policy.limitText, actual: amountText(amount ?? 0) }),
  },
};

function isOtherCurrency({ policy, amount, currency }: Evaluated): boolean {
  if (policy.currency === null || currency === policy.currency || currency === null) return false;
  return currency !== undefined || amount !== undefined;
}

/**
 * Returns `true` if the amount is over the limit. Returns `false` if another rule already denies: the amount or the
 * currency is invalid, or the currencies differ.
 */
function isOverLimit(evaluation: Evaluated): boolean {
  const { policy, amount, currency } = evaluation;
  if (amount === undefined || amount === null || currency === null) return false;
  return !isOtherCurrency(evaluation) && compareAmounts(amount, policy.limit) > 0;
}

/** @internal A rule of this package. */
export interface OwnRule extends Row {
  readonly code: RuleCode;
}

/** @internal The rules of this package, in the order in which reasons are listed. */
export const RULES: readonly OwnRule[] = Object.entries(POLICY).map(([code, row]) => {
  return { code: code as RuleCode, ...row };
});

/** @internal The only reason of the verdict if the caller may see no such passport. */
export const AGENT_NOT_FOUND: Reason = { code: 'agent_not_found', message: 'The agent is not found.' };

/** @internal The reason if the passport of an ancestor is missing. */
export const PARENT_NOT_FOUND: Reason = {
  code: 'parent_not_found',
  message: 'The parent of the agent is not found.',
};

/** @internal The reason if the passport of an ancestor does not allow the intent. */
export const PARENT_DENIED: Reason = {
  code: 'parent_denied',
  message: 'The parent of the agent may not do this.',
};

/** @internal The reason if a rule, or a part of the input, could not be evaluated. */
export const RULE_FAILED: Reason = { code: 'rule_failed', message: 'The rule failed.' };
