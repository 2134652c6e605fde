/** Finds the conditions of the second passport that the first does not imply, and test intents for them. */
import { actionSet, matchesAction } from '../../base/values/action.ts';
import { EVERY } from '../../base/values/conditions/condition.ts';
import { compareDecimals } from '../../base/values/conditions/decimal.ts';
import { impliesTest } from '../../base/values/conditions/implied.ts';
import type { Condition } from '../../records/condition.ts';
import { type ConditionCode, failedConditions, type PolicyCondition } from '../conditions.ts';
import type { Policy } from '../policy.ts';
import { cellsOf } from './actions.ts';

export interface LostCondition {
  readonly lost: PolicyCondition;
  readonly action: string;
}

export function conditionsLost(allowing: Policy, denying: Policy): readonly LostCondition[] {
  return (denying.conditions?.all ?? []).flatMap((lost): readonly LostCondition[] => {
    const implying = (allowing.conditions?.all ?? []).filter(
      ({ at, condition }) => at === lost.at && impliesTest(condition, lost.condition),
    );
    if (implying.some(({ actions }) => actions === undefined)) return [];
    const everything = actionSet(['*']);
    const lists = [
      allowing.allowed,
      allowing.denied,
      lost.actions ?? everything,
      ...implying.map(({ actions }) => actions),
    ];
    const [isAllowed, isDenied, isLost] = [1, 2, 4];
    const cell = cellsOf(lists).find(
      ({ named }) => (named & isAllowed) !== 0 && (named & isDenied) === 0 && named >>> 2 === 1,
    );
    return cell === undefined || (cell.named & isLost) === 0 ? [] : [{ lost, action: cell.action }];
  });
}

type Parameters = Readonly<Record<string, unknown>>;

export function violating(
  lost: PolicyCondition,
  allowing: Policy,
  action: string,
  usual: Parameters | undefined,
): readonly { readonly code: ConditionCode; readonly parameters: Parameters }[] {
  const base = passing([allowing], action, usual) ?? {};
  const only = { all: [lost], byAction: new Map() };
  const found = new Map<ConditionCode, Parameters>();
  const candidates = [
    without(base, lost),
    ...valuesFor(lost, allowing).map((value) => placed(base, lost, value)),
  ];
  for (const parameters of candidates) {
    if (failedConditions(allowing.conditions, action, parameters).length > 0) continue;
    const [failed] = failedConditions(only, action, parameters);
    if (failed !== undefined && !found.has(failed.code)) found.set(failed.code, parameters);
  }
  // A loss that no such value shows still counts.
  if (found.size === 0) return [{ code: 'parameter_not_allowed', parameters: base }];
  return [...found].map(([code, parameters]) => ({ code, parameters }));
}

/**
 * Returns parameters that contain members of `given` and meet the conditions of the first passport, and if possible
 * also all conditions of the second passport.
 */
export function satisfying(
  allowing: Policy,
  denying: Policy,
  action: string,
  given: Parameters | undefined,
): Parameters | undefined {
  const both = passing([allowing, denying], action, given);
  return failures([allowing], action, both) === 0 ? both : passing([allowing], action, given);
}

function failures(policies: readonly Policy[], action: string, parameters: Parameters | undefined): number {
  return policies.reduce(
    (count, { conditions }) => count + failedConditions(conditions, action, parameters).length,
    0,
  );
}

function passing(
  policies: readonly Policy[],
  action: string,
  given: Parameters | undefined,
): Parameters | undefined {
  let best = given;
  let least = failures(policies, action, best);
  const all = least === 0 ? [] : policies.flatMap(({ conditions }) => conditions?.all ?? []);
  for (const condition of all.filter(
    ({ actions }) => actions === undefined || matchesAction(actions, action),
  )) {
    const values = witnessesOf(condition.condition).map((value) => placed(best ?? {}, condition, value));
    for (const parameters of [without(best ?? {}, condition), ...values]) {
      const count = failures(policies, action, parameters);
      if (count < least) [best, least] = [parameters, count];
    }
  }
  return best;
}

function valuesFor(lost: PolicyCondition, allowing: Policy): readonly unknown[] {
  const named = (allowing.conditions?.all ?? []).filter(({ at }) => at === lost.at);
  const { condition } = lost;
  return [
    ...named.flatMap((one) => witnessesOf(one.condition)),
    ...beyond(condition),
    'any',
    'any@any.example',
    'https://any.example/any',
    '/any',
    0,
    true,
    null,
    '',
    ['any'],
    {},
    { any: 'any' },
    Array.from({ length: (condition.max_items ?? 0) + 1 }, () => 'any'),
  ];
}

function beyond({ min, max, not_in = [] }: Condition): readonly unknown[] {
  const step = (bound: number | string, by: number) => Number(bound) + by;
  const outside = [
    ...(min === undefined ? [] : [step(min, -1)]),
    ...(max === undefined ? [] : [step(max, 1)]),
  ];
  return [...outside.filter((value) => !Object.is(value, -0)), ...not_in];
}

function witnessesOf(condition: Condition): readonly unknown[] {
  const {
    in: values,
    prefix,
    suffix,
    min,
    max,
    email_in,
    url_under,
    path_under,
    max_items,
    only,
  } = condition;
  if (min !== undefined || max !== undefined) {
    const both = [min, max].flatMap((bound) => (bound === undefined ? [] : [bound]));
    const zero =
      (min === undefined || compareDecimals(0, min) >= 0) &&
      (max === undefined || compareDecimals(0, max) <= 0);
    return zero ? [...both, 0] : both;
  }
  if (max_items !== undefined) return [[], Array.from({ length: max_items }, () => 'any')];
  if (only !== undefined) return [{}];
  return [
    ...(values ?? prefix ?? suffix ?? []),
    ...(email_in ?? []).map((entry) => (entry.startsWith('@') ? `any${entry}` : entry)),
    ...(url_under ?? []).map((entry) => entry.replace('*', 'any')),
    ...(path_under ?? []).map((entry) => (entry === '/' ? '/any' : entry === '.' ? 'any' : entry)),
    'any',
  ];
}

/** Returns the parameters with a value at the place of a condition. Every array gets one element. */
function placed(parameters: Parameters, { steps }: PolicyCondition, value: unknown): Parameters {
  const [first, ...rest] = steps;
  // All of the parameters: another member is added.
  if (first === undefined) return { ...parameters, any: value };
  return put(parameters, [first, ...rest], value) as Parameters;
}

function put(holder: unknown, [step, ...rest]: PolicyCondition['steps'], value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === 'string') {
    const members = isMembers(holder) ? holder : {};
    return { ...members, [step]: put(members[step], rest, value) };
  }
  const elements: unknown[] = Array.isArray(holder) ? [...holder] : [];
  const place = step === EVERY ? 0 : Math.min(step, MAX_PLACE);
  while (elements.length < place) elements.push(null);
  elements[place] = put(elements[place], rest, value);
  return elements;
}

const MAX_PLACE = 300;

function without(parameters: Parameters, { steps }: PolicyCondition): Parameters {
  const [first] = steps;
  if (typeof first !== 'string') return {};
  const { [first]: _, ...others } = parameters;
  return others;
}

function isMembers(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
