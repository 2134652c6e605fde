import { isAction, matchesAction } from '../base/values/action.ts';
import { parseInstant } from '../base/values/instant.ts';
import type { Instant, Passport } from '../records.ts';
import { chainOf } from './ancestors.ts';
import type { Policy } from './policy.ts';
import { type PreparedPassport, preparationOf } from './prepare.ts';

/** The options of `couldAllow`. */
export interface CouldAllowOptions {
  /** The first instant to consider. Without it, no passport counts as expired. */
  readonly at?: number | Instant;
  /** The passports of the agent's ancestors, nearest first, as in `decide`. */
  readonly ancestors?: readonly (Passport | PreparedPassport)[];
}

/**
 * Returns whether `decide` could allow an intent with this action. `false`: `decide` denies all such intents from `at`
 * on, unless a passport changes. `true`: only an amount, a target, a condition, a budget, an approval, a suspension or
 * `not_before` can deny. Use the result for lists of tools, never as a verdict. Reads no clock, and never throws.
 *
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 * import { couldAllow } from 'agent-identity-service/verdict';
 *
 * const service = createIdentityService({ storage: memoryStorage() });
 * const [domain, agent_name] = ['example.com', 'reader'];
 * const may = { allowed_actions: ['orders.*'], denied_actions: ['orders.delete'], monetary_limit_per_txn: 0 };
 * const passport = await service.passports.create({ domain, agent_name, ...may });
 * console.log(couldAllow(passport, 'orders.read'), couldAllow(passport, 'orders.delete')); // true false
 */
export function couldAllow(
  passport: Passport | PreparedPassport | null | undefined,
  action: string,
  options: CouldAllowOptions = {},
): boolean {
  try {
    const { at = Number.NEGATIVE_INFINITY, ancestors } = options;
    const instant = typeof at === 'string' ? parseInstant(at) : at;
    if (!passport || typeof instant !== 'number' || Number.isNaN(instant) || !isAction(action)) return false;
    const { agent_id, policy } = preparationOf(passport);
    if (agent_id === undefined || policy === undefined) return false;
    const chain = chainOf(policy, ancestors);
    if (chain.missing !== undefined) return false;
    const policies = [policy, ...chain.ancestors.map((ancestorAbove) => ancestorAbove.policy)];
    return policies.every((policy) => policy !== undefined && isOpenTo(policy, action, instant));
  } catch {
    return false;
  }
}

function isOpenTo({ times, allowed, denied, targets }: Policy, action: string, atMs: number): boolean {
  const hasTarget = targets === undefined || targets.exact.length + targets.patterns.length > 0;
  const isInTime = !times.revoked && atMs < times.expires_at;
  return hasTarget && isInTime && matchesAction(allowed, action) && !matchesAction(denied, action);
}
