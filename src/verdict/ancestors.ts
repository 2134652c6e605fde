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
export function plainReasons(value: unknown, facts: Said, ownQuestion: Asked): readonly Reason[] | undefined {
  if (!Array.isArray(value) || NOTHING.ancestors !== undefined) return undefined;
  const { at, action, target } = facts;
  let reasons: Reason[] | undefined;
  let { parent } = ownQuestion.policy;
  const levels = Math.min(value.length, MAX_ANCESTORS);
  for (let level = 0; parent !== undefined; level += 1) {
    if (level === levels) return undefined;
    const { agent_id, policy: policyAbove } = preparationOf(value[level]);
    if (agent_id !== parent || policyAbove === undefined || (policyAbove.asks & ASKS.more) !== 0)
      return undefined;
    let { currency, amount } = ownQuestion;
    // Passports of one currency read the same.
    if (policyAbove.currency !== ownQuestion.policy.currency) {
      currency = readCurrency(facts.currency, policyAbove);
      amount = readAmountIn(facts.amount, policyAbove, currency);
    }
    const isTargetNamed = isNamedTarget(target, policyAbove);
    // Two literals, as in `decide`: V8 does not allocate the first.
    const denials = denialsOf({ at, action, target, isTargetNamed, amount, currency, policy: policyAbove });
    if (denials !== 0) {
      reasons ??= [];
      addReasonsAbove(reasons, parent, denials, { amount, currency, policy: policyAbove });
    }
    if (policyAbove.conditions !== undefined) {
      reasons ??= [];
      addConditionsAbove(reasons, parent, policyAbove, facts);
    }
    parent = policyAbove.parent;
  }
  return reasons ?? NO_REASONS;
}

const NO_REASONS: readonly Reason[] = [];

function addUsageAbove(reasons: Reason[], parent: string, { budgets }: Policy, facts: Said): void {
  for (const { code: reason, unit = null } of usageReasons(budgets, facts.action, facts.intent)) {
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

function addOrderAbove(reasons: Reason[], parent: string, { orders }: Policy, verdictFacts: Said): void {
  const listBefore = reasons
    .filter((reason) => reason['parent'] === parent)
    .map(({ reason, message }) => ({ code: String(reason), message }));
  for (const { code: reason, message: _, ...facts } of orderReasons(orders, verdictFacts, listBefore)) {
    reasons.push({ ...PARENT_DENIED, parent, reason, ...facts });
  }
}

/**
 * @internal Reads the passports of the ancestors up to the first passport without a parent. Reads each passport once,
 * and ignores further passports.
 */
export function chainOf({ parent }: Policy, value: unknown): Chain {
  if (parent === undefined) return NO_CHAIN;
  // Otherwise a member that was added to `Object.prototype` would be read as the ancestors.
  demand(NOTHING.ancestors === undefined);
  const passports = value === undefined || value === null ? [] : elementsOf(value);
  const ancestors: Ancestor[] = [];
  let next: string | undefined = parent;
  while (next !== undefined) {
    const passport = passports[ancestors.length] as Passport | PreparedPassport | null | undefined;
    const isMissing = passport === undefined || passport === null || ancestors.length === MAX_ANCESTORS;
    const preparation = isMissing ? undefined : preparationOf(passport);
    if (preparation?.agent_id !== next) return { ancestors: [], missing: next };
    ancestors.push({ agent_id: next, policy: preparation.policy });
    next = preparation.policy?.parent;
  }
  return { ancestors, missing: undefined };
}

/** @internal Returns the reasons of the ancestors' passports, nearest first, with one entry for each reason. */
export function ancestorReasons({ ancestors, missing }: Chain, facts: Said): readonly Reason[] {
  if (missing !== undefined) return [{ ...PARENT_NOT_FOUND, parent: missing }];
  const reasons: Reason[] = [];
  for (const { agent_id: parent, policy } of ancestors) {
    if (policy === undefined) {
      reasons.push({ ...PARENT_DENIED, parent, reason: RULE_FAILED.code, rule: 'passport' });
    } else {
      const evaluation = evaluatedBy(policy, facts);
      addReasonsAbove(reasons, parent, denialsOf(evaluation), evaluation);
      addUsageAbove(reasons, parent, policy, facts);
      addConditionsAbove(reasons, parent, policy, facts);
      addOrderAbove(reasons, parent, policy, facts);
    }
  }
  return reasons;
}

/** @internal Returns the amounts that an allowed intent spends from the budgets of one passport of the chain. */
export function takingsUnder({ agent_id, policy }: Ancestor, facts: Said): readonly BudgetTaking[] {
  if (policy === undefined) return [];
  const amount = readAmountIn(facts.amount, policy, readCurrency(facts.currency, policy));
  return takingsOf(agent_id, policy.budgets, facts.action, amount, namedUsage(facts.intent));
}

/** @internal Returns `true` if a passport of the chain requires an approval for an intent that is otherwise allowed. */
export function asksPerson({ policy }: Ancestor, facts: Said): boolean {
  if (policy?.approval === undefined) return false;
  const amount = readAmountIn(facts.amount, policy, readCurrency(facts.currency, policy));
  return approvalNeed(policy.approval, facts.action, amount) !== undefined;
}

/** @internal Returns the strongest proof of possession that one of the passports requires. */
export function requiredProof(policy: Policy, { ancestors }: Chain): number {
  return ancestors.reduce(
    (maximum, { policy: policyAbove }) => Math.max(maximum, policyAbove?.proof ?? 0),
    policy.proof,
  );
}

function evaluatedBy(policy: Policy, facts: Said): Evaluated {
  const { at, action, target } = facts;
  const currency = readCurrency(facts.currency, policy);
  const amount = readAmountIn(facts.amount, policy, currency);
  const isTargetNamed = isNamedTarget(target, policy);
  return { at, action, target, isTargetNamed, amount, currency, policy };
}
