import { expect } from 'vitest';
import { type Comparison, compare, type Difference } from '../../../src/verdict/compare/index.ts';
import { decide, type Passport } from '../../../src/verdict/index.ts';
import { AGENT } from './random-pairs.ts';

export function passport(fields: object = {}): Passport {
  const base = { agent_id: AGENT, status: 'active', allowed_actions: ['a'], monetary_limit_per_txn: 10 };
  return { ...base, ...fields } as unknown as Passport;
}

export function compared(before: object, after: object): Comparison {
  const found = compare(passport(before), passport(after));
  expect(compare(passport(after), passport(before))).toEqual(swapped(found));
  for (const difference of found.wider) expectShown(difference, passport(before), passport(after));
  for (const difference of found.narrower) expectShown(difference, passport(after), passport(before));
  // A question has no member that is `undefined`.
  expect(found).toStrictEqual(JSON.parse(JSON.stringify(found)));
  return found;
}

export function swapped({ result, wider, narrower }: Comparison): Comparison {
  const other = { equal: 'equal', narrower: 'wider', wider: 'narrower', crossing: 'crossing' } as const;
  return { result: other[result], wider: narrower, narrower: wider };
}

/** Expects that the intent of a difference is denied by one passport and allowed by the other one. */
export function expectShown(difference: Difference, denying: Passport, allowing: Passport): void {
  const { intent, at, code, reasons } = difference;
  // No intent shows who may change a passport.
  if (intent === null && code === 'approval_pending') return;
  if (intent === null) expect.fail(JSON.stringify({ difference, denying, allowing }));
  if (code === 'parent_not_found') return;
  const ancestors = (one: Passport) => [
    passport({ agent_id: one.parent_agent_id, allowed_actions: ['*'], monetary_limit_per_txn: 1e15 }),
  ];
  const ask = (one: Passport, facts: Difference['allowed']) =>
    decide({ passport: { ...one, status: 'active' }, intent, at, ancestors: ancestors(one), ...facts });
  expect(ask(denying, difference.denied)).toEqual({ verdict: 'DENY', reasons });
  expect(reasons[0]?.code).toBe(code);
  expect(ask(allowing, difference.allowed).verdict).toBe('ALLOW');
}

export function codes({ result, wider, narrower }: Comparison): unknown[] {
  return [result, wider.map(({ code }) => code), narrower.map(({ code }) => code)];
}
