/** Checks the rules of budgets that a JSON Schema cannot express, and creates their canonical form. */
import { isActionEntry } from '../../base/values/action.ts';
import { isBudgetName, isWarnPart } from '../../base/values/budget.ts';
import { amountText, readAmount, toSafeUnits } from '../../base/values/money.ts';
import { unitDecimals } from '../../base/values/usage.ts';
import { type FieldError, pointer } from '../../errors.ts';
import type { Budget, PassportInput } from '../../records.ts';
import { expectedAt, mustBe } from '../../schema/expected.ts';
import type { StoredBudget } from './collections.ts';

export function canonicalBudgets(budgets: readonly Budget[]): readonly StoredBudget[] {
  return budgets.map(({ name, window, limit, unit, count, actions, overrun, warn_at }) => ({
    name: name ?? window,
    window,
    ...(limit !== undefined && { limit: amountText(readAmount(limit) ?? '') }),
    ...(unit !== undefined && { unit }),
    ...(count !== undefined && { count }),
    ...(actions !== undefined && { actions }),
    ...(overrun !== undefined && { overrun }),
    ...(warn_at !== undefined && { warn_at }),
  }));
}

type Given = { readonly [Field in keyof PassportInput]?: unknown };

type GivenBudget = { readonly [Field in keyof Budget]?: unknown };

/** Returns the errors inside each budget. The schema finds missing fields and wrong types. */
export function budgetErrors({ budgets }: Given, decimals: number): readonly FieldError[] {
  if (!Array.isArray(budgets)) return [];
  const names = new Map<unknown, number>();
  return budgets.flatMap((entry: unknown, index) =>
    isObject(entry) ? entryErrors(entry, index, names, decimals) : [],
  );
}

function entryErrors(
  entry: GivenBudget,
  index: number,
  names: Map<unknown, number>,
  decimals: number,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const budgetPath = pointer('budgets', index);
  const at = (field: string) => `${budgetPath}${pointer(field)}`;
  const refuse = (path: string, message = mustBe(path)) => errors.push({ path, code: 'malformed', message });
  const { window, name: ownName, limit, count, actions, warn_at } = entry;
  const name = ownName ?? window;
  if (typeof ownName === 'string' && !isBudgetName(ownName)) refuse(at('name'));
  const same = names.get(name);
  if (same === undefined) names.set(name, index);
  else if (name !== undefined) refuse(at('name'), `Budget ${same} has this name. Choose another.`);
  if ((limit === undefined) === (count === undefined))
    refuse(budgetPath, 'A budget has either a limit or a count: for both, write two budgets.');
  errors.push(...unitErrors(entry, at));
  if (typeof warn_at === 'number' && !isWarnPart(warn_at)) refuse(at('warn_at'));
  errors.push(...limitErrors(entry, at('limit'), decimals));
  for (const place of malformedEntries(actions, isActionEntry)) refuse(`${at('actions')}/${place}`);
  return errors;
}

function limitErrors({ limit, unit }: GivenBudget, path: string, decimals: number): readonly FieldError[] {
  if (typeof limit !== 'number' && typeof limit !== 'string') return [];
  const most = unit === undefined ? decimals : unitDecimals(unit);
  if (isLimit(limit, most)) return [];
  const range = `with at most ${most} decimals and 2^53 - 1 of the smallest units`;
  return [{ path, code: 'malformed', message: `This must be ${expectedAt(path)}, ${range}.` }];
}

function unitErrors(
  { unit, count, actions, overrun }: GivenBudget,
  at: (field: string) => string,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (path: string, message: string) => errors.push({ path, code: 'malformed', message });
  if (unit !== undefined && count !== undefined) refuse(at('unit'), 'A budget with a unit has a limit.');
  if (unit !== undefined && actions === undefined) {
    const message = `A budget with a unit needs actions: ${expectedAt(at('actions'))}.`;
    errors.push({ path: at('actions'), code: 'required', message });
  }
  if (overrun !== undefined && count !== undefined) {
    refuse(at('overrun'), 'A budget with a count has no overrun: a commit takes nothing more of it.');
  } else if (overrun === false && unit !== undefined) {
    refuse(at('overrun'), 'A budget with a unit always has overrun. Leave the field out.');
  }
  return errors;
}

export function budgetCrossErrors({
  budgets,
  currency,
  monetary_actions = [],
}: Given): readonly FieldError[] {
  const given: readonly unknown[] = Array.isArray(budgets) ? budgets : [];
  const limits = given
    .map((budget): GivenBudget => Object(budget))
    .filter(({ limit, unit }) => limit !== undefined && unit === undefined);
  const errors: FieldError[] = [];
  const require = (path: string, message: string) => errors.push({ path, code: 'required', message });
  if (limits.length > 0 && currency === undefined) {
    require('/currency', 'A passport with a budget that has a limit needs a currency.');
  }
  const hasNone = Array.isArray(monetary_actions) && monetary_actions.length === 0;
  if (hasNone && limits.some(({ actions }) => actions === undefined)) {
    const message =
      'A budget with a limit and without actions needs monetary_actions: without them an intent could leave its amount out.';
    require('/monetary_actions', message);
  }
  return errors;
}

function isLimit(limit: number | string, decimals: number): boolean {
  const amount = readAmount(limit, decimals);
  return amount !== null && toSafeUnits(amount, decimals) !== undefined;
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function malformedEntries(list: unknown, isEntry: (text: string) => boolean): readonly number[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown, at) => (typeof entry === 'string' && !isEntry(entry) ? [at] : []));
}
