import type { Budget } from '../../../../src/types.ts';

/**
 * A budget as text: `often: hour 5 times for payments.*, orders.create`. The name, `times` and the actions are
 * optional.
 */
const LINE = /^(?:([^\s:]+):\s*)?(\S+)\s+(\S+?)(?:\s+(times?))?(?:\s+for\s+(.+))?$/;

/** Parses budgets, one a line. A line that cannot be read becomes a budget that the service refuses. */
export function budgetsIn(lines: readonly string[]): readonly Budget[] {
  return lines.map((line) => {
    const [, name, window = line, most, times, actions] = LINE.exec(line.trim()) ?? [];
    const budget = {
      ...(name !== undefined && { name }),
      window,
      ...(times === undefined ? { limit: most } : { count: Number(most) }),
      ...(actions !== undefined && { actions: actions.split(',').map((action) => action.trim()) }),
    };
    return budget as Budget;
  });
}

/** Formats budgets as lines. */
export function linesOfBudgets(budgets: readonly Budget[]): readonly string[] {
  return budgets.map(({ name, window, limit, count, actions }) => {
    const start = name === undefined || name === window ? '' : `${name}: `;
    const most = count === undefined ? `${limit}` : `${count} times`;
    return `${start}${window} ${most}${actions === undefined ? '' : ` for ${actions.join(', ')}`}`;
  });
}
