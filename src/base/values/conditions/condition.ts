import type { Condition, ConditionTest } from '../../../records/condition.ts';
import { isActionEntry } from '../action.ts';
import { MAX_ENTRIES } from '../field-limits.ts';
import { compareDecimals, readBound } from './decimal.ts';
import { LIST_TESTS, type ListTestName, OTHER_TESTS } from './tests.ts';

const MAX_POINTER = 256;
const MAX_NAMES = 8;
const POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/;
const INDEX = /^(?:0|[1-9][0-9]*)$/;
const FORBIDDEN: readonly string[] = ['__proto__', '-'];

/** A step of a path in parameters: the name of a member, the index of an element, or `EVERY` for every element. */
export type Step = string | number;

export const EVERY = -1;

/**
 * Returns the steps of a JSON Pointer with 1 to 8 names; an empty list for an empty text. Returns `undefined` for
 * anything else.
 */
export function stepsOf(pointer: unknown): readonly Step[] | undefined {
  if (pointer === '') return [];
  if (typeof pointer !== 'string' || pointer.length > MAX_POINTER || !POINTER.test(pointer)) return undefined;
  const names = pointer.slice(1).split('/').map(nameOf);
  if (names.length > MAX_NAMES || names.some((name) => FORBIDDEN.includes(name))) return undefined;
  return names.map((name) => (name === '*' ? EVERY : INDEX.test(name) ? Number(name) : asKey(name)));
}

/**
 * Returns the text in the form that the JavaScript engine uses for property names, so that a look-up does not compare
 * characters.
 */
function asKey(name: string): string {
  return Object.keys({ [name]: name })[0] ?? name;
}

function nameOf(escapedText: string): string {
  return escapedText.replaceAll('~1', '/').replaceAll('~0', '~');
}

export const MAX_CONDITIONS = 16;

export const CONDITION_TESTS: readonly ConditionTest[] = Object.keys({
  ...LIST_TESTS,
  ...OTHER_TESTS,
}) as ConditionTest[];

export const CONDITION_FIELDS: readonly string[] = ['actions', 'at', 'optional', ...CONDITION_TESTS];

export interface RuleFault {
  readonly path: string;
  readonly code:
    | 'required'
    | 'wrong_type'
    | 'malformed'
    | 'unknown_field'
    | 'duplicate'
    | 'too_few'
    | 'too_many';
}

type Given = { readonly [Field in keyof Condition]?: unknown };

export function conditionFaults(conditions: unknown): readonly RuleFault[] {
  if (!Array.isArray(conditions)) return [{ path: '', code: 'wrong_type' }];
  if (conditions.length > MAX_CONDITIONS) return [{ path: '', code: 'too_many' }];
  return conditions.flatMap((condition: unknown, place) =>
    faultsOf(condition).map(({ path, code }) => ({ path: `/${place}${path}`, code })),
  );
}

function faultsOf(condition: unknown): readonly RuleFault[] {
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) {
    return [{ path: '', code: 'wrong_type' }];
  }
  const unknown = Object.keys(condition).filter((name) => !CONDITION_FIELDS.includes(name));
  const givenCondition: Given = condition;
  const tests = CONDITION_TESTS.filter((test) => givenCondition[test] !== undefined);
  const isOne = tests.length === 1 || (tests.length === 2 && tests.every((test) => test in RANGE));
  return [
    ...unknown.map((name): RuleFault => ({ path: `/${escaped(name)}`, code: 'unknown_field' })),
    ...(isOne ? [] : ([{ path: '', code: tests.length === 0 ? 'required' : 'malformed' }] as const)),
    ...placeFaults(givenCondition, tests),
    ...actionFaults(givenCondition.actions),
    ...tests.flatMap((test) => testFaults(test, givenCondition[test])),
    ...rangeFaults(givenCondition),
  ];
}

const RANGE: { readonly [Test in ConditionTest]?: true } = { min: true, max: true };

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function placeFaults({ at, optional }: Given, tests: readonly ConditionTest[]): readonly RuleFault[] {
  const steps = stepsOf(at);
  const faults: RuleFault[] = [];
  if (at === undefined) faults.push({ path: '/at', code: 'required' });
  else if (typeof at !== 'string') faults.push({ path: '/at', code: 'wrong_type' });
  else if (steps === undefined || (steps.length === 0 && !tests.includes('only'))) {
    faults.push({ path: '/at', code: 'malformed' });
  }
  const isExact = tests.includes('present') || tests.includes('absent');
  if (optional !== undefined && typeof optional !== 'boolean') {
    faults.push({ path: '/optional', code: 'wrong_type' });
  } else if (optional === true && isExact) faults.push({ path: '/optional', code: 'malformed' });
  return faults;
}

function actionFaults(actions: unknown): readonly RuleFault[] {
  if (actions === undefined) return [];
  return listFaults('/actions', actions, {
    items: [1, MAX_ENTRIES],
    isEntry: (entry) => typeof entry === 'string' && isActionEntry(entry),
  });
}

function testFaults(test: ConditionTest, value: unknown): readonly RuleFault[] {
  if (test in LIST_TESTS) return listFaults(`/${test}`, value, LIST_TESTS[test as ListTestName]);
  const isValue = OTHER_TESTS[test as keyof typeof OTHER_TESTS];
  return isValue(value) ? [] : [{ path: `/${test}`, code: 'malformed' }];
}

export function listFaults(
  path: string,
  list: unknown,
  { items: [minimum, limit], isEntry }: (typeof LIST_TESTS)[ListTestName],
): readonly RuleFault[] {
  if (!Array.isArray(list)) return [{ path, code: 'wrong_type' }];
  if (list.length < minimum) return [{ path, code: 'too_few' }];
  if (list.length > limit) return [{ path, code: 'too_many' }];
  const wrong = list.flatMap((entry: unknown, place): readonly RuleFault[] =>
    isEntry(entry) ? [] : [{ path: `${path}/${place}`, code: 'malformed' }],
  );
  return new Set(list).size === list.length ? wrong : [...wrong, { path, code: 'duplicate' }];
}

function rangeFaults({ min, max }: Given): readonly RuleFault[] {
  const [leastAmount, mostAmount] = [readBound(min), readBound(max)];
  if (leastAmount === null || mostAmount === null) return [];
  return compareDecimals(leastAmount, mostAmount) > 0 ? [{ path: '/max', code: 'malformed' }] : [];
}

/** Returns the conditions in stored form, with canonical bounds. The conditions must be valid. */
export function canonicalConditions(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.map((condition) => {
    const { min, max } = condition;
    const present = Object.entries(condition).filter(([, value]) => value !== undefined);
    return {
      ...(Object.fromEntries(present) as unknown as Condition),
      ...(min !== undefined && { min: canonicalBound(min) }),
      ...(max !== undefined && { max: canonicalBound(max) }),
    };
  });
}

function canonicalBound(limit: NonNullable<Condition['min']>): NonNullable<Condition['min']> {
  return readBound(limit) ?? limit;
}
