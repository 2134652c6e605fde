import type { Budget } from '../../records.ts';

const FIELDS: Readonly<Record<keyof Budget, true>> = {
  name: true,
  window: true,
  limit: true,
  unit: true,
  count: true,
  actions: true,
  overrun: true,
  warn_at: true,
};

export const BUDGET_FIELDS: readonly string[] = /* @__PURE__ */ Object.keys(FIELDS);

export const MAX_BUDGETS = 8;

export const MAX_BUDGET_COUNT = 1_000_000_000;

const NAME = /^[a-z][a-z0-9_-]{0,31}$/;

/** Says whether the value is a valid share for a budget warning: a number from 0.01 to 0.99 with at most 2 decimals. */
export function isWarnPart(value: unknown): value is number {
  const hundredths = Math.round(Number(value) * 100);
  return hundredths / 100 === value && hundredths > 0 && hundredths < 100;
}

export function isBudgetName(text: string): boolean {
  return NAME.test(text);
}
