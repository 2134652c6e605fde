/** The changes that count as widening, where the comparison of the passports alone says nothing. */
import { expect, test } from 'vitest';
import type { PassportRecord } from '../../../src/core/passports/collections.ts';
import { letsMoreHappen, widens } from '../../../src/core/passports/passport-store.ts';

/** A passport with these fields; the rule reads no others. */
const passport = (fields: object = {}) => ({ widened_by: 'mem_ann', ...fields }) as unknown as PassportRecord;
const keys = (...kids: readonly string[]) => ({ public_keys: kids.map((kid) => ({ kid })) });
const people = (approval?: object) => (approval === undefined ? {} : { approval });

test.each<[change: string, before: object, after: object, isWider: boolean]>([
  ['another key', keys('a'), keys('a', 'b'), true],
  ['a first key', {}, keys('a'), true],
  ['a key in the place of another', keys('a'), keys('b'), true],
  ['a key less', keys('a', 'b'), keys('a'), false],
  ['a weaker proof', { proof: 'intent' }, { proof: 'identity' }, true],
  ['no proof any more', { proof: 'identity' }, {}, true],
  ['a stronger proof', {}, { proof: 'identity' }, false],
  ['fewer people', people({ count: 3 }), people({ count: 2 }), true],
  ['one person, by leaving the number out', people({ count: 2 }), people({ above: 1 }), true],
  ['no approval at all', people({ count: 2 }), people(), true],
  ['more people', people({ above: 1 }), people({ count: 2 }), false],
  ['anyone in the place of another', people({ by: 'another' }), people({ by: 'anyone' }), true],
  ['another in the place of anyone', people({ by: 'anyone' }), people({ by: 'another' }), false],
  ['changes without people', people({ changes: true }), people({ changes: false }), true],
  ['changes left out', people({ changes: true, above: 1 }), people({ above: 1 }), true],
  ['changes with people', people({ above: 1 }), people({ above: 1, changes: true }), false],
  [
    'nothing',
    people({ count: 2, by: 'another', changes: true }),
    people({ count: 2, by: 'another', changes: true }),
    false,
  ],
])('%s', (_, before, after, isWider) => {
  expect(letsMoreHappen(passport(before), passport(after), 'equal')).toBe(isWider);
  expect(letsMoreHappen(passport(before), passport(after), 'narrower')).toBe(isWider);
  expect(widens(passport(before), passport(after), 'equal')).toBe(isWider);
});

test('the comparison alone says it as well, whatever crosses it', () => {
  const same = passport();
  const results = ['equal', 'narrower', 'wider', 'crossing'] as const;
  expect(results.map((result) => letsMoreHappen(same, same, result))).toEqual([false, false, true, true]);
  expect(results.map((result) => widens(same, same, result))).toEqual([false, false, true, true]);
});

test('a passport from before has its first widener in the person who bars people by it, once', () => {
  const old = passport({ widened_by: null });
  const another = people({ by: 'another' });
  expect(widens(old, passport(another), 'narrower')).toBe(true);
  expect(letsMoreHappen(old, passport(another), 'narrower')).toBe(false);
  expect(widens(passport({ widened_by: undefined }), passport(another), 'narrower')).toBe(true);
  // It has one already, or was so before, or bars no person.
  expect(widens(passport(), passport(another), 'narrower')).toBe(false);
  expect(widens(passport({ widened_by: null, ...another }), passport(another), 'narrower')).toBe(false);
  expect(widens(old, passport(people({ count: 2 })), 'narrower')).toBe(false);
});
