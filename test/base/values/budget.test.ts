import { expect, test } from 'vitest';
import {
  BUDGET_FIELDS,
  isBudgetName,
  MAX_BUDGET_COUNT,
  MAX_BUDGETS,
} from '../../../src/base/values/budget.ts';

test('the name of a budget is a lower-case letter and 31 letters, digits, _ and - at most', () => {
  for (const name of ['a', 'day', 'a-b_c0', `a${'z'.repeat(31)}`]) expect(isBudgetName(name)).toBe(true);
  for (const name of ['', 'A', '0a', '_a', '-a', 'aB', 'a b', 'a.b', ' a', 'a\n', `a${'z'.repeat(32)}`])
    expect(isBudgetName(name)).toBe(false);
});

test('a budget has these fields and limits', () => {
  const fields = ['name', 'window', 'limit', 'unit', 'count', 'actions', 'overrun', 'warn_at'];
  expect(BUDGET_FIELDS).toEqual(fields);
  expect([MAX_BUDGETS, MAX_BUDGET_COUNT]).toEqual([8, 1_000_000_000]);
});
