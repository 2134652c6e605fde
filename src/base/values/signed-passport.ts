/** The format of a signed passport, for the code that creates signed passports and the code that checks them. */
import type { ApprovalRequirement, Budget } from '../../records.ts';
import { isActionEntry } from './action.ts';
import { APPROVAL_FIELDS, isApprovalBy, isApprovalCount, isApprovalSeconds } from './approval.ts';
import { BUDGET_FIELDS, isBudgetName, isWarnPart, MAX_BUDGET_COUNT, MAX_BUDGETS } from './budget.ts';
import { MAX_ENTRIES } from './field-limits.ts';
import { amountText, readAmount } from './money.ts';
import { isBudgetUnit } from './usage.ts';
import { BUDGET_WINDOWS } from './vocabulary.ts';

/** The `typ` in the header of a signed passport. No other token of this package has it. */
export const PASSPORT_TYPE = 'agent-passport+jwt';

/** The claim `vct`, which is the type of the credential. */
export const PASSPORT_VCT = 'urn:agent-identity:passport:1';

/** The longest validity of a signed passport, in seconds. Signing keys stay published for longer. */
export const MAX_TOKEN_SECONDS = 86_400;

export const MIN_TOKEN_SECONDS = 60;

/** The default validity, in seconds, unless the service sets another. */
export const TOKEN_SECONDS = 3_600;

export function isListOf(value: unknown, isEntry: (text: string) => boolean): boolean {
  if (!Array.isArray(value) || value.length > MAX_ENTRIES) return false;
  return value.every((entry) => typeof entry === 'string' && isEntry(entry));
}

export function areClaimedBudgets(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MAX_BUDGETS && value.every(isBudget);
}

function isObjectOf(value: unknown, fields: readonly string[]): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.keys(value).every((name) => fields.includes(name));
}

function areActions(value: unknown): boolean {
  return isListOf(value, isActionEntry) && Object(value).length > 0;
}

function isBudget(value: unknown): boolean {
  if (!isObjectOf(value, BUDGET_FIELDS)) return false;
  const {
    name,
    window,
    limit,
    unit,
    count,
    actions,
    overrun,
    warn_at,
  }: { readonly [Field in keyof Budget]?: unknown } = value;
  const isNamed = typeof name === 'string' && isBudgetName(name);
  const counts = Number.isInteger(count) && Number(count) >= 1 && Number(count) <= MAX_BUDGET_COUNT;
  const isBound = limit === undefined ? counts : count === undefined && isCanonicalAmount(limit);
  const isOfActions = actions === undefined || areActions(actions);
  const isOfUnit = unit === undefined || (isBudgetUnit(unit) && limit !== undefined && actions !== undefined);
  const isOfOverrun =
    overrun === undefined || (limit !== undefined && (overrun === true || (overrun === false && !unit)));
  if (warn_at !== undefined && !isWarnPart(warn_at)) return false;
  return (
    isNamed &&
    isBound &&
    isOfActions &&
    isOfUnit &&
    isOfOverrun &&
    BUDGET_WINDOWS.some((word) => word === window)
  );
}

export function isClaimedApproval(value: unknown): boolean {
  if (!isObjectOf(value, APPROVAL_FIELDS)) return false;
  const rule: { readonly [Field in keyof ApprovalRequirement]?: unknown } = value;
  const { above, actions, seconds, count, by, changes } = rule;
  if (above === undefined && actions === undefined && changes !== true) return false;
  const isOfPeople =
    (count === undefined || isApprovalCount(count)) && (by === undefined || isApprovalBy(by));
  if (!isOfPeople || (changes !== undefined && typeof changes !== 'boolean')) return false;
  const isOfActions = actions === undefined || areActions(actions);
  return (above === undefined || isCanonicalAmount(above)) && isOfActions && isApprovalSeconds(seconds);
}

export function isCanonicalAmount(value: unknown): boolean {
  const amount = typeof value === 'string' ? readAmount(value) : null;
  return amount !== null && amountText(amount) === value;
}
