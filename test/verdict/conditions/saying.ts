/** What the second reading says of one condition, in a word. */
import { expect } from 'vitest';
import { type Condition, conditionReasons } from './reference.ts';

/** What one condition says: `ALLOW`, `required`, or the name of the test that fails. */
export function said(condition: Condition, parameters: unknown, action = 'email.send'): string {
  const [reason, ...others] = conditionReasons([condition], action, parameters);
  expect(others).toEqual([]);
  if (reason === undefined) return 'ALLOW';
  expect(reason.at).toBe(condition.at);
  return reason.code === 'parameter_required' ? 'required' : String(reason.test);
}

/** What the test says about one value at `/x`. */
export function of(test: object, value: unknown): string {
  return said({ at: '/x', ...test } as Condition, { x: value });
}

export function expectAll(
  test: object,
  passing: readonly unknown[],
  failing: readonly unknown[],
  name: string,
): void {
  for (const value of passing) expect([value, of(test, value)]).toEqual([value, 'ALLOW']);
  for (const value of failing) expect([value, of(test, value)]).toEqual([value, name]);
}
