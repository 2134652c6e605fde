import type { Condition, ConditionReason } from '../reference.ts';

/** An intent that a careless reader of a condition would allow, or one that must stay allowed. */
export interface Confusion {
  readonly name: string;
  readonly conditions: readonly Condition[];
  /** The parameters of the intent, made anew each time. */
  readonly parameters: () => unknown;
  /** The JSON text of the parameters over HTTP; absent for a value that only this process can have. */
  readonly text?: string;
  /** The reasons of the conditions; `ALLOW` for none; `refused` where the body is no acceptable JSON. */
  readonly expected: readonly ConditionReason[] | 'ALLOW' | 'refused';
}

/** A value with the test that it fails: `required` for a missing value, `ALLOW` for none. */
export type Row = readonly [name: string, parameters: unknown, test: string];

/** A row for each value, in a member of this name. */
export function each(
  member: string,
  test: string,
  values: Readonly<Record<string, unknown>>,
): readonly Row[] {
  return Object.entries(values).map(([name, value]) => [name, { [member]: value }, test]);
}

/** Intents under one condition, as they come over HTTP. */
export function group(title: string, condition: Condition, rows: readonly Row[]): readonly Confusion[] {
  return rows.map(([name, parameters, test]) => ({
    name: `${title}: ${name}`,
    conditions: [condition],
    parameters: () => parsed(parameters),
    ...(parameters !== undefined && { text: JSON.stringify(parameters) }),
    expected: expectedOf(condition, test),
  }));
}

function parsed(parameters: unknown): unknown {
  return parameters === undefined ? undefined : JSON.parse(JSON.stringify(parameters));
}

/** Intents under one condition, as texts whose spelling matters. */
export function texts(
  title: string,
  condition: Condition,
  rows: readonly (readonly [name: string, text: string, test: string])[],
): readonly Confusion[] {
  return rows.map(([name, text, test]) => ({
    name: `${title}: ${name}`,
    conditions: [condition],
    parameters: () => JSON.parse(text),
    text,
    expected: expectedOf(condition, test),
  }));
}

/** Intents under one condition, as only this process can make them. */
export function inProcess(
  title: string,
  condition: Condition,
  test: string,
  makers: Readonly<Record<string, () => unknown>>,
): readonly Confusion[] {
  return Object.entries(makers).map(([name, parameters]) => ({
    name: `${title}: ${name}`,
    conditions: [condition],
    parameters,
    expected: expectedOf(condition, test),
  }));
}

function expectedOf({ at }: Condition, test: string): Confusion['expected'] {
  if (test === 'ALLOW' || test === 'refused') return test;
  return test === 'required'
    ? [{ code: 'parameter_required', at }]
    : [{ code: 'parameter_not_allowed', at, test }];
}
