/** The value that a condition is about, and whether it passes. */
import { EVERY, type Step } from '../base/values/conditions/parameter-path.ts';
import type { ReadTest } from '../base/values/conditions/tests.ts';
import { isPlainObject } from '../base/values/plain-data.ts';
import type { ConditionTest } from '../records/condition.ts';

/** Why a condition denies: a value is missing, an object has a disguised name or too many values, or a test fails. */
export type ConditionFailure = 'missing' | 'name' | 'items' | ConditionTest;

/** The most values of one condition. */
const MAX_VALUES = 256;

/** Objects with more members are searched for disguised names by an index. */
const MANY = 16;

/** The members of large objects by their names without ASCII case, for the conditions of one intent. */
export type NameIndex = Map<object, ReadonlyMap<string, number>>;

/** A condition, and what has been found of its values until now. */
interface Search {
  readonly steps: readonly Step[];
  readonly test: ReadTest;
  readonly index: NameIndex;
  found: number;
  isMissing: boolean;
  isDisguised: boolean;
  failed: ConditionTest | undefined;
}

/**
 * Returns why the values at `steps` in `parameters` do not pass; `undefined` if all pass. Only own members count.
 */
export function failureAt(
  parameters: object,
  {
    steps,
    test,
    optional,
  }: { readonly steps: readonly Step[]; readonly test: ReadTest; readonly optional: boolean },
  index: NameIndex,
): ConditionFailure | undefined {
  const search: Search = {
    steps,
    test,
    index,
    found: 0,
    isMissing: false,
    isDisguised: false,
    failed: undefined,
  };
  follow(search, parameters, 0);
  if (search.isDisguised) return 'name';
  if (search.found > MAX_VALUES) return 'items';
  if (search.failed !== undefined) return search.failed;
  return search.isMissing && !optional ? 'missing' : undefined;
}

/** Follows the steps from the value at step `from`, and tests what they end at. */
function follow(search: Search, start: unknown, from: number): void {
  const { steps } = search;
  let value = start;
  for (let at = from; ; at += 1) {
    if (isForeign(value)) {
      if (at === steps.length) search.found += 1;
      search.failed ??= search.test.name;
      return;
    }
    if (at === steps.length) break;
    const step = steps[at] as Step;
    if (step === EVERY) {
      followEach(search, value, at + 1);
      return;
    }
    const next = Array.isArray(value) ? elementAt(value, step) : memberOf(search, value, step);
    if (next === ABSENT) {
      search.isMissing = true;
      return;
    }
    value = next;
  }
  finish(search, value);
}

const ABSENT: unique symbol = Symbol();

function elementAt(list: readonly unknown[], step: Step): unknown {
  return typeof step === 'number' && step < list.length ? list[step] : ABSENT;
}

function memberOf(search: Search, value: unknown, step: Step): unknown {
  if (typeof step === 'number' || typeof value !== 'object' || value === null) return ABSENT;
  if (hasDisguised(value, step, search.index)) search.isDisguised = true;
  return Object.hasOwn(value, step) ? (value as Readonly<Record<string, unknown>>)[step] : ABSENT;
}

function followEach(search: Search, value: unknown, from: number): void {
  if (!Array.isArray(value) || value.length === 0) {
    search.isMissing = true;
    return;
  }
  for (let place = 0; place < value.length && search.found <= MAX_VALUES; place += 1) {
    follow(search, value[place], from);
    if (search.isDisguised) return;
  }
}

/** Tests the value that the steps end at. */
function finish(search: Search, value: unknown): void {
  const { test } = search;
  if (!test.isOfScalars || !Array.isArray(value)) {
    search.found += 1;
    search.failed ??= test.failed(value);
    return;
  }
  if (value.length === 0) search.isMissing = true;
  for (let place = 0; place < value.length && search.found <= MAX_VALUES; place += 1) {
    const element: unknown = value[place];
    search.found += 1;
    search.failed ??= isForeign(element) ? test.name : test.failed(element);
  }
}

/** Says whether JSON cannot carry the value: the instance of a class, a function, `undefined`, NaN, `-0`. */
function isForeign(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'boolean') return false;
  if (typeof value === 'number') return !Number.isFinite(value) || Object.is(value, -0);
  if (typeof value !== 'object') return true;
  if (value === null) return false;
  if (typeof (value as { readonly toJSON?: unknown }).toJSON === 'function') return true;
  // The prototype of arrays, of any realm, is an array.
  if (Array.isArray(value)) return !Array.isArray(Object.getPrototypeOf(value));
  return Object.getPrototypeOf(value) !== Object.prototype && !isPlainObject(value);
}

/** Says whether another member differs from the name only in ASCII case: some servers read `To` as `to`. */
function hasDisguised(holder: object, name: string, index: NameIndex): boolean {
  const names = Object.getOwnPropertyNames(holder);
  if (names.length <= MANY) {
    return names.some((one) => one.length === name.length && one !== name && lower(one) === lower(name));
  }
  const known = index.get(holder) ?? indexOf(names);
  index.set(holder, known);
  return (known.get(lower(name)) ?? 0) > Number(Object.hasOwn(holder, name));
}

function indexOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(lower(name), (counts.get(lower(name)) ?? 0) + 1);
  return counts;
}

/** Returns the text with ASCII letters in lower case, and all others as they are. */
function lower(text: string): string {
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : text;
}
