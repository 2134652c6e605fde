import { rollingSeconds } from '../base/values/budget-window.ts';
import type { Intent, Reason } from '../records.ts';
import { approvalNeed, approvalRequired } from './approval.ts';
import { type BudgetTaking, type PolicyBudget, takingsOf } from './budgets.ts';
import { conditionsOn } from './conditions.ts';
import { type OrderTaking, ordersOn } from './order.ts';
import { type PaceTaking, pacesOn } from './pace.ts';
import { readAmountIn, readCurrency } from './policy.ts';
import { type PreparedPassport, preparationOf } from './prepare.ts';
import { namedUsage } from './usage.ts';

export type { BudgetTaking } from './budgets.ts';

/** @internal Returns `true` if a passport has budgets. */
export function hasBudgets(passport: PreparedPassport): boolean {
  return preparationOf(passport).policy?.budgets !== undefined;
}

/** @internal Returns `true` if intents of a passport need the storage: for budgets, a pace or a rule of order. */
export function isCounted(passport: PreparedPassport): boolean {
  const { policy } = preparationOf(passport);
  return policy?.budgets !== undefined || policy?.paces !== undefined || policy?.orders !== undefined;
}

/** @internal Returns the paces of the passports that count an action, in their order. */
export function pacesIn(passports: readonly PreparedPassport[], action: string): readonly PaceTaking[] {
  return passports.flatMap((passport) => {
    const { policy, agent_id = '' } = preparationOf(passport);
    return policy?.paces === undefined ? [] : pacesOn(agent_id, policy.paces, action);
  });
}

/** @internal Returns the rules of order of the passports that apply to an action, in their order. */
export function ordersIn(passports: readonly PreparedPassport[], action: string): readonly OrderTaking[] {
  return passports.flatMap((passport) => {
    const { policy, agent_id = '' } = preparationOf(passport);
    return policy?.orders === undefined ? [] : ordersOn(agent_id, policy.orders, action);
  });
}

/** @internal Returns the budgets of a passport, in their order. */
export function budgetsIn(passport: PreparedPassport): readonly PolicyBudget[] {
  return preparationOf(passport).policy?.budgets ?? [];
}

/** @internal Returns `true` if the passport requires approvals for some intents. */
export function wantsApproval(passport: PreparedPassport): boolean {
  return preparationOf(passport).policy?.approval !== undefined;
}

/** @internal Returns `true` if a passport has conditions on parameters. */
export function hasConditions(passport: PreparedPassport): boolean {
  return preparationOf(passport).policy?.conditions !== undefined;
}

/**
 * @internal Returns `true` if a passport has conditions or rules of order, because these may need any
 * parameter of an intent.
 */
export function readsParameters(passport: PreparedPassport): boolean {
  const { policy } = preparationOf(passport);
  return policy?.conditions !== undefined || policy?.orders !== undefined;
}

/**
 * @internal Returns `true` if a condition or a rule of order in the passport needs the parameters of an action.
 */
export function readsParametersOn(passport: PreparedPassport, action: string): boolean {
  const { conditions, orders } = preparationOf(passport).policy ?? {};
  if (conditions !== undefined && conditionsOn(conditions, action).length > 0) return true;
  return orders !== undefined && ordersOn('', orders, action).length > 0;
}

/**
 * @internal Returns `true` if a passport has a rule about earlier actions: a rule of order, a pace, or a budget with a
 * rolling window.
 */
export function hasHistory(passport: PreparedPassport): boolean {
  const { paces, orders } = preparationOf(passport).policy ?? {};
  if (paces !== undefined || orders !== undefined) return true;
  return budgetsIn(passport).some(({ window }) => rollingSeconds(window) !== undefined);
}

/** @internal The approval that an intent needs. */
export interface ApprovalAsked {
  /** The seconds in which the approval must be given and used: the shortest time that one of the passports sets. */
  readonly seconds: number;
  /** The number of different people who must approve: the highest number that one of the passports sets. */
  readonly count: number;
  /**
   * `true` if one of the passports excludes the person who asked. The approval then also excludes the people who made
   * the last changes that let the agents of the passports do more.
   */
  readonly another: boolean;
  readonly passports: readonly PreparedPassport[];
  readonly reasons: readonly Reason[];
}

/**
 * @internal Returns the approval that an intent needs if nothing else denies it. Returns `undefined` if it needs none.
 * One approval counts for all of the passports.
 */
export function approvalAsked(
  passports: readonly PreparedPassport[],
  { action, parameters }: Intent,
): ApprovalAsked | undefined {
  const asking = passports.flatMap((passport) => {
    const { policy, agent_id = '' } = preparationOf(passport);
    if (policy?.approval === undefined) return [];
    const currency = readCurrency(parameters?.['currency'], policy);
    const facts = approvalNeed(
      policy.approval,
      action,
      readAmountIn(parameters?.['amount'], policy, currency),
    );
    if (facts === undefined) return [];
    return [{ passport, rule: policy.approval, reason: approvalRequired({ agent_id, ...facts }) }];
  });
  if (asking.length === 0) return undefined;
  return {
    seconds: Math.min(...asking.map(({ rule }) => rule.seconds)),
    count: Math.max(...asking.map(({ rule }) => rule.count)),
    another: asking.some(({ rule }) => rule.another),
    passports: asking.map(({ passport }) => passport),
    reasons: asking.map(({ reason }) => reason),
  };
}

/** @internal Returns the amounts that an allowed intent spends from the budgets of the passports, in their order. */
export function takingsIn(passports: readonly PreparedPassport[], intent: Intent): readonly BudgetTaking[] {
  return passports.flatMap((passport) => takingsOfOne(passport, intent));
}

function takingsOfOne(passport: PreparedPassport, intent: Intent): readonly BudgetTaking[] {
  const { action, parameters } = intent;
  const { policy, agent_id = '' } = preparationOf(passport);
  if (policy?.budgets === undefined) return [];
  const currency = readCurrency(parameters?.['currency'], policy);
  const amount = readAmountIn(parameters?.['amount'], policy, currency);
  return takingsOf(agent_id, policy.budgets, action, amount, namedUsage(intent));
}
