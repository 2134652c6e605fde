/** The other parameters that a rule of a tool sends, for conditions of the passport. */
import type { Intent } from '../records.ts';
import { assertReadable, isPlain, readPointer, valueAt } from './plain-arguments.ts';
import { requireOption } from './require-option.ts';
import type { ToolRule } from './tool-call.ts';

/** The most names of `parameters`. */
const MAX_NAMES = 32;
/** The most bytes of the parameters as JSON. */
const MAX_BYTES = 49_152;
const MAX_LEVELS = 32;
const MAX_MEMBERS = 10_000;
const MONEY = ['amount', 'currency'] as const;

type Parameters = NonNullable<Intent['parameters']>;

/**
 * Makes the reader of the parameters of a rule; `undefined` for a rule without them. The reader throws for arguments
 * that JSON cannot carry, that a server may read differently, or that are larger than 48 KiB.
 */
export function namedParameters(where: string, rule: ToolRule): ((args: unknown) => Parameters) | undefined {
  const { parameters } = rule;
  if (parameters === undefined) return undefined;
  const read = parameters === 'all' ? allOf(rule) : named(where, parameters);
  return (args) => {
    const found = read(args);
    assertCarried(found, { members: MAX_MEMBERS }, 0);
    const bytes = new TextEncoder().encode(JSON.stringify(found)).length;
    if (bytes > MAX_BYTES) throw new TypeError();
    return found;
  };
}

function named(where: string, names: unknown): (args: unknown) => Parameters {
  const isMap = isPlain(names) && !Array.isArray(names);
  requireOption(isMap, `${where}.parameters must be "all", or an object such as { to: "/to" }.`);
  const all = Object.entries(names as object);
  requireOption(
    all.length >= 1 && all.length <= MAX_NAMES,
    `${where}.parameters must name 1 to ${MAX_NAMES} parameters.`,
  );
  const paths = all.map(([name, pointer]: [string, unknown]) => {
    requireOption(
      ![...MONEY, '__proto__'].includes(name),
      `${where}.parameters must not name ${name}: the rule has amount and currency.`,
    );
    const path = typeof pointer === 'string' ? readPointer(pointer) : undefined;
    requireOption(path !== undefined, `${where}.parameters.${name} must be a JSON Pointer such as /to.`);
    return [name, path ?? []] as const;
  });
  return (args) => {
    const found: Record<string, unknown> = {};
    for (const [name, path] of paths) {
      const value = valueAt(args, path);
      if (value === undefined) continue;
      assertReadable(value);
      found[name] = value;
    }
    return found;
  };
}

/**
 * Sends all arguments. Throws for an argument `amount` or `currency` if the mapping reads that value elsewhere,
 * because it would hide the value.
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

/** Says whether the value is a number that JSON carries unchanged: finite, and not minus zero. */
export function isCarriedNumber(value: unknown): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

/** Throws for a value that JSON cannot carry, and for more than 32 levels or 10,000 members. */
function assertCarried(value: unknown, left: { members: number }, level: number): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (isCarriedNumber(value)) return;
  if (!isPlain(value) || level === MAX_LEVELS) throw new TypeError();
  const parts: readonly unknown[] = Object.values(value);
  left.members -= parts.length;
  const hasHoles = Array.isArray(value) && parts.length !== value.length;
  if (left.members < 0 || hasHoles) throw new TypeError();
  for (const part of parts) assertCarried(part, left, level + 1);
}
