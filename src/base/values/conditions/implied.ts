import type { Condition, ConditionTest } from '../../../records/condition.ts';
import { compareDecimals } from './decimal.ts';
import { isPathEntryWithin } from './file-path.ts';
import { testOf } from './tests.ts';
import { isUrlEntryWithin } from './url.ts';

/** Says whether every value that passes the first condition passes the second condition. */
type Implies = (first: Condition, second: Condition) => boolean;

/** The comparison of two conditions with the same test, for each test. The entry `min` also handles `max`. */
const NESTED: Readonly<Record<Exclude<ConditionTest, 'max'>, Implies>> = {
  in: () => false,
  not_in: ({ not_in: longList = [] }, { not_in: fewer = [] }) => {
    const forbidden = new Set(longList.map((text) => text.toLowerCase()));
    return fewer.every((text) => forbidden.has(text.toLowerCase()));
  },
  prefix: ({ prefix: longer = [] }, { prefix: shorter = [] }) =>
    longer.every((start) => shorter.some((pattern) => start.startsWith(pattern))),
  suffix: ({ suffix: longer = [] }, { suffix: shorter = [] }) =>
    longer.every((end) => shorter.some((pattern) => end.endsWith(pattern))),
  min: ({ min, max }, outer) =>
    (outer.min === undefined || (min !== undefined && compareDecimals(min, outer.min) >= 0)) &&
    (outer.max === undefined || (max !== undefined && compareDecimals(max, outer.max) <= 0)),
  email_in: ({ email_in: fewer = [] }, { email_in: longList = [] }) =>
    fewer.every((entry) => longList.includes(entry) || longList.includes(entry.slice(entry.indexOf('@')))),
  url_under: ({ url_under: narrower = [] }, { url_under: wider = [] }) =>
    narrower.every((entry) => isUrlEntryWithin(entry, wider)),
  path_under: ({ path_under: narrower = [] }, { path_under: wider = [] }) =>
    narrower.every((entry) => isPathEntryWithin(entry, wider)),
  max_items: ({ max_items: fewer = 0 }, { max_items: moreCount = 0 }) => fewer <= moreCount,
  only: ({ only: fewer = [] }, { only: longList = [] }) => fewer.every((name) => longList.includes(name)),
  present: () => true,
  absent: () => true,
};

/**
 * Says whether every value that passes the first condition passes the second condition at the same place. A `true` is
 * always correct, a `false` may not be. Actions are not compared.
 */
export function impliesTest(first: Condition, second: Condition): boolean {
  if (first.optional === true && second.optional !== true) return false;
  const [inner, outer] = [testOf(first), testOf(second)];
  if (first.in !== undefined) {
    // Each entry is tried. Both tests apply to each element of an array.
    return outer.isOfScalars && first.in.every((entry) => outer.failed(entry) === undefined);
  }
  const [name, otherEntry] = [kindOf(inner.name), kindOf(outer.name)];
  return name === otherEntry && NESTED[name](first, second);
}

function kindOf(test: ConditionTest): Exclude<ConditionTest, 'max'> {
  return test === 'max' ? 'min' : test;
}
