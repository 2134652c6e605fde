import type { Budget, Pace } from '../../../../src/types.ts';

/**
 * Parses budgets, one per line, with the field names of the API as in the option `--budget` of the command:
 * `window=day,limit=100` or `name=refunds,window=month,count=5,actions=refunds.*+orders.create`. Errors in a
 * line are passed on, so that the service reports them.
 */
export function budgetsIn(lines: readonly string[]): readonly Budget[] {
  return fieldsIn(lines) as readonly Budget[];
}

export function pacesIn(lines: readonly string[]): readonly Pace[] {
  return fieldsIn(lines) as readonly Pace[];
}

function fieldsIn(lines: readonly string[]): readonly object[] {
  return lines.map((line) => {
    const pairs = line.split(',').map((part) => {
      const [name = '', ...value] = part.split('=').map((text) => text.trim());
      return [name, fieldValue(name, value.join('='))];
    });
    return Object.fromEntries(pairs);
  });
}

export function linesOfBudgets(budgets: readonly Budget[]): readonly string[] {
  return budgets.map(({ name, window, ...budget }) => {
    return lineOf({ ...(name !== window && { name }), window, ...budget });
  });
}

export function linesOfPaces(paces: readonly Pace[]): readonly string[] {
  return paces.map(({ name, ...pace }) => lineOf({ ...(name !== 'pace' && { name }), ...pace }));
}

function lineOf({
  actions,
  ...fields
}: Readonly<Record<string, unknown>> & { readonly actions?: readonly string[] | undefined }): string {
  return Object.entries({ ...fields, actions: actions?.join('+') })
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => `${field}=${value}`)
    .join(',');
}

function fieldValue(name: string, value: string): unknown {
  if (name === 'actions') return value.split('+').map((action) => action.trim());
  return /^(?:count|max|overrun|seconds|warn_at)$/.test(name) &&
    /^(?:[1-9]\d{0,14}|0(?:\.\d+)?|true|false)$/.test(value)
    ? JSON.parse(value)
    : value;
}
