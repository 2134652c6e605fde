/** The contract of conditions once more, slowly and with nothing of ours but the match of actions: what `decide` must answer. */
import { actionSet, matchesAction } from '../../../src/base/values/action.ts';
import {
  type Condition,
  type Fault,
  holdsFor,
  isScalarTest,
  type TestName,
  testOf,
} from './reference-tests.ts';
import { inLowerCase } from './reference-text.ts';

export type { Condition } from './reference-tests.ts';

/** What a reason of a condition says. */
export interface ConditionReason {
  readonly code: 'parameter_required' | 'parameter_not_allowed';
  readonly at: string;
  readonly test?: string;
}

/** What stands at a place to which a pointer leads: a value, or why there is none. */
type Place =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'missing' | 'disguised' | 'uncarried' | 'blocked' };

const MISSING: Place = { kind: 'missing' };
const DISGUISED: Place = { kind: 'disguised' };
const UNCARRIED: Place = { kind: 'uncarried' };
/** A value that JSON cannot carry stands on the way, so that the pointer does not end. */
const BLOCKED: Place = { kind: 'blocked' };
const MOST_VALUES = 256;

/** The reasons of one passport, in its order (sections 1 and 5). */
export function conditionReasons(
  conditions: readonly Condition[],
  action: string,
  parameters: unknown,
): readonly ConditionReason[] {
  return conditions
    .filter(({ actions }) => actions === undefined || matchesAction(actionSet(actions), action))
    .flatMap((condition) => reasonOf(condition, parameters) ?? []);
}

function reasonOf(condition: Condition, parameters: unknown): ConditionReason | undefined {
  const { at, optional } = condition;
  const test = testOf(condition);
  const places = valuesAmong(placesOf(rootOf(parameters), namesIn(at)), test);
  const fault = faultOf(condition, test, places);
  if (fault !== undefined && !(test === 'present' && fault === 'present'))
    return { code: 'parameter_not_allowed', at, test: fault };
  const isMissing = test !== 'absent' && places.some(({ kind }) => kind === 'missing');
  if (fault !== undefined || (isMissing && optional !== true)) return { code: 'parameter_required', at };
  return undefined;
}

/** The name of the test that a reason shows, or nothing where every value passes. */
function faultOf(condition: Condition, test: TestName, places: readonly Place[]): string | undefined {
  if (places.some(({ kind }) => kind === 'disguised')) return 'name';
  const values = places.filter(({ kind }) => kind !== 'missing');
  if (values.filter(({ kind }) => kind !== 'blocked').length > MOST_VALUES) return 'items';
  const faults = values.map((place): Fault | undefined =>
    place.kind === 'value' && isCarried(place.value)
      ? holdsFor(condition, test, place.value)
      : holdsFor(condition, test, NOTHING),
  );
  return faults.find((fault) => fault !== undefined);
}

/** In the place of a value that JSON cannot carry: no test holds for a symbol. */
const NOTHING = Symbol('nothing');

/** Rule 3: the elements in the place of an array, for the tests of scalars. */
function valuesAmong(places: readonly Place[], test: TestName): readonly Place[] {
  if (!isScalarTest(test)) return places;
  return places.flatMap((place): readonly Place[] => {
    if (place.kind !== 'value' || !Array.isArray(place.value)) return [place];
    if (!isCarried(place.value)) return [UNCARRIED];
    const elements = elementsOf(place.value);
    return elements.length === 0 ? [MISSING] : elements;
  });
}

function rootOf(parameters: unknown): Place {
  const isObject = typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters);
  return isObject ? { kind: 'value', value: parameters } : MISSING;
}

/** Section 2, step by step. */
function placesOf(place: Place, names: readonly string[]): readonly Place[] {
  const [name, ...rest] = names;
  if (place.kind === 'missing' || place.kind === 'disguised') return [place];
  if (place.kind !== 'value' || !isCarried(place.value)) return [name === undefined ? UNCARRIED : BLOCKED];
  const { value } = place;
  if (name === undefined) return [place];
  if (typeof value !== 'object' || value === null) return [MISSING];
  if (!Array.isArray(value)) return placesOf(memberOf(value, name), rest);
  if (name !== '*') return placesOf(elementAt(value, name), rest);
  const elements = elementsOf(value);
  return elements.length === 0 ? [MISSING] : elements.flatMap((element) => placesOf(element, rest));
}

function memberOf(object: object, name: string): Place {
  if (name === '*' || isIndex(name)) return MISSING;
  const others = Object.getOwnPropertyNames(object).filter((other) => other !== name);
  if (others.some((other) => inLowerCase(other) === inLowerCase(name))) return DISGUISED;
  return ownPlace(object, name);
}

function elementAt(array: readonly unknown[], name: string): Place {
  return isIndex(name) ? ownPlace(array, name) : MISSING;
}

function elementsOf(array: readonly unknown[]): readonly Place[] {
  // A hole is `undefined` to whoever reads the array.
  return Array.from(array, (_, index) =>
    Object.hasOwn(array, index) ? ownPlace(array, `${index}`) : UNCARRIED,
  );
}

function ownPlace(holder: object, name: string): Place {
  const own = Object.getOwnPropertyDescriptor(holder, name);
  if (own === undefined) return MISSING;
  return 'value' in own && own.enumerable === true ? { kind: 'value', value: own.value } : UNCARRIED;
}

function isIndex(name: string): boolean {
  return /^(?:0|[1-9][0-9]*)$/.test(name);
}

/** The names of a JSON Pointer. */
export function namesIn(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replace(/~1/g, '/').replace(/~0/g, '~'));
}

/** Rule 7: whether JSON can carry the value itself, whatever its members are. */
function isCarried(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object') return false;
  const prototype: object | null = Object.getPrototypeOf(value);
  return Array.isArray(value)
    ? Array.isArray(prototype)
    : prototype === null || (Object.getPrototypeOf(prototype) === null && 'isPrototypeOf' in prototype);
}
