import type { Intent, Reason } from '../records.ts';
import { approvalNeed, approvalRequired } from './approval.ts';
import { type BudgetTaking, type PolicyBudget, takingsOf } from './budgets.ts';
import { readAmountIn, readCurrency } from './policy.ts';
import { type PreparedPassport, preparationOf } from './prepare.ts';

export type { BudgetTaking } from './budgets.ts';

/** @internal Says whether a passport has budgets. */
export function hasBudgets(passport: PreparedPassport): boolean {
  return preparationOf(passport).policy?.budgets !== undefined;
}

/** @internal Returns the budgets of a passport, in their order. */
export function budgetsIn(passport: PreparedPassport): readonly PolicyBudget[] {
  return preparationOf(passport).policy?.budgets ?? [];
}

/** @internal Says whether a passport has a rule that some intents need a person. */
export function wantsApproval(passport: PreparedPassport): boolean {
  return preparationOf(passport).policy?.approval !== undefined;
}

/** @internal The question to a person about an intent. */
export interface ApprovalAsked {
  /** The seconds in which the approval may be given and used: the shortest that one of the passports sets. */
  readonly seconds: number;
  /** The reasons for asking, one for each passport that needs the approval, in their order. */
  readonly reasons: readonly Reason[];
}

/**
 * @internal Returns the question to a person when an intent that nothing else denies needs one; `undefined` otherwise.
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
    return [{ seconds: policy.approval.seconds, reason: approvalRequired({ agent_id, ...facts }) }];
  });
  if (asking.length === 0) return undefined;
  return {
    seconds: Math.min(...asking.map(({ seconds }) => seconds)),
    reasons: asking.map(({ reason }) => reason),
  };
}

/**
 * @internal Returns the amounts that an intent takes from the budgets of the passports, in their order, if nothing
 * denies it.
 */
export function takingsIn(passports: readonly PreparedPassport[], intent: Intent): readonly BudgetTaking[] {
  return passports.flatMap((passport) => takingsOfOne(passport, intent));
}

function takingsOfOne(passport: PreparedPassport, { action, parameters }: Intent): readonly BudgetTaking[] {
  const { policy, agent_id = '' } = preparationOf(passport);
  if (policy?.budgets === undefined) return [];
  const currency = readCurrency(parameters?.['currency'], policy);
  return takingsOf(agent_id, policy.budgets, action, readAmountIn(parameters?.['amount'], policy, currency));
}
