import { matchesAction } from '../action.ts';
import { compareAmounts } from '../money.ts';
import { isDid, matchesTarget, type TargetSet } from '../target.ts';
import {
  ACTION_DENIED,
  ACTION_NOT_ALLOWED,
  AGENT_EXPIRED,
  AGENT_NOT_YET_VALID,
  AGENT_REVOKED,
  AGENT_SUSPENDED,
  AMOUNT_INVALID,
  AMOUNT_OVER_LIMIT,
  AMOUNT_REQUIRED,
  CURRENCY_INVALID,
  CURRENCY_MISMATCH,
  HEADS,
  TARGET_INVALID,
  TARGET_NOT_ALLOWED,
  TARGET_REQUIRED,
} from './codes.ts';
import { preparationOf } from './prepare.ts';
import { demand } from './read.ts';
import { verdictOn } from './reasons.ts';
import type { Judged, Rule } from './rule.ts';

/** @internal The policy: every rule that denies, as its bit. A target that is no DID may also stand as it is. */
export function denialsOf({ policy, at, action, target, amount, currency }: Judged): number {
  const { times } = policy;
  let denials = 0;
  if (times !== undefined) {
    if (times.revoked) denials |= AGENT_REVOKED;
    if (at < times.suspended_until) denials |= AGENT_SUSPENDED;
    if (at >= times.expires_at) denials |= AGENT_EXPIRED;
    if (at < times.not_before) denials |= AGENT_NOT_YET_VALID;
  }

  if (matchesAction(policy.denied, action)) denials |= ACTION_DENIED;
  if (!matchesAction(policy.allowed, action)) denials |= ACTION_NOT_ALLOWED;

  denials |= targetDenial(policy.targets, target);

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

/** What the passport names is a DID: only another target has to be looked at. */
function targetDenial(targets: TargetSet | undefined, target: string | null | undefined): number {
  if (target === undefined) return targets === undefined ? 0 : TARGET_REQUIRED;
  if (target !== null && targets !== undefined && matchesTarget(targets, target)) return 0;
  if (!isDid(target ?? '')) return TARGET_INVALID;
  return targets === undefined ? 0 : TARGET_NOT_ALLOWED;
}

/**
 * Our rules, in the order of their reasons. A host adds its own: `[...defaultRules, outsideHours]`. `decide` judges
 * them all at once, and calls none of them; one that a host calls judges the passport of the facts it is given.
 */
export const defaultRules: readonly Rule[] = Object.freeze(
  HEADS.slice(1, -1).map(
    (_head, index): Rule =>
      (facts) => {
        const { policy } = preparationOf(facts.passport);
        demand(policy !== undefined);
        const judged = { ...facts, policy };
        return verdictOn(denialsOf(judged) & (AGENT_REVOKED << index), judged).reasons[0];
      },
  ),
);
