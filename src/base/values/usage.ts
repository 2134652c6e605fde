/** Reads the usage that an intent declares, in the units of budgets other than money. */
import type { Amount, BudgetUnit, IntentUsage } from '../../records.ts';
import { amountText, compareAmounts, readAmount } from './money.ts';

export const UNIT_DECIMALS: Readonly<Record<BudgetUnit, number>> = { tokens: 0, credits: 6 };

export const BUDGET_UNITS: readonly BudgetUnit[] = ['tokens', 'credits'];

const MOST = 1e12;

export const OF_USAGE: Readonly<Record<BudgetUnit, string>> = {
  tokens: 'a whole number from 0 to 10^12',
  credits: 'a decimal from 0 to 10^12 with at most 6 decimals, such as 0.25',
};

export function isBudgetUnit(value: unknown): value is BudgetUnit {
  return BUDGET_UNITS.some((unit) => unit === value);
}

export function unitDecimals(unit: unknown): number {
  return isBudgetUnit(unit) ? UNIT_DECIMALS[unit] : 0;
}

export function usedOf(usage: unknown, unit: BudgetUnit): Amount | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined;
  const usedAmount = readAmount(Object.getOwnPropertyDescriptor(usage, unit)?.value, UNIT_DECIMALS[unit]);
  return usedAmount === null || compareAmounts(usedAmount, MOST) > 0 ? undefined : usedAmount;
}

export function usageFaults(usage: object): readonly string[] {
  const namedUnits = BUDGET_UNITS.filter((unit) => (usage as IntentUsage)[unit] !== undefined);
  if (namedUnits.length === 0) return [''];
  return namedUnits.filter((unit) => usedOf(usage, unit) === undefined);
}

export function readUsage(usage: unknown): IntentUsage | undefined {
  const [tokens, credits] = [usedOf(usage, 'tokens'), usedOf(usage, 'credits')];
  if (tokens === undefined) return credits === undefined ? undefined : { credits };
  return credits === undefined ? { tokens } : { tokens, credits };
}

export function usageText({ tokens, credits }: IntentUsage): string {
  const parts = [
    tokens === undefined ? '' : `tokens=${amountText(tokens)}`,
    credits === undefined ? '' : `credits=${amountText(credits)}`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

const TEXT = /^(?:tokens=(\d{1,13}))? ?(?:credits=(\d{1,13}(?:\.\d{1,6})?))?$/;

export function parseUsage(text: string): IntentUsage {
  const [, tokens, credits] = TEXT.exec(text) ?? [];
  const usage = readUsage({ tokens, credits });
  if (usage === undefined || usageText(usage) !== text)
    throw new RangeError('The usage of a row is no usage.');
  return usage;
}
