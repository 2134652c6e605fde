/** Evaluates ancestors: an agent with a parent may do only what the passport of every ancestor also allows. */
import { MAX_ANCESTORS } from '../base/values/field-limits.ts';
import { elementsOf } from '../base/values/plain-data.ts';
import type { Passport, Reason } from '../records.ts';
import { approvalNeed } from './approval.ts';
import { type BudgetTaking, takingsOf } from './budgets.ts';
import { failedConditions } from './conditions.ts';
import { orderReasons } from './order-values.ts';
import { ASKS, isNamedTarget, type Policy, readAmountIn, readCurrency } from './policy.ts';
import { type PreparedPassport, preparationOf } from './prepare.ts';
import { demand, NOTHING } from './read.ts';
import type { Asked, Evaluated } from './rule.ts';
import { PARENT_DENIED, PARENT_NOT_FOUND, RULE_FAILED } from './rules.ts';
import { namedUsage, usageReasons } from './usage.ts';
import { addReasonsAbove, denialsOf } from './verdicts.ts';

/**
 * @internal The parts of an intent that the rules evaluate. Each passport reads the amount separately, because its
 * currency sets the decimals.
 */
export interface Said {
  readonly at: number;
  readonly action: string;
  /**
   * The target as `readTarget` returns it: a DID, `null` for another value, or `undefined` if there is none.
   * The result is the same for all passports.
   */
  readonly target: string | null | undefined;
  readonly amount: unknown;
  readonly currency: unknown;
  readonly parameters: unknown;
  readonly intent: object;
}

/** @internal The passport of an ancestor. */
export interface Ancestor {
  readonly agent_id: string;
  readonly policy: Policy | undefined;
}

/** @internal The passports of the ancestors of an agent. */
export interface Chain {
  /** The ancestors, nearest first. Empty if one of them is missing. */
  readonly ancestors: readonly Ancestor[];
  readonly missing: string | undefined;
}

const NO_CHAIN: Chain = { ancestors: [], missing: undefined };

/**
 * @internal Returns the reasons of the ancestors' passports. Allocates nothing if all of them allow the intent. Handles
 * only passports without a proof of possession, approvals, orders, paces and budgets. Returns `undefined` for other
 * cases, which `chainOf` handles.
 */
export function plainReasons(given: unknown, said: Said, own: Asked): readonly Reason[] | undefined {
  if (!Array.isArray(given) || NOTHING.ancestors !== undefined) return undefined;
  const { at, action, target } = said;
  let reasons: Reason[] | undefined;
  let { parent } = own.policy;
  for (let level = 0; parent !== undefined; level += 1) {
    if (level === MAX_ANCESTORS || level >= given.length) return undefined;
    const { agent_id, policy: above } = preparationOf(given[level]);
    if (agent_id !== parent || above === undefined || (above.asks & ASKS.more) !== 0) return undefined;
    // Passports of one currency read the same.
    const isSame = above.currency === own.policy.currency;
    const currency = isSame ? own.currency : readCurrency(said.currency, above);
    const amount = isSame ? own.amount : readAmountIn(said.amount, above, currency);
    const isTargetNamed = isNamedTarget(target, above);
    // Two literals, as in `decide`: V8 does not allocate the first.
    const denials = denialsOf({ at, action, target, isTargetNamed, amount, currency, policy: above });
    if (denials !== 0) {
      reasons ??= [];
      addReasonsAbove(reasons, parent, denials, { amount, currency, policy: above });
    }
    if (above.conditions !== undefined) {
      reasons ??= [];
      addConditionsAbove(reasons, parent, above, said);
    }
    parent = above.parent;
  }
  return reasons ?? NO_REASONS;
}

const NO_REASONS: readonly Reason[] = [];

function addUsageAbove(reasons: Reason[], parent: string, { budgets }: Policy, said: Said): void {
  for (const { code: reason, unit = null } of usageReasons(budgets, said.action, said.intent)) {
    reasons.push({ ...PARENT_DENIED, parent, reason, unit });
  }
}

function addConditionsAbove(
  reasons: Reason[],
  parent: string,
  { conditions }: Policy,
  { action, parameters }: Said,
): void {
  for (const { code: reason, facts } of failedConditions(conditions, action, parameters)) {
    reasons.push({ ...PARENT_DENIED, parent, reason, ...facts });
  }
}

function addOrderAbove(reasons: Reason[], parent: string, { orders }: Policy, said: Said): void {
  const before = reasons
    .filter((one) => one['parent'] === parent)
    .map(({ reason, message }) => ({ code: String(reason), message }));
  for (const { code: reason, message: _, ...facts } of orderReasons(orders, said, before)) {
    reasons.push({ ...PARENT_DENIED, parent, reason, ...facts });
  }
}

/**
 * @internal Reads the passports of the ancestors up to the first passport without a parent. Reads each passport once,
 * and ignores further passports.
 */
export function chainOf({ parent }: Policy, given: unknown): Chain {
  if (parent === undefined) return NO_CHAIN;
  // Otherwise a member that was added to `Object.prototype` would be read as the ancestors.
  demand(NOTHING.ancestors === undefined);
  const passports = given === undefined || given === null ? [] : elementsOf(given);
  const ancestors: Ancestor[] = [];
  let next: string | undefined = parent;
  while (next !== undefined) {
    const passport = passports[ancestors.length] as Passport | PreparedPassport | null | undefined;
    const isMissing = passport === undefined || passport === null || ancestors.length === MAX_ANCESTORS;
    const found = isMissing ? undefined : preparationOf(passport);
    if (found?.agent_id !== next) return { ancestors: [], missing: next };
    ancestors.push({ agent_id: next, policy: found.policy });
    next = found.policy?.parent;
  }
  return { ancestors, missing: undefined };
}

/** @internal Returns the reasons of the ancestors' passports, nearest first, with one entry for each reason. */
export function ancestorReasons({ ancestors, missing }: Chain, said: Said): readonly Reason[] {
  if (missing !== undefined) return [{ ...PARENT_NOT_FOUND, parent: missing }];
  const reasons: Reason[] = [];
  for (const { agent_id: parent, policy } of ancestors) {
    if (policy === undefined) {
      reasons.push({ ...PARENT_DENIED, parent, reason: RULE_FAILED.code, rule: 'passport' });
    } else {
      const judged = evaluatedBy(policy, said);
      addReasonsAbove(reasons, parent, denialsOf(judged), judged);
      addUsageAbove(reasons, parent, policy, said);
      addConditionsAbove(reasons, parent, policy, said);
      addOrderAbove(reasons, parent, policy, said);
    }
  }
  return reasons;
}

/** @internal Returns the amounts that an allowed intent spends from the budgets of one passport of the chain. */
export function takingsUnder({ agent_id, policy }: Ancestor, said: Said): readonly BudgetTaking[] {
  if (policy === undefined) return [];
  const amount = readAmountIn(said.amount, policy, readCurrency(said.currency, policy));
  return takingsOf(agent_id, policy.budgets, said.action, amount, namedUsage(said.intent));
}

/** @internal Returns `true` if a passport of the chain requires an approval for an intent that is otherwise allowed. */
export function asksPerson({ policy }: Ancestor, said: Said): boolean {
  if (policy?.approval === undefined) return false;
  const amount = readAmountIn(said.amount, policy, readCurrency(said.currency, policy));
  return approvalNeed(policy.approval, said.action, amount) !== undefined;
}

/** @internal Returns the strongest proof of possession that one of the passports requires. */
export function requiredProof(policy: Policy, { ancestors }: Chain): number {
  return ancestors.reduce((most, { policy: above }) => Math.max(most, above?.proof ?? 0), policy.proof);
}

function evaluatedBy(policy: Policy, said: Said): Evaluated {
  const { at, action, target } = said;
  const currency = readCurrency(said.currency, policy);
  const amount = readAmountIn(said.amount, policy, currency);
  const isTargetNamed = isNamedTarget(target, policy);
  return { at, action, target, isTargetNamed, amount, currency, policy };
}
