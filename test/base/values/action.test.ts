import { describe, expect, test } from 'vitest';
import {
  actionSet,
  actionsWithin,
  isAction,
  isActionEntry,
  isActionPattern,
  matchesAction,
} from '../../../src/base/values/action.ts';

const longest = 'a'.repeat(128);

test('an action has 1 to 128 letters, digits and . _ : / -', () => {
  for (const action of ['a', '0', 'pay', 'Pay', 'a.b_c:d/e-f', 'a.', 'a:', longest])
    expect(isAction(action)).toBe(true);
  for (const action of ['', '.a', '*', 'a.*', 'a b', 'a\n', 'ä', 'a*', `${longest}a`])
    expect(isAction(action)).toBe(false);
});

test('a pattern is a star, or a beginning up to a dot or colon and a star', () => {
  for (const entry of ['*', 'a.*', 'a:*', 'a/b.*', `${'a'.repeat(126)}.*`])
    expect(isActionPattern(entry)).toBe(true);
  for (const entry of ['', '**', '.*', ':*', 'a*', 'a/*', 'a.*.b', '*.a', 'a.**', `${'a'.repeat(127)}.*`]) {
    expect(isActionPattern(entry)).toBe(false);
    expect(isActionEntry(entry)).toBe(false);
  }
  expect(isActionPattern('pay')).toBe(false);
});

describe('a list of actions', () => {
  test('matches by exact code units', () => {
    const set = actionSet(['pay', 'pay.now']);
    expect(matchesAction(set, 'pay')).toBe(true);
    for (const action of ['Pay', 'pay.', 'pay.no', 'pay.now.', 'p', ''])
      expect(matchesAction(set, action)).toBe(false);
  });

  test('matches what continues a pattern by at least one character', () => {
    const set = actionSet(['pay.*', 'a:*']);
    for (const action of ['pay.x', 'pay.x.y', 'a:b', 'a:*'.replace('*', '/')])
      expect(matchesAction(set, action)).toBe(true);
    for (const action of ['pay', 'pay.', 'pay:x', 'a:', 'a', 'xpay.x'])
      expect(matchesAction(set, action)).toBe(false);
  });

  test('matches every action by a star, and nothing that is no action', () => {
    const set = actionSet(['*', 'pay.*']);
    for (const action of ['a', longest]) expect(matchesAction(set, action)).toBe(true);
    for (const action of ['', '*', 'pay.*', 'pay. ', 'pay.ä', 'pay.\n', `${longest}a`]) {
      expect(matchesAction(set, action)).toBe(false);
    }
  });

  test('without patterns is kept as it is, and an empty list gives no set', () => {
    const entries = ['pay', 'read'];
    expect(actionSet(entries)?.exact).toBe(entries);
    expect(actionSet(['pay', 'a.*'])).toEqual({ exact: ['pay'], patterns: ['a.'] });
    expect(actionSet([])).toBeUndefined();
  });

  test('that is empty matches nothing', () => {
    for (const action of ['a', '', '*']) expect(matchesAction(actionSet([]), action)).toBe(false);
  });
});

describe('an entry covers another', () => {
  test.each([
    ['pay', 'pay'],
    ['*', 'pay'],
    ['*', 'pay.*'],
    ['*', '*'],
    ['pay.*', 'pay.*'],
    ['pay.*', 'pay.now'],
    ['pay.*', 'pay.a'],
    ['pay.*', 'pay.now.*'],
    ['pay:*', 'pay:a:b'],
  ])('%s covers %s', (entry, other) => {
    expect(actionsWithin([[entry]])(other)).toBe(true);
  });

  test.each([
    ['pay', 'pays'],
    ['pay', 'pa'],
    ['pay', '*'],
    ['pay', 'pay.*'],
    ['pay', 'pay.now'],
    ['pay.', 'pay.now'],
    ['pay.*', 'pay'],
    ['pay.*', 'pay.'],
    ['pay.*', '*'],
    ['pay.*', 'pay:now'],
    ['pay.now.*', 'pay.*'],
    ['pay.*', 'xpay.now'],
  ])('%s does not cover %s', (entry, other) => {
    expect(actionsWithin([[entry]])(other)).toBe(false);
  });

  test('within lists only where each of them covers it', () => {
    const isWithin = actionsWithin([
      ['pay.*', 'look'],
      ['pay.now', 'pay.a.*'],
    ]);
    expect(['pay.now', 'pay.a.b', 'pay.a.*'].map(isWithin)).toEqual([true, true, true]);
    expect(['pay.later', 'look', 'pay.*'].map(isWithin)).toEqual([false, false, false]);
  });
});
