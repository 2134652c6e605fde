import { describe, expect, test } from 'vitest';
import { budgetExceeded, DEFERRED, TOO_MANY_HOLDS } from '../../src/verdict/budgets.ts';
import { defaultRules, prepare, type Rule } from '../../src/verdict/index.ts';
import { AT, ask, codes, PASSPORT } from '../support/question.ts';
import { lyingList } from '../support/spoil.ts';

const ID = PASSPORT.agent_id;
const LIMITED = { currency: 'EUR', monetary_limit_per_txn: '1000000000000000', monetary_actions: ['pay'] };
const silent: Rule = () => undefined;

const of = (amount: unknown) => ({ parameters: { amount, currency: 'EUR' } });
const spentOf = (budgets: object) => ({ budgets: { [ID]: budgets } as never });

/** The reasons where this was spent of one budget, plain and prepared, with and without a rule of the application. */
function reasonsOf(budget: object, intent: object, state: object | undefined) {
  const passport = { ...LIMITED, budgets: [budget] };
  const rest = state === undefined ? {} : spentOf({ [(budget as { readonly name: string }).name]: state });
  const { reasons } = ask(passport, intent, rest);
  expect(ask(passport, intent, rest, [...defaultRules, silent]).reasons).toEqual(reasons);
  const prepared = { ...rest, passport: prepare({ ...PASSPORT, ...passport } as typeof PASSPORT) };
  expect(ask({}, intent, prepared).reasons).toEqual(reasons);
  return reasons;
}

const message = 'The budget is exceeded.';
const UNKNOWN = { code: 'budget_unknown', message: 'The spent amount of the budget is not known.' };

describe('a budget of money', () => {
  const budget = { name: 'food', window: 'day', limit: '10.50' };

  test('holds up to its limit, and not a cent above it', () => {
    expect(reasonsOf(budget, of('0.50'), { spent: 10 })).toEqual([]);
    expect(reasonsOf(budget, of(0.51), { spent: '10' })).toEqual([
      {
        code: 'budget_exceeded',
        message,
        agent_id: ID,
        budget: 'food',
        window: 'day',
        limit: '10.5',
        spent: '10',
        held: '0',
        remaining: '0.5',
        resets_at: '2026-11-21T00:00:00.000Z',
      },
    ]);
  });

  test('shows nothing left where more was spent than it allows now', () => {
    expect(reasonsOf(budget, of(1), { spent: 11 })).toMatchObject([{ spent: '11', remaining: '0' }]);
  });

  test('of a rolling window names no instant, because the history is not known', () => {
    const rolling = { ...budget, window: 'rolling_day' };
    expect(reasonsOf(rolling, of('0.50'), { spent: 10 })).toEqual([]);
    expect(reasonsOf(rolling, of(0.51), { spent: '10' })).toMatchObject([
      { window: 'rolling_day', remaining: '0.5', resets_at: null },
    ]);
  });

  test('is not touched by an amount of 0, nor by an intent without one', () => {
    expect(reasonsOf(budget, of(0), { spent: 11 })).toEqual([]);
    expect(reasonsOf(budget, of('0.00'), { spent: 11 })).toEqual([]);
    const reading = { ...LIMITED, budgets: [budget], monetary_actions: ['sell'] };
    expect(codes(reading, {}, spentOf({ food: { spent: 11 } }))).toEqual(['ALLOW']);
  });

  test('is exceeded by more than a counter holds, spent or asked', () => {
    const vast = '1000000000000000';
    expect(reasonsOf(budget, of(vast), { spent: 0 })).toMatchObject([{ code: 'budget_exceeded' }]);
    expect(reasonsOf(budget, of(1), { spent: vast })).toMatchObject([
      { spent: '90071992547409.91', remaining: '0' },
    ]);
    const widest = { ...budget, limit: '90071992547409.91' };
    expect(reasonsOf(widest, of('0.01'), { spent: vast })).toMatchObject([{ code: 'budget_exceeded' }]);
    expect(reasonsOf(widest, of(vast), { spent: 0 })).toMatchObject([{ code: 'budget_exceeded' }]);
  });

  test('asks for an amount where its own actions are named, as monetary actions do', () => {
    const some = { ...budget, actions: ['quotes:*', 'pay'] };
    const passport = { ...LIMITED, monetary_actions: ['sell'], budgets: [some] };
    expect(codes(passport, {}, spentOf({}))).toEqual(['amount_required']);
    expect(codes(passport, { action: 'quotes:a' }, spentOf({}))).toEqual(['amount_required']);
    expect(codes({ ...passport, monetary_actions: undefined }, {}, spentOf({}))).toEqual(['amount_required']);
    const counting = { name: 'n', window: 'day', count: 1, actions: ['pay'] };
    const counted = { ...LIMITED, monetary_actions: ['sell'], budgets: [counting] };
    expect(codes(counted, {}, spentOf({ n: { count: 0 } }))).toEqual(['ALLOW']);
  });
});

describe('a budget of intents', () => {
  const budget = { window: 'week', count: 3 };

  test('holds up to its count, whatever the amount', () => {
    const named = { ...budget, name: 'few' };
    expect(reasonsOf(named, of(1_000), { count: 2 })).toEqual([]);
    expect(reasonsOf(named, of(0), { count: 3 })).toEqual([
      {
        code: 'budget_exceeded',
        message,
        agent_id: ID,
        budget: 'few',
        window: 'week',
        count: 3,
        spent: 3,
        held: 0,
        remaining: 0,
        resets_at: '2026-11-23T00:00:00.000Z',
      },
    ]);
  });

  test('counts only the actions that it names', () => {
    const some = { ...budget, name: 'few', actions: ['quotes:*'] };
    expect(reasonsOf(some, of(1), { count: 3 })).toEqual([]);
    expect(reasonsOf(some, { action: 'quotes:a' }, { count: 3 })).toMatchObject([{ budget: 'few' }]);
    expect(reasonsOf(some, { action: 'quotes:a' }, { count: 2 })).toEqual([]);
  });
});

test.each([
  ['hour', '2026-11-20T13:00:00.000Z'],
  ['day', '2026-11-21T00:00:00.000Z'],
  ['week', '2026-11-23T00:00:00.000Z'],
  ['month', '2026-12-01T00:00:00.000Z'],
  ['year', '2027-01-01T00:00:00.000Z'],
  ['lifetime', null],
])('a budget of a %s names itself by it, and begins again at %s', (window, resets_at) => {
  const passport = { ...LIMITED, budgets: [{ window, count: 1 }] };
  const { reasons } = ask(passport, of(1), spentOf({ [window]: { count: 1 } }));
  expect(reasons).toMatchObject([{ budget: window, window, resets_at }]);
});

test('every budget that is exceeded is named, in their order, and nothing else denies then', () => {
  const budgets = [
    { name: 'b', window: 'day', count: 1 },
    { name: 'held', window: 'day', count: 9 },
    { name: 'a', window: 'day', limit: 5 },
  ];
  const spent = spentOf({ b: { count: 1 }, held: { count: 1 }, a: { spent: 5 } });
  const { reasons } = ask({ ...LIMITED, budgets }, of(1), spent);
  expect(reasons.map(({ budget }) => budget)).toEqual(['b', 'a']);
  expect(codes({ ...LIMITED, budgets }, { ...of(1), action: 'other' }, spent)).toEqual([
    'action_not_allowed',
  ]);
});

describe('what was spent is unknown', () => {
  const counting = { name: 'n', window: 'day', count: 3 };
  const money = { name: 'm', window: 'day', limit: 3 };

  test.each([undefined, null])('where the question says %s of all budgets', (budgets) => {
    const passport = { ...LIMITED, budgets: [counting] };
    expect(ask(passport, of(1), { budgets: budgets as never }).reasons).toEqual([UNKNOWN]);
    const untouched = { ...LIMITED, budgets: [money] };
    expect(ask(untouched, of(0), { budgets: budgets as never }).reasons).toEqual([UNKNOWN]);
  });

  test.each([
    {},
    { count: -1 },
    { count: 1.5 },
    { count: '1' },
    { count: null },
    { spent: 1 },
    { count: 2 ** 53 },
    [['count']],
    'count',
    null,
  ])('of a count where it says %j', (state) => {
    expect(reasonsOf(counting, of(1), state as object)).toEqual([UNKNOWN]);
  });

  test.each([{}, { spent: -1 }, { spent: '1,5' }, { spent: 0.001 }, { spent: null }, { count: 1 }, [[1]]])(
    'of money where it says %j',
    (state) => {
      expect(reasonsOf(money, of(1), state)).toEqual([UNKNOWN]);
    },
  );

  test('where it is of another agent, inherited, in a list, or behind a getter', () => {
    const passport = { ...LIMITED, budgets: [counting] };
    const state = { n: { count: 0 } };
    const getter = Object.defineProperty({}, ID, { get: () => state, enumerable: true });
    for (const budgets of [
      { 'did:web:shop.example.com:agents:other': state },
      Object.create({ [ID]: state }),
      getter,
      { [ID]: Object.assign([], state) },
      { [ID]: Object.create(state) },
    ]) {
      expect(ask(passport, of(1), { budgets }).reasons).toEqual([UNKNOWN]);
    }
  });

  test('as soon as it is of one of them', () => {
    const passport = { ...LIMITED, budgets: [counting, money] };
    expect(ask(passport, of(1), spentOf({ n: { count: 3 } })).reasons).toEqual([UNKNOWN]);
  });
});

describe('a passport denies whose budgets', () => {
  const good = { name: 'n', window: 'day', count: 3 };
  const money = { name: 'm', window: 'day', limit: 3 };
  const many = (count: number) => Array.from({ length: count }, (_, at) => ({ ...good, name: `n${at}` }));
  const stateOf = (budgets: unknown) =>
    Object.fromEntries(
      (Array.isArray(budgets) ? budgets : []).map((one) => [
        one?.name ?? one?.window,
        { count: 0, spent: 0 },
      ]),
    );
  const found = (budgets: unknown, rest: object = {}) =>
    codes({ ...LIMITED, budgets, ...rest }, of(1), spentOf(stateOf(budgets)));

  test.each<[string, unknown]>([
    ['are no list', good],
    ['are null', null],
    ['are more than eight', many(9)],
    ['have one name twice', [good, { ...money, name: 'n' }]],
    ['hold a null', [null]],
    ['hold a list', [[good]]],
    ['hold an instance', [Object.assign(new Map(), good)]],
    ['only inherit what they say', [Object.create(good)]],
    ['have a name of capitals', [{ ...good, name: 'N' }]],
    ['have a name of 33 characters', [{ ...good, name: 'n'.repeat(33) }]],
    ['have no text for a name', [{ ...good, name: 7 }]],
    ['have a list for a name', [{ ...good, name: ['n'] }]],
    ['have another window', [{ ...good, window: 'decade' }]],
    ['have no window', [{ name: 'n', count: 3 }]],
    ['have neither limit nor count', [{ name: 'n', window: 'day' }]],
    ['have both', [{ ...good, limit: 3 }]],
    ['count to 0', [{ ...good, count: 0 }]],
    ['count to a half', [{ ...good, count: 1.5 }]],
    ['count to a text', [{ ...good, count: '3' }]],
    ['count too far', [{ ...good, count: 1_000_000_001 }]],
    ['name no action', [{ ...good, actions: [] }]],
    ['name what is no action', [{ ...good, actions: ['not an action'] }]],
    ['name actions by no list', [{ ...good, actions: 'pay' }]],
    ['have a negative limit', [{ ...money, limit: -1 }]],
    ['have a limit of more decimals', [{ ...money, limit: '0.001' }]],
    ['have a limit that no counter holds', [{ ...money, limit: '90071992547409.92' }]],
  ])('%s', (_, budgets) => {
    expect(found(budgets)).toEqual(['rule_failed']);
  });

  test('limit money that has no currency, or actions that need not carry it', () => {
    expect(found([money], { currency: undefined })).toEqual(['rule_failed']);
    expect(found([money], { monetary_actions: undefined })).toEqual(['rule_failed']);
    expect(found([money], { monetary_actions: [] })).toEqual(['rule_failed']);
  });

  test('and no other', () => {
    expect(found([])).toEqual(['ALLOW']);
    expect(codes({ ...LIMITED, budgets: [] }, of(1))).toEqual(['ALLOW']);
    expect(found(many(8))).toEqual(['ALLOW']);
    expect(found([{ ...good, count: 1_000_000_000 }])).toEqual(['ALLOW']);
    expect(found([{ ...good, count: 1 }])).toEqual(['ALLOW']);
    expect(found([{ ...money, limit: '90071992547409.91' }])).toEqual(['ALLOW']);
    expect(found([{ ...money, actions: ['pay'] }], { monetary_actions: undefined })).toEqual(['ALLOW']);
    expect(found([good], { currency: undefined, monetary_actions: undefined })).toEqual(['ALLOW']);
  });
});

test('evaluates no list of budgets by the methods of the list', () => {
  const budgets = lyingList([{ name: 'n', window: 'day', count: 1 }]);
  expect(codes({ budgets }, {}, spentOf({ n: { count: 1 } }))).toEqual(['budget_exceeded']);
});

test('leaves the budgets of a service to its storage, where holds count as spent', () => {
  const passport = { budgets: [{ name: 'n', window: 'day', count: 1 }] };
  expect(codes(passport, {}, { budgets: DEFERRED })).toEqual(['ALLOW']);
  const budget = { name: 'n', window: 'day', currency: null, unit: undefined, max: 9, decimals: 0 } as const;
  const whole = { ...budget, actions: undefined, overrun: false, warn_at: undefined, requires: [] };
  const { count, spent, held, remaining } = budgetExceeded(ID, whole, { spent: 3, held: 2 }, 0);
  expect({ count, spent, held, remaining }).toEqual({ count: 9, spent: 3, held: 2, remaining: 4 });
  const message = 'The agent has too many open holds.';
  expect(TOO_MANY_HOLDS).toEqual({ code: 'too_many_holds', message });
});

test('evaluates a budget at the instant of the question', () => {
  const passport = { budgets: [{ window: 'hour', count: 1 }] };
  const { reasons } = ask(
    passport,
    {},
    { ...spentOf({ hour: { count: 1 } }), at: Date.parse(AT) + 3_600_000 },
  );
  expect(reasons).toMatchObject([{ resets_at: '2026-11-20T14:00:00.000Z' }]);
});
