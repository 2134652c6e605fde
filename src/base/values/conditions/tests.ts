/** The tests of conditions: the values that a passport may give to a test, and the values of an intent that pass. */
import type { Condition, ConditionTest } from '../../../records/condition.ts';
import { isJsonNumber } from '../plain-data.ts';
import { compareDecimals, isDecimal, readBound } from './decimal.ts';
import { isPathEntry, pathTest } from './file-path.ts';
import { isUrlEntry, urlTest } from './url.ts';

export type Holds = (value: unknown) => boolean;

interface ListTest {
  readonly items: readonly [least: number, most: number];
  readonly isEntry: (entry: unknown) => boolean;
}

const MAX_VALUES = 256;
const MAX_STARTS = 64;
const MAX_NAME = 128;
export const MAX_ITEMS = 1_000;

const PRINTABLE = /^(?:[\u0021-\u007e](?:[\u0020-\u007e]*[\u0021-\u007e])?)?$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/;
/**
 * Matches the start of a path or URL. The test `prefix` refuses such a text, because paths and URLs have
 * their own tests.
 */
const PATH_OR_URL = /^(?:\.{0,2}\/|~|https?:)/;

const isText = (value: unknown, limit: number, minimum = 0): value is string =>
  typeof value === 'string' && value.length >= minimum && value.length <= limit;

export const LIST_TESTS: Readonly<Record<ListTestName, ListTest>> = {
  in: {
    items: [1, MAX_VALUES],
    isEntry: (entry) =>
      isText(entry, MAX_VALUES) || isJsonNumber(entry) || typeof entry === 'boolean' || entry === null,
  },
  not_in: {
    items: [1, MAX_VALUES],
    isEntry: (entry) => isText(entry, MAX_VALUES) && PRINTABLE.test(entry),
  },
  prefix: {
    items: [1, MAX_STARTS],
    isEntry: (entry) => isText(entry, MAX_VALUES, 1) && !PATH_OR_URL.test(entry),
  },
  suffix: {
    items: [1, MAX_STARTS],
    isEntry: (entry) => isText(entry, MAX_VALUES, 1) && !entry.startsWith('@'),
  },
  email_in: { items: [1, MAX_VALUES], isEntry: (entry) => typeof entry === 'string' && isEmailEntry(entry) },
  url_under: { items: [1, MAX_STARTS], isEntry: (entry) => typeof entry === 'string' && isUrlEntry(entry) },
  path_under: { items: [1, MAX_STARTS], isEntry: (entry) => typeof entry === 'string' && isPathEntry(entry) },
  only: { items: [0, MAX_STARTS], isEntry: (entry) => isText(entry, MAX_NAME) },
};

export type ListTestName =
  | 'in'
  | 'not_in'
  | 'prefix'
  | 'suffix'
  | 'email_in'
  | 'url_under'
  | 'path_under'
  | 'only';

export const OTHER_TESTS: Readonly<Record<Exclude<ConditionTest, ListTestName>, Holds>> = {
  min: (value) => readBound(value) !== null,
  max: (value) => readBound(value) !== null,
  max_items: (value) => isJsonNumber(value) && Number.isInteger(value) && isWithin(value),
  present: (value) => value === true,
  absent: (value) => value === true,
};

function isWithin(count: number): boolean {
  return count >= 0 && count <= MAX_ITEMS;
}

/** The tests that apply to each element if the value is an array. All other tests apply to the value as a whole. */
const OF_SCALARS: Readonly<Partial<Record<ConditionTest, (condition: Condition) => Holds>>> = {
  in: ({ in: values = [] }) => {
    const allowedSet = new Set<unknown>(values);
    return (value) => allowedSet.has(value);
  },
  not_in: ({ not_in: texts = [] }) => {
    const forbidden = new Set(texts.map((text) => text.toLowerCase()));
    return (value) => {
      const isPrinted = typeof value === 'number' || typeof value === 'boolean';
      if (!isPrinted && !(typeof value === 'string' && PRINTABLE.test(value))) return false;
      return !forbidden.has(String(value).toLowerCase());
    };
  },
  prefix: ({ prefix: starts = [] }) => {
    return (value) => isPlainText(value) && starts.some((start) => value.startsWith(start));
  },
  suffix: ({ suffix: ends = [] }) => {
    return (value) => isPlainText(value) && ends.some((end) => value.endsWith(end));
  },
  email_in: ({ email_in: entries = [] }) => emailTest(entries),
  url_under: ({ url_under: entries = [] }) => urlTest(entries),
  path_under: ({ path_under: entries = [] }) => pathTest(entries),
};

function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && !CONTROL.test(value);
}

const OF_WHOLES: Readonly<Partial<Record<ConditionTest, (condition: Condition) => Holds>>> = {
  max_items: ({ max_items: limit = 0 }) => {
    return (value) => Array.isArray(value) && value.length <= limit;
  },
  only: ({ only: names = [] }) => {
    const allowedNames = new Set(names);
    return (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.getOwnPropertyNames(value).every((name) => allowedNames.has(name)) &&
      Object.getOwnPropertySymbols(value).length === 0;
  },
  present: () => (value) => !isEmpty(value),
  absent: () => () => false,
};

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === null || value === '';
  return Object.keys(value).length === 0;
}

export interface ReadTest {
  readonly isOfScalars: boolean;
  /** Returns the name of the test that the value fails; `undefined` if the value passes. */
  readonly failed: (value: unknown) => ConditionTest | undefined;
  /** The name to report if the failed test is not known exactly. */
  readonly name: ConditionTest;
}

export function testOf(condition: Condition): ReadTest {
  const { min, max } = condition;
  if (min !== undefined || max !== undefined) return rangeOf(min, max);
  const tests = { ...OF_SCALARS, ...OF_WHOLES };
  const name =
    (Object.keys(tests) as ConditionTest[]).find((test) => condition[test] !== undefined) ?? 'absent';
  const holds = tests[name]?.(condition) ?? (() => false);
  const isOfScalars = name in OF_SCALARS;
  return { isOfScalars, failed: (value) => (holds(value) ? undefined : name), name };
}

function rangeOf(min: Condition['min'], max: Condition['max']): ReadTest {
  const name = min === undefined ? 'max' : 'min';
  const findFailure = (value: unknown): ConditionTest | undefined => {
    if (!isDecimal(value)) return name;
    if (min !== undefined && compareDecimals(value, min) < 0) return 'min';
    return max !== undefined && compareDecimals(value, max) > 0 ? 'max' : undefined;
  };
  return { isOfScalars: true, failed: findFailure, name };
}

const MAX_ADDRESS = 254;
const MAX_LOCAL = 64;
const ADDRESS =
  /^(?!-)[\w+'=-]+(?:\.[\w+'=-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

function isAddress(text: string): boolean {
  return text.length <= MAX_ADDRESS && text.indexOf('@') <= MAX_LOCAL && ADDRESS.test(text);
}

/** Says whether the text is an entry of `email_in`: an address, or `@` and a domain, in lower case. */
function isEmailEntry(text: string): boolean {
  return text === text.toLowerCase() && isAddress(text.startsWith('@') ? `a${text}` : text);
}

/**
 * Returns a function that says whether a value is an address in the list, or has a domain in the list. ASCII case is
 * ignored.
 */
function emailTest(entries: readonly string[]): (value: unknown) => boolean {
  const addresses = new Set(entries);
  return (value) => {
    if (typeof value !== 'string') return false;
    // Most values are an entry to the letter, and an entry is an address.
    if (addresses.has(value) && !value.startsWith('@')) return true;
    if (!isAddress(value)) return false;
    // The grammar has ASCII alone.
    const address = value.toLowerCase();
    return addresses.has(address) || addresses.has(address.slice(address.indexOf('@')));
  };
}
