/** Describes the valid values of the fields of budgets, for error messages. */

import { MAX_BUDGET_COUNT } from '../base/values/budget.ts';
import { MAX_ENTRIES } from '../base/values/field-limits.ts';
import { BUDGET_UNITS } from '../base/values/usage.ts';
import { anyOf, BUDGET_WINDOWS } from '../base/values/vocabulary.ts';
import type { Budget } from '../records.ts';

export const OF_BUDGETS: Readonly<Record<keyof Budget, string>> = {
  name: 'a name such as day: a lower-case letter, then at most 31 of a-z, 0-9, _ and -',
  window: anyOf(BUDGET_WINDOWS),
  limit: 'a decimal such as 19.99',
  unit: anyOf(BUDGET_UNITS),
  count: `a whole number from 1 to ${MAX_BUDGET_COUNT}`,
  actions: `a list of 1 to ${MAX_ENTRIES} actions and patterns, such as ["payments.create", "orders.*"]`,
  warn_at: 'a number from 0.01 to 0.99 with at most 2 decimals',
  overrun: 'true or false; true for a budget with a unit',
};
