/** That the second reading of the contract says what the contract says, by its own examples. */
import { describe, expect, test } from 'vitest';
import { type Condition, conditionReasons } from './reference.ts';
import { acceptsCondition, conditionErrors } from './reference-input.ts';
import { of, said } from './saying.ts';
import { RIGHT, WRONG, WRONG_LISTS } from './wrong-input.ts';

test('denies the two intents of the contract, with the reasons it prints', () => {
  const conditions: readonly Condition[] = [
    { actions: ['email.send'], at: '/to', email_in: ['ann@example.com', '@example.org'] },
    { actions: ['email.send'], at: '', only: ['to', 'subject', 'body'] },
    { actions: ['files.*'], at: '/path', path_under: ['/srv/app'] },
  ];
  const two = { to: ['ann@example.com', 'eve@evil.example'] };
  const hidden = { to: 'ann@example.com', bcc: 'eve@evil.example' };
  expect(conditionErrors(conditions)).toEqual([]);
  expect(conditionReasons(conditions, 'email.send', two)).toEqual([
    { code: 'parameter_not_allowed', at: '/to', test: 'email_in' },
  ]);
  expect(conditionReasons(conditions, 'email.send', hidden)).toEqual([
    { code: 'parameter_not_allowed', at: '', test: 'only' },
  ]);
  expect(conditionReasons(conditions, 'email.send', { to: 'bob@example.org' })).toEqual([]);
  expect(conditionReasons(conditions, 'files.read', { path: '/srv/app/a' })).toEqual([]);
  expect(conditionReasons(conditions, 'orders.list', {})).toEqual([]);
});

describe('a pointer', () => {
  const email: Condition = { at: '/attendees/*/email', email_in: ['@example.com'] };

  test('reads each element, and one without a value denies', () => {
    expect(said(email, { attendees: [{ email: 'a@example.com' }, { email: 'b@example.com' }] })).toBe(
      'ALLOW',
    );
    expect(said(email, { attendees: [{ email: 'a@example.com' }, {}] })).toBe('required');
    expect(said({ ...email, optional: true }, { attendees: [{ email: 'a@example.com' }, {}] })).toBe('ALLOW');
    expect(said(email, { attendees: [{ email: 'a@evil.example' }, {}] })).toBe('email_in');
    expect(said(email, { attendees: [] })).toBe('required');
    expect(said(email, { attendees: { '*': { email: 'a@example.com' } } })).toBe('required');
  });

  test('finds nothing in a scalar, in null, at a wrong index, and without parameters', () => {
    const deep: Condition = { at: '/a/0', in: ['x'] };
    for (const given of [
      undefined,
      null,
      7,
      'x',
      [],
      ['x'],
      {},
      { a: 'x' },
      { a: null },
      { a: [] },
      { a: { 0: 'x' } },
    ])
      expect([given, said(deep, given)]).toEqual([given, 'required']);
    expect(said({ at: '/a/00', in: ['x'] }, { a: ['x'] })).toBe('required');
    expect(said({ at: '/a/1', in: ['x'] }, { a: ['x'] })).toBe('required');
    expect(said(deep, { a: ['x'] })).toBe('ALLOW');
    expect(said({ at: '/a~1b/m~0n', in: ['x'] }, { 'a/b': { 'm~n': 'x' } })).toBe('ALLOW');
    expect(said({ at: '/toString', in: ['x'], optional: true }, {})).toBe('ALLOW');
  });

  test('refuses a second name in another case', () => {
    expect(said({ at: '/to', in: ['x'] }, { to: 'x', To: 'y' })).toBe('name');
    expect(said({ at: '/to', in: ['x'], optional: true }, { TO: 'y' })).toBe('name');
    expect(said({ at: '/bcc', absent: true }, { Bcc: 'y' })).toBe('name');
    expect(said({ at: '/mail/to', in: ['x'] }, { mail: { to: 'x' }, MAIL: 1 })).toBe('name');
    expect(said({ at: '/strasse', in: ['x'] }, { strasse: 'x', straße: 'y' })).toBe('ALLOW');
  });

  test('tries each element of an array, and no array within it', () => {
    expect(of({ in: ['x'] }, ['x', 'x'])).toBe('ALLOW');
    expect(of({ in: ['x'] }, ['x', ['x']])).toBe('in');
    expect(of({ in: ['x'] }, [])).toBe('required');
    expect(of({ in: ['x'] }, { 0: 'x' })).toBe('in');
    expect(said({ at: '/x/*', in: ['x'] }, { x: [['x'], 'x'] })).toBe('ALLOW');
  });

  test('refuses more than 256 values', () => {
    const many = (count: number) => Array.from({ length: count }, () => 'x');
    expect(of({ in: ['x'] }, many(256))).toBe('ALLOW');
    expect(of({ in: ['x'] }, many(257))).toBe('items');
    expect(said({ at: '/x/*', in: ['x'] }, { x: [many(128), many(129)] })).toBe('items');
    expect(of({ max_items: 300 }, many(257))).toBe('ALLOW');
  });

  test('accepts no value that JSON cannot carry, for any test', () => {
    const odd = [new (class Mail {})(), () => 'x', undefined, Number.NaN, Number.POSITIVE_INFINITY, -0];
    for (const value of odd) {
      expect(of({ absent: true }, value)).toBe('absent');
      expect(of({ present: true }, value)).toBe('required');
      expect(of({ min: -1 }, value)).toBe('min');
      expect(of({ max: 1 }, value)).toBe('max');
      expect(of({ optional: true, in: [0, 'x'] }, value)).toBe('in');
      expect(of({ optional: true, in: [0, 'x'] }, [value])).toBe('in');
    }
  });
});

describe('wrong input', () => {
  test.each(WRONG_LISTS)('%j', (conditions, paths) => expect(conditionErrors(conditions)).toEqual(paths));

  test('of one condition is found where it is', () => {
    const unlike = WRONG.filter(
      ([condition, [path]]) => conditionErrors([condition]).join() !== `/conditions/0${path}`,
    );
    expect(unlike.map(([condition]) => [condition, conditionErrors([condition])])).toEqual([]);
  });

  test('is nothing at the borders', () => {
    expect(RIGHT.filter((condition) => !acceptsCondition(condition))).toEqual([]);
    expect(conditionErrors([])).toEqual([]);
  });
});
