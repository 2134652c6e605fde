/** The people of an approval, as a pure rule. */
import { expect, test } from 'vitest';
import {
  type Barred,
  barOf,
  barredBy,
  countPersons,
  haveApproved,
  type PeopleRule,
  stricterRule,
  takesAnyone,
} from '../../../src/core/approvals/people-rule.ts';

const [ANN, BEN] = ['0000000000000000000ann', '0000000000000000000ben'];
const [ann, ben] = [`mem_${ANN}`, `mem_${BEN}`];
/** The first owner, as records of calls in process name it. */
const ANN_BEFORE = `acc_${ANN}`;
const PLAIN: PeopleRule = { needed: 1, by: 'anyone' };

const given = (...people: readonly string[]) => people.map((by) => ({ by, at: '', note: null }));
const count = (people: readonly string[], barred: readonly Barred[] = []) =>
  countPersons({ decisions: given(...people), barred, mayDecide: () => true });

test('of two rules each demand is the stricter one, whichever rule makes it', () => {
  const [two, another] = [
    { needed: 2, by: 'anyone' },
    { needed: 1, by: 'another' },
  ] as const;
  for (const [one, other] of [
    [two, another],
    [another, two],
  ] as const)
    expect(stricterRule(one, other)).toEqual({ needed: 2, by: 'another' });
  expect(stricterRule(PLAIN, PLAIN)).toEqual(PLAIN);
});

test('any one person is enough for a plain intent alone', () => {
  expect(takesAnyone(PLAIN, 'intent')).toBe(true);
  expect(takesAnyone(PLAIN, 'change')).toBe(false);
  expect(takesAnyone({ needed: 2, by: 'anyone' }, 'intent')).toBe(false);
  expect(takesAnyone({ needed: 1, by: 'another' }, 'intent')).toBe(false);
});

test('counts an account and its first owner as one person', () => {
  expect(count([ANN_BEFORE, ann])).toBe(1);
  expect(count([ann, ANN_BEFORE, ben, ben])).toBe(2);
  for (const [asker, author] of [
    [ANN_BEFORE, ann],
    [ann, ANN_BEFORE],
  ] as const) {
    const barred = barredBy(
      { needed: 1, by: 'another' },
      { kind: 'intent', askers: [asker, null], wideners: [null] },
    );
    expect(barOf(barred, author)).toEqual({ person: asker, because: 'requested' });
    expect(barOf(barred, ben)).toBeUndefined();
    expect(count([author, ben], barred)).toBe(1);
  }
});

test('who asks for a change is barred by any rule, who widened the passport by another alone', () => {
  const behind = { askers: [ann], wideners: [ben] };
  const barred = (by: PeopleRule['by'], kind: 'intent' | 'change') =>
    barredBy({ needed: 1, by }, { kind, ...behind }).map(({ person }) => person);
  expect(barred('anyone', 'intent')).toEqual([]);
  expect(barred('anyone', 'change')).toEqual([ann]);
  expect(barred('another', 'intent')).toEqual([ann, ben]);
  expect(barred('another', 'change')).toEqual([ann, ben]);
});

test('counts no person who may not decide, and needs enough approvals', () => {
  const decisions = given(ann, ben);
  const rule: PeopleRule = { needed: 2, by: 'anyone' };
  const evaluate = (mayDecide: (by: string) => boolean) =>
    haveApproved({ rule, decisions, barred: [], mayDecide });
  expect(evaluate(() => true)).toBe(true);
  expect(evaluate((by) => by === ann)).toBe(false);
  expect(evaluate(() => false)).toBe(false);
});
