/** Evaluates the usage that an intent must name for budgets with a unit. */
import { matchesAction } from '../base/values/action.ts';
import { usedOf } from '../base/values/usage.ts';
import type { BudgetUnit, Reason } from '../records.ts';
import type { PolicyBudget } from './budgets.ts';

/** @internal The message of `usage_required`. */
export const USAGE_REQUIRED = 'The usage is required.';

const NONE: readonly Reason[] = [];

/** @internal Returns the usage of an intent. Runs no getter, and reads only an own member. */
export function namedUsage(intent: object): unknown {
  return Object.getOwnPropertyDescriptor(intent, 'usage')?.value;
}

/** @internal Returns a reason for each unit that a budget counts for the action and the intent does not name. */
export function usageReasons(
  budgets: readonly PolicyBudget[] | undefined,
  action: string,
  intent: object,
): readonly Reason[] {
  if (budgets === undefined) return NONE;
  const units = unitsOn(budgets, action);
  if (units.length === 0) return NONE;
  const usage = namedUsage(intent);
  return units
    .filter((unit) => usedOf(usage, unit) === undefined)
    .map((unit) => ({ code: 'usage_required', message: USAGE_REQUIRED, unit }));
}

/**
 * @internal Returns the units that the budgets count for an action, without repetitions, in the order of the budgets.
 */
export function unitsOn(budgets: readonly PolicyBudget[], action: string): readonly BudgetUnit[] {
  const units = new Set<BudgetUnit>();
  for (const { unit, actions } of budgets) {
    if (unit !== undefined && matchesAction(actions, action)) units.add(unit);
  }
  return [...units];
}
