/** Evaluates conditions on the parameters of an intent. A condition can only deny. */
import { type ActionSet, actionSet, matchesAction } from '../base/values/action.ts';
import { conditionFaults, type Step, stepsOf } from '../base/values/conditions/condition.ts';
import { type ReadTest, testOf } from '../base/values/conditions/tests.ts';
import { plainCopy } from '../base/values/plain-data.ts';
import type { Condition } from '../records/condition.ts';
import type { Reason, ReasonCode } from '../records.ts';
import { type ConditionFailure, failureAt, type Given, givenOf } from './condition-value.ts';
import { demand, isRecord } from './read.ts';

/** @internal The messages of the reasons of conditions, and of a missing value for a rule of order. */
export const CONDITION_MESSAGES: Readonly<Record<ConditionCode | 'session_required', string>> = {
  parameter_required: 'The parameter is required.',
  parameter_not_allowed: 'The parameter is not allowed.',
  session_required: 'The session is required.',
};

/** @internal The codes of the reasons of conditions. */
export type ConditionCode = Extract<ReasonCode, 'parameter_required' | 'parameter_not_allowed'>;

export interface PolicyCondition {
  readonly condition: Condition;
  readonly at: string;
  readonly steps: readonly Step[];
  readonly test: ReadTest;
  readonly optional: boolean;
  /** The actions to which the condition applies. `undefined`: every action. */
  readonly actions: ActionSet | undefined;
}

/** @internal The conditions of a passport. */
export interface PolicyConditions {
  readonly all: readonly PolicyCondition[];
  readonly byAction: Map<string, readonly PolicyCondition[]>;
}

const MAX_ACTIONS = 32;

/**
 * @internal Reads the conditions of a passport. Returns `undefined` if there are none. Throws if a condition cannot be
 * evaluated.
 */
export function conditionsOf(value: unknown): PolicyConditions | undefined {
  if (value === undefined) return undefined;
  const conditions = plainCopy(value) as readonly Condition[];
  demand(conditionFaults(conditions).length === 0);
  if (conditions.length === 0) return undefined;
  const entries = conditions.map((condition) => ({
    condition,
    at: condition.at,
    steps: stepsOf(condition.at) ?? [],
    test: testOf(condition),
    // Nothing but a member that is there fails `absent`.
    optional: condition.optional === true || condition.absent === true,
    actions: condition.actions && actionSet(condition.actions),
  }));
  return { all: entries, byAction: new Map() };
}

/** @internal Returns the conditions that apply to an action. */
export function conditionsOn(
  { all, byAction }: PolicyConditions,
  action: string,
): readonly PolicyCondition[] {
  const conditions = byAction.get(action);
  if (conditions !== undefined) return conditions;
  const applying = all.filter(({ actions }) => actions === undefined || matchesAction(actions, action));
  if (byAction.size >= MAX_ACTIONS) byAction.clear();
  byAction.set(action, applying);
  return applying;
}

/** @internal A condition that the intent does not meet. */
export interface FailedCondition {
  readonly code: ConditionCode;
  /** The details of the reason. They never contain a value of the intent or of the passport. */
  readonly facts: { readonly at: string; readonly test?: Exclude<ConditionFailure, 'missing'> };
}

const NONE: readonly FailedCondition[] = [];

/**
 * @internal Returns the conditions that the intent does not meet, in the order of the passport. If the parameters are
 * not an object, they count as empty.
 */
export function failedConditions(
  conditions: PolicyConditions | undefined,
  action: string,
  parameters: unknown,
): readonly FailedCondition[] {
  if (conditions === undefined) return NONE;
  const applying = conditionsOn(conditions, action);
  let failures: FailedCondition[] | undefined;
  let input: Given | undefined;
  for (const condition of applying) {
    let failure: ConditionFailure | undefined;
    if (isRecord(parameters)) {
      input ??= givenOf(parameters);
      failure = failureAt(input, condition);
    } else if (!condition.optional) failure = 'missing';
    if (failure === undefined) continue;
    failures ??= [];
    failures.push(failedAt(condition.at, failure));
  }
  return failures ?? NONE;
}

function failedAt(path: string, failure: ConditionFailure): FailedCondition {
  if (failure === 'missing' || failure === 'present')
    return { code: 'parameter_required', facts: { at: path } };
  return { code: 'parameter_not_allowed', facts: { at: path, test: failure } };
}

/** @internal Returns the reasons of the conditions that the intent does not meet. */
export function conditionReasons(
  conditions: PolicyConditions | undefined,
  action: string,
  parameters: unknown,
): readonly Reason[] {
  const failures = failedConditions(conditions, action, parameters);
  if (failures.length === 0) return NO_REASONS;
  return failures.map(conditionReason);
}

/** @internal Returns the reason of a condition that the intent does not meet. */
export function conditionReason({ code, facts }: FailedCondition): Reason {
  return { code, message: CONDITION_MESSAGES[code], ...facts };
}

const NO_REASONS: readonly Reason[] = [];
