import type { Budget } from '../../../../src/types.ts';

/**
 * Parses budgets, one per line, with the names of the API as the command spells them:
 * `window=day,limit=100` or `name=refunds,window=month,count=5,actions=refunds.*+orders.create`. The service refuses
 * whatever is wrong in a line.
 */
export function budgetsIn(lines: readonly string[]): readonly Budget[] {
  return lines.map((line) => {
    const pairs = line.split(',').map((part) => {
      const [name = '', ...value] = part.split('=');
      return [name.trim(), fieldValue(name.trim(), value.join('=').trim())];
    });
    return Object.fromEntries(pairs) as Budget;
  });
}

/** Formats budgets as lines that `budgetsIn` parses. */
export function linesOfBudgets(budgets: readonly Budget[]): readonly string[] {
  return budgets.map(({ name, window, limit, count, actions }) => {
    const fields = {
      ...(name !== window && { name }),
      window,
      limit,
      count,
      actions: actions?.join('+'),
    };
    return Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => `${field}=${value}`)
      .join(',');
  });
}

function fieldValue(name: string, value: string): string | number | readonly string[] {
  if (name === 'actions') return value.split('+').map((action) => action.trim());
  return name === 'count' && /^\d{1,15}$/.test(value) ? Number(value) : value;
}
