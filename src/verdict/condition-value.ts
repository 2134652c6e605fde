/** Finds the value of a condition, and tests it. */
import { EVERY, type Step } from '../base/values/conditions/condition.ts';
import type { ReadTest } from '../base/values/conditions/tests.ts';
import { isJsonNumber, isPlainObject } from '../base/values/plain-data.ts';
import type { ConditionTest } from '../records/condition.ts';

/**
 * The reason why a condition denies: a value is missing, an object has a confusable name or too many values, or a test
 * fails.
 */
export type ConditionFailure = 'missing' | 'name' | 'items' | ConditionTest;

const MAX_VALUES = 256;

/** The number of members above which the names of an object are listed only once for all conditions. */
const MANY = 16;

export interface Given {
  readonly parameters: object;
  readonly isForeign: boolean;
  /** The object that was last read, and the names of its members. */
  holder: object | undefined;
  names: readonly string[];
  large: Map<object, readonly string[]> | undefined;
}

export function givenOf(parameters: object): Given {
  return { parameters, isForeign: isForeign(parameters), holder: undefined, names: [], large: undefined };
}

/**
 * Returns the value at a path without `EVERY`. Returns `undefined` if there is none, and `null` if it cannot be
 * determined.
 */
export function valueAtSteps(input: Given, steps: readonly Step[]): unknown {
  let value: unknown = input.parameters;
  for (const step of steps) {
    if (isForeign(value)) return null;
    const next = Array.isArray(value) ? elementAt(value, step) : memberOf(input, value, step);
    if (next === ABSENT) return undefined;
    if (next === DISGUISED) return null;
    value = next;
  }
  return isForeign(value) ? null : value;
}

interface Search {
  readonly steps: readonly Step[];
  readonly test: ReadTest;
  readonly given: Given;
  found: number;
  isMissing: boolean;
  isDisguised: boolean;
  failed: ConditionTest | undefined;
}

export function failureAt(
  input: Given,
  {
    steps,
    test,
    optional,
  }: { readonly steps: readonly Step[]; readonly test: ReadTest; readonly optional: boolean },
): ConditionFailure | undefined {
  if (input.isForeign) return test.name;
  const [name] = steps;
  if (steps.length === 1 && typeof name === 'string') {
    // Most pointers are one name, and most values are no arrays: nothing is allocated for them.
    const value = memberOf(input, input.parameters, name);
    if (value === DISGUISED) return 'name';
    if (value === ABSENT) return optional ? undefined : 'missing';
    if (isForeign(value)) return test.name;
    if (!Array.isArray(value)) return test.failed(value);
  }
  const search: Search = {
    steps,
    test,
    given: input,
    found: 0,
    isMissing: false,
    isDisguised: false,
    failed: undefined,
  };
  follow(search, input.parameters, 0);
  return failureIn(search, optional);
}

function failureIn(search: Search, optional: boolean): ConditionFailure | undefined {
  if (search.isDisguised) return 'name';
  if (search.found > MAX_VALUES) return 'items';
  if (search.failed !== undefined) return search.failed;
  return search.isMissing && !optional ? 'missing' : undefined;
}

function follow(search: Search, start: unknown, begin: number): void {
  const { steps } = search;
  let value = start;
  for (let index = begin; ; index += 1) {
    if (isForeign(value)) {
      if (index === steps.length) search.found += 1;
      search.failed ??= search.test.name;
      return;
    }
    if (index === steps.length) break;
    const step = steps[index] as Step;
    if (step === EVERY) {
      followEach(search, value, index + 1);
      return;
    }
    const next = Array.isArray(value) ? elementAt(value, step) : memberOf(search.given, value, step);
    if (next === ABSENT || next === DISGUISED) {
      search.isMissing ||= next === ABSENT;
      search.isDisguised ||= next === DISGUISED;
      return;
    }
    value = next;
  }
  finish(search, value);
}

const ABSENT: unique symbol = Symbol();
const DISGUISED: unique symbol = Symbol();

function elementAt(list: readonly unknown[], step: Step): unknown {
  return typeof step === 'number' && step < list.length ? list[step] : ABSENT;
}

/**
 * Returns the own member. Returns `DISGUISED` if the name of another member differs only in ASCII case, because some
 * servers read `To` as `to`.
 */
function memberOf(input: Given, holder: unknown, name: Step): unknown {
  if (typeof name === 'number' || typeof holder !== 'object' || holder === null) return ABSENT;
  const { length } = name;
  let isOwn = false;
  for (const otherName of namesOf(input, holder)) {
    if (otherName.length !== length) continue;
    if (otherName === name) isOwn = true;
    else if (isSameWithoutCase(otherName, name)) return DISGUISED;
  }
  return isOwn ? (holder as Readonly<Record<string, unknown>>)[name] : ABSENT;
}

function namesOf(input: Given, holder: object): readonly string[] {
  if (input.holder === holder) return input.names;
  const names = input.large?.get(holder) ?? Object.getOwnPropertyNames(holder);
  if (names.length > MANY) {
    input.large ??= new Map();
    input.large.set(holder, names);
  }
  input.holder = holder;
  input.names = names;
  return names;
}

function followEach(search: Search, value: unknown, start: number): void {
  if (!Array.isArray(value) || value.length === 0) {
    search.isMissing = true;
    return;
  }
  for (let place = 0; place < value.length && search.found <= MAX_VALUES; place += 1) {
    follow(search, value[place], start);
    if (search.isDisguised) return;
  }
}

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

/** Returns `true` if the value has no JSON form: the instance of a class, a function, `undefined`, NaN or `-0`. */
function isForeign(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'boolean') return false;
  if (typeof value === 'number') return !isJsonNumber(value);
  if (typeof value !== 'object') return true;
  if (value === null) return false;
  if (typeof (value as { readonly toJSON?: unknown }).toJSON === 'function') return true;
  // The prototype of arrays, of any realm, is an array.
  if (Array.isArray(value)) return !Array.isArray(Object.getPrototypeOf(value));
  return Object.getPrototypeOf(value) !== Object.prototype && !isPlainObject(value);
}

/** The bit in which an ASCII letter differs from the same letter in the other case. */
const CASE = 0x20;

function isSameWithoutCase(first: string, second: string): boolean {
  for (let place = 0; place < first.length; place += 1) {
    const code = first.charCodeAt(place);
    const difference = code ^ second.charCodeAt(place);
    if (difference === 0) continue;
    const letter = code | CASE;
    if (difference !== CASE || letter < 0x61 || letter > 0x7a) return false;
  }
  return true;
}
