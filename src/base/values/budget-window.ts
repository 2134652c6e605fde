/** Computes the windows of budgets: calendar windows in UTC, and rolling windows. */
import type { BudgetWindow } from '../../records.ts';
import { RESOLUTION_MS } from './time-buckets.ts';

/** The time span `[start, end)` in milliseconds since the Unix epoch. */
export interface WindowSpan {
  readonly start: number;
  readonly end: number;
}

const { hour: HOUR_MS, day: DAY_MS } = RESOLUTION_MS;
const WEEK_MS = 7 * DAY_MS;
const MONDAY_MS = 4 * DAY_MS;

export function windowAt(window: BudgetWindow, atMs: number): WindowSpan | undefined {
  switch (window) {
    case 'hour':
      return every(HOUR_MS, 0, atMs);
    case 'day':
      return every(DAY_MS, 0, atMs);
    case 'week':
      return every(WEEK_MS, MONDAY_MS, atMs);
    case 'month':
      return months(1, atMs);
    case 'year':
      return months(12, atMs);
    default:
      return undefined;
  }
}

const ROLLING_SECONDS: Partial<Record<BudgetWindow, number>> = {
  rolling_hour: 3_600,
  rolling_day: 86_400,
  rolling_week: 604_800,
  rolling_month: 2_592_000,
};

export function rollingSeconds(window: BudgetWindow): number | undefined {
  return ROLLING_SECONDS[window];
}

function every(length: number, first: number, atMs: number): WindowSpan {
  const start = Math.floor((atMs - first) / length) * length + first;
  return { start, end: start + length };
}

function months(number: 1 | 12, atMs: number): WindowSpan {
  const date = new Date(atMs);
  const year = date.getUTCFullYear();
  const month = number === 1 ? date.getUTCMonth() : 0;
  return { start: firstOf(year, month), end: firstOf(year, month + number) };
}

/**
 * Returns the first instant of a month. `Date.UTC` cannot be used, because it maps the years 0 to 99 to 1900 to 1999.
 */
function firstOf(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1);
}
