import type { Pace } from '../../records.ts';
import { isActionEntry } from './action.ts';
import { isBudgetName } from './budget.ts';
import { MAX_ENTRIES } from './field-limits.ts';

const FIELDS: Readonly<Record<keyof Pace, true>> = {
  name: true,
  actions: true,
  max: true,
  seconds: true,
};

export const MAX_PACES = 4;

/** The highest `max` of a pace. A pace limits the number of allowed intents in any period of a given length. */
export const MAX_PACE = 10_000;

export const MAX_PACE_SECONDS = 604_800;

export const PACE_NAME = 'pace';

/** Says whether the value is a list of paces in stored form, in which each pace has its name. */
export function arePaces(value: unknown): boolean {
  if (!Array.isArray(value) || value.length > MAX_PACES) return false;
  return value.every(isPace) && new Set(value.map(({ name }) => name)).size === value.length;
}

function isPace(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (!Object.keys(value).every((field) => Object.hasOwn(FIELDS, field))) return false;
  const { name, actions, max, seconds }: { readonly [Field in keyof Pace]?: unknown } = value;
  const isNamed = typeof name === 'string' && isBudgetName(name);
  return isNamed && isActions(actions) && isWhole(max, MAX_PACE) && isWhole(seconds, MAX_PACE_SECONDS);
}

function isActions(list: unknown): boolean {
  if (list === undefined) return true;
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_ENTRIES) return false;
  return list.every((entry) => typeof entry === 'string' && isActionEntry(entry));
}

export function isWhole(value: unknown, limit: number): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= limit;
}
