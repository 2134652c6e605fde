/** Reads the parameters that a tool mapping sends in addition to the amount, for the conditions of the passport. */
import type { Intent } from '../records.ts';
import { assertReadable, isPlain, readPointer, valueAt } from './plain-arguments.ts';
import { requireOption } from './require-option.ts';
import type { ToolRule } from './tool-call.ts';

const MAX_NAMES = 32;
const MAX_BYTES = 49_152;
const MAX_LEVELS = 32;
const MAX_MEMBERS = 10_000;
const MONEY = ['amount', 'currency'] as const;

type Parameters = NonNullable<Intent['parameters']>;

/**
 * Creates the function that reads the parameters of a tool mapping; `undefined` if the mapping has none. The
 * function throws if an argument has no JSON form, if a server may read it differently, or if the arguments
 * are larger than 48 KiB.
 */
export function namedParameters(place: string, rule: ToolRule): ((args: unknown) => Parameters) | undefined {
  const { parameters } = rule;
  if (parameters === undefined) return undefined;
  const read = parameters === 'all' ? allOf(rule) : named(place, parameters);
  return (args) => {
    const result = read(args);
    assertCarried(result, { members: MAX_MEMBERS }, 0);
    const bytes = new TextEncoder().encode(JSON.stringify(result)).length;
    if (bytes > MAX_BYTES) throw new TypeError();
    return result;
  };
}

function named(place: string, names: unknown): (args: unknown) => Parameters {
  const isMap = isPlain(names) && !Array.isArray(names);
  requireOption(isMap, `${place}.parameters must be "all", or an object such as { to: "/to" }.`);
  const entries = Object.entries(names as object);
  const isInRange = entries.length >= 1 && entries.length <= MAX_NAMES;
  requireOption(isInRange, `${place}.parameters must name 1 to ${MAX_NAMES} parameters.`);
  const paths = entries.map(([name, pointer]: [string, unknown]) => {
    requireOption(
      ![...MONEY, '__proto__'].includes(name),
      `${place}.parameters must not name ${name}: the rule has amount and currency.`,
    );
    const path = typeof pointer === 'string' ? readPointer(pointer) : undefined;
    requireOption(path !== undefined, `${place}.parameters.${name} must be a JSON Pointer such as /to.`);
    return [name, path ?? []] as const;
  });
  return (args) => {
    const result: Record<string, unknown> = {};
    for (const [name, path] of paths) {
      const value = valueAt(args, path);
      if (value === undefined) continue;
      assertReadable(value);
      result[name] = value;
    }
    return result;
  };
}

/**
 * Sends all arguments. If the mapping reads the amount or the currency elsewhere, an argument `amount` or `currency`
 * would hide that value. The function then throws.
 */
function allOf(rule: ToolRule): (args: unknown) => Parameters {
  const elsewhere = MONEY.filter((name) => rule[name] !== undefined && rule[name] !== `/${name}`);
  return (args) => {
    assertReadable(args);
    if (!isPlain(args) || Array.isArray(args)) throw new TypeError();
    if ([...elsewhere, '__proto__'].some((name) => Object.hasOwn(args, name))) throw new TypeError();
    return { ...args };
  };
}

/** Returns `true` for a number that JSON does not change: finite, and not minus zero. */
export function isCarriedNumber(value: unknown): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

/** Throws for a value without a JSON form, and for more than 32 levels or 10,000 members. */
function assertCarried(value: unknown, allowance: { members: number }, level: number): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (isCarriedNumber(value)) return;
  if (!isPlain(value) || level === MAX_LEVELS) throw new TypeError();
  const parts: readonly unknown[] = Object.values(value);
  allowance.members -= parts.length;
  const hasHoles = Array.isArray(value) && parts.length !== value.length;
  if (allowance.members < 0 || hasHoles) throw new TypeError();
  for (const part of parts) assertCarried(part, allowance, level + 1);
}
