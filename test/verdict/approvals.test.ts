import { describe, expect, test } from 'vitest';
import { approvalReasons } from '../../src/verdict/approval.ts';
import { type ApprovalFact, defaultRules, prepare, type Rule } from '../../src/verdict/index.ts';
import { approvalAsked, budgetsIn, hasBudgets, takingsIn, wantsApproval } from '../../src/verdict/takings.ts';
import { ask, codes, INTENT, PASSPORT } from '../support/question.ts';

const MONEY = { currency: 'EUR', monetary_limit_per_txn: 1_000, monetary_actions: ['pay'] };
const REQUIRED = {
  code: 'approval_required',
  message: 'A person must approve the intent.',
  approval_id: null,
  expires_at: null,
};
const silent: Rule = () => undefined;

const of = (amount: unknown) => ({ parameters: { amount, currency: 'EUR' } });
const ready = (fields: object) => prepare({ ...PASSPORT, ...MONEY, ...fields } as typeof PASSPORT);

/** The reasons, plain and prepared, with and without a rule of the application. */
function reasonsOf(approval: unknown, intent: object = {}, rest: object = {}) {
  const { reasons } = ask({ ...MONEY, approval }, intent, rest);
  expect(ask({ ...MONEY, approval }, intent, rest, [...defaultRules, silent]).reasons).toEqual(reasons);
  expect(ask({}, intent, { ...rest, passport: ready({ approval }) }).reasons).toEqual(reasons);
  return reasons;
}

describe('a person must approve', () => {
  test('an amount above the one that the passport names', () => {
    expect(reasonsOf({ above: '99.50' }, of('99.50'))).toEqual([]);
    expect(reasonsOf({ above: '99.50' }, of('99.51'))).toEqual([REQUIRED]);
  });

  test('an action that the passport names, whatever the amount', () => {
    expect(reasonsOf({ actions: ['quotes:*'] }, of(1_000))).toEqual([]);
    expect(reasonsOf({ actions: ['quotes:*'] }, { action: 'quotes:a' })).toEqual([REQUIRED]);
    expect(reasonsOf({ above: 100, actions: ['pay'] }, of(1))).toEqual([REQUIRED]);
    expect(reasonsOf({ above: 100, actions: ['quotes:*'] }, of(101))).toEqual([REQUIRED]);
    expect(reasonsOf({ above: 100, actions: ['quotes:*'] }, of(100))).toEqual([]);
  });

  test('only what nothing else denies', () => {
    expect(codes({ ...MONEY, approval: { above: 1 } }, of(1_001))).toEqual(['amount_over_limit']);
    const budgets = [{ name: 'n', window: 'day', count: 1 }];
    const passport = { ...MONEY, approval: { above: 1 }, budgets };
    const spent = (count: number) => ({ budgets: { [PASSPORT.agent_id]: { n: { count } } } });
    expect(codes(passport, of(2), spent(1))).toEqual(['budget_exceeded']);
    expect(codes(passport, of(2), spent(0))).toEqual(['approval_required']);
  });
});

test('a state that is good for an ALLOW has no reason, and any other has its own', () => {
  expect(approvalReasons('approved')).toEqual([]);
  expect(approvalReasons('used')).toMatchObject([{ code: 'approval_used' }]);
});

describe('an approval', () => {
  test.each<[ApprovalFact['state'], object[]]>([
    ['approved', []],
    ['pending', [{ code: 'approval_pending', message: 'The approval is not decided yet.' }]],
    ['rejected', [{ code: 'approval_rejected', message: 'The approval was rejected.' }]],
    ['expired', [{ code: 'approval_expired', message: 'The approval is expired.' }]],
    ['used', [{ code: 'approval_used', message: 'The approval was used before.' }]],
    ['mismatch', [{ code: 'approval_mismatch', message: 'The approval is not for this intent.' }]],
  ])('that is %s is evaluated whether one is needed or not', (state, expected) => {
    expect(reasonsOf({ above: 1 }, of(2), { approval: { state } })).toEqual(expected);
    expect(reasonsOf({ above: 2 }, of(2), { approval: { state } })).toEqual(expected);
    expect(reasonsOf(undefined, of(2), { approval: { state } })).toEqual(expected);
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['a text', 'approved'],
    ['a list', ['approved']],
    ['no state', {}],
    ['another state', { state: 'granted' }],
    ['a state that every object has', { state: 'toString' }],
    ['an inherited state', Object.create({ state: 'approved' })],
    ['a state in a list', { state: ['approved'] }],
    ['another state in a list', { state: ['pending'] }],
  ])('that is %s denies', (_, approval) => {
    const failed = [{ code: 'rule_failed', message: 'The rule failed.', rule: 'approval' }];
    expect(reasonsOf({ above: 1 }, of(2), { approval })).toEqual(failed);
    expect(reasonsOf(undefined, of(2), { approval })).toEqual(failed);
  });

  test('that all objects were made to inherit denies', () => {
    const holder = Object.prototype as { approval?: unknown };
    holder.approval = { state: 'approved' };
    try {
      expect(codes({ ...MONEY, approval: { above: 1 } }, of(2))).toEqual(['rule_failed']);
    } finally {
      delete holder.approval;
    }
  });
});

test.each<[string, unknown]>([
  ['null', null],
  ['a list', [{ above: 1 }]],
  ['empty', {}],
  ['only a time', { seconds: 60 }],
  ['inherited', Object.create({ above: 1 })],
  ['a negative amount', { above: -1 }],
  ['an amount of more decimals', { above: 0.001 }],
  ['no action', { actions: [] }],
  ['no list of actions', { actions: 'pay' }],
  ['not an action', { actions: ['not an action'] }],
  ['too short a time', { above: 1, seconds: 59 }],
  ['too long a time', { above: 1, seconds: 604_801 }],
  ['half a second too much', { above: 1, seconds: 60.5 }],
  ['a time in text', { above: 1, seconds: '60' }],
  ['of no person', { above: 1, count: 0 }],
  ['of four persons', { above: 1, count: 4 }],
  ['of one and a half persons', { above: 1, count: 1.5 }],
  ['of no rule that it knows', { above: 1, by: 'others' }],
  ['of changes in text', { above: 1, changes: 'true' }],
  ['of no change, and of nothing else', { changes: false }],
])('a passport denies whose approval is %s', (_, approval) => {
  expect(codes({ ...MONEY, approval }, of(1))).toEqual(['rule_failed']);
});

test('a passport denies that wants approval above an amount without currency or monetary actions', () => {
  const approval = { above: 1 };
  expect(codes({ ...MONEY, approval, currency: undefined }, of(1))).toEqual(['rule_failed']);
  expect(codes({ ...MONEY, approval, monetary_actions: undefined }, of(1))).toEqual(['rule_failed']);
  expect(codes({ ...MONEY, approval, monetary_actions: [] }, of(1))).toEqual(['rule_failed']);
  expect(codes({ approval: { actions: ['quotes:*'] } })).toEqual(['ALLOW']);
});

describe('the passports of a chain', () => {
  const facts = { agent_id: PASSPORT.agent_id };
  const parent = { agent_id: 'did:web:shop.example.com:agents:parent' };
  const required = { code: 'approval_required', message: 'A person must approve the intent.' };

  test('are approved at once, for the shortest of their times, each for its own reasons', () => {
    const chain = [
      ready({ approval: { above: '1.50', seconds: 600 } }),
      ready({}),
      ready({ ...parent, approval: { actions: ['pay'], above: 1_000, seconds: 60 } }),
      ready({ approval: { above: 2, actions: ['pay'] } }),
    ];
    expect(approvalAsked(chain, { ...INTENT, ...of('2.10') })).toEqual({
      ...{ seconds: 60, count: 1, another: false },
      passports: [chain[0], chain[2], chain[3]],
      reasons: [
        { ...required, ...facts, above: '1.5', actual: '2.1' },
        { ...required, ...parent, action: 'pay' },
        { ...required, ...facts, above: '2', actual: '2.1', action: 'pay' },
      ],
    });
    expect(approvalAsked(chain.slice(3), { ...INTENT, ...of(3) })?.seconds).toBe(3_600);
  });

  test('need the most persons that one of those that ask needs, and another one if any says so', () => {
    const chain = [
      ready({ approval: { above: 2, count: 2 } }),
      ready({ ...parent, approval: { actions: ['pay'], by: 'another' } }),
      ready({ approval: { above: 100, count: 3 } }),
    ];
    expect(approvalAsked(chain, { ...INTENT, ...of(3) })).toMatchObject({ count: 2, another: true });
    expect(approvalAsked(chain, { ...INTENT, ...of(101) })).toMatchObject({ count: 3, another: true });
    expect(approvalAsked(chain.slice(0, 1), { ...INTENT, ...of(3) })).toMatchObject({ another: false });
    expect(approvalAsked([ready({ approval: { changes: true, count: 3 } })], INTENT)).toBeUndefined();
  });

  test('want no approval where none of them asks for one', () => {
    const chain = [ready({ approval: { above: 5, seconds: 604_800 } }), ready({})];
    expect(approvalAsked(chain, { ...INTENT, ...of(5) })).toBeUndefined();
    expect(approvalAsked(chain, INTENT)).toBeUndefined();
    expect(approvalAsked(chain, { ...INTENT, ...of('6,00') })).toBeUndefined();
    expect(chain.map(wantsApproval)).toEqual([true, false]);
    const broken = ready({ status: 'none', approval: { above: 5 } });
    expect(wantsApproval(broken)).toBe(false);
    expect(approvalAsked([broken], { ...INTENT, ...of(6) })).toBeUndefined();
  });

  test('have no name in what is asked where they have none', () => {
    const nameless = ready({
      agent_id: undefined,
      approval: { actions: ['pay'] },
      budgets: [{ window: 'day', count: 1 }],
    });
    expect(approvalAsked([nameless], INTENT)?.reasons).toMatchObject([{ agent_id: '' }]);
    expect(takingsIn([nameless], INTENT)).toMatchObject([{ agent_id: '' }]);
  });

  test('are taken from, each from its own budgets', () => {
    const food = { name: 'food', window: 'day', limit: '10.50' };
    const few = { name: 'few', window: 'month', count: 3, actions: ['quotes:*'] };
    const chain = [ready({ budgets: [few, food] }), ready({}), ready({ ...parent, budgets: [few] })];
    expect(chain.map(hasBudgets)).toEqual([true, false, true]);
    expect(chain.map((one) => budgetsIn(one).map(({ name }) => name))).toEqual([
      ['few', 'food'],
      [],
      ['few'],
    ]);
    const taken = (intent: object) =>
      takingsIn(chain, { ...INTENT, ...intent }).map(({ agent_id, budget, by }) => [
        agent_id,
        budget.name,
        by,
      ]);
    expect(taken(of('2.5'))).toEqual([[facts.agent_id, 'food', 250]]);
    expect(taken({ action: 'quotes:a' })).toEqual([
      [facts.agent_id, 'few', 1],
      [parent.agent_id, 'few', 1],
    ]);
    const broken = ready({ status: 'none', budgets: [few] });
    expect(hasBudgets(broken)).toBe(false);
    expect(budgetsIn(broken)).toEqual([]);
    expect(takingsIn([broken], INTENT)).toEqual([]);
  });
});
