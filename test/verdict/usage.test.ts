import { describe, expect, test } from 'vitest';
import { decide, type Question } from '../../src/verdict/index.ts';

const ID = 'did:web:ops.example:agents:writer';
const PASSPORT = {
  agent_id: ID,
  status: 'active',
  allowed_actions: ['*'],
  monetary_limit_per_txn: 100,
} as const;
const DAY = { name: 'day', window: 'day', limit: 1_000, unit: 'tokens', actions: ['model.*'] } as const;
const CREDITS = { ...DAY, name: 'credits', unit: 'credits', limit: '2.5' } as const;

function ask(passport: object, intent: object, more: Partial<Question> = {}) {
  const question = { passport: { ...PASSPORT, ...passport }, at: 0, ...more };
  const asked = { agent_id: ID, action: 'model.call', ...intent };
  return decide({ ...question, intent: asked } as unknown as Question).reasons;
}

const used = (spent: number | string) => ({ budgets: { [ID]: { day: { spent }, credits: { spent } } } });
const required = (unit: string) => ({ code: 'usage_required', message: 'The usage is required.', unit });

describe('a budget with a unit', () => {
  test.each([
    ['no usage', {}],
    ['a usage of another unit', { usage: { credits: 1 } }],
    ['a fraction', { usage: { tokens: 1.5 } }],
    ['a negative number', { usage: { tokens: -1 } }],
    ['no number', { usage: { tokens: Number.NaN } }],
    ['more than 10^12', { usage: { tokens: 1e12 + 1 } }],
    ['a text that is no number', { usage: { tokens: '1e3' } }],
    ['a list', { usage: ['tokens'] }],
    ['null', { usage: null }],
    ['an inherited usage', Object.create({ usage: { tokens: 1 } })],
    ['inherited tokens', { usage: Object.create({ tokens: 1 }) }],
  ])('denies %s', (_, intent: object) => {
    expect(ask({ budgets: [DAY] }, intent, used(0))).toEqual([required('tokens')]);
  });

  test('asks for each unit once, after the amount and before the conditions', () => {
    const passport = {
      budgets: [DAY, CREDITS, { ...DAY, name: 'week', window: 'week' }],
      conditions: [{ at: '/model', in: ['small'] }],
    };
    const reasons = ask(passport, { parameters: { amount: 101 } }, used(0));
    expect(reasons.map(({ code, unit }) => (unit ? `${code} ${unit}` : code))).toEqual([
      'amount_over_limit',
      'usage_required tokens',
      'usage_required credits',
      'parameter_required',
    ]);
  });

  test('leaves other actions alone', () => {
    expect(ask({ budgets: [DAY] }, { action: 'orders.read' }, used(0))).toEqual([]);
  });

  test.each([
    [1_000, 0, true],
    [1_000, 1, false],
    ['1000', 0, true],
    [0, 1_000, true],
    [1_001, 0, false],
    [1e12, 0, false],
  ])('compares a usage of %s after %s', (tokens, spent, isAllowed) => {
    const reasons = ask({ budgets: [DAY] }, { usage: { tokens } }, used(spent));
    expect(reasons.length === 0).toBe(isAllowed);
    if (!isAllowed)
      expect(reasons[0]).toMatchObject({ code: 'budget_exceeded', limit: '1000', unit: 'tokens' });
  });

  test('counts credits exactly', () => {
    const budgets = [CREDITS];
    expect(ask({ budgets }, { usage: { credits: '0.000001' } }, used('2.499999'))).toEqual([]);
    expect(ask({ budgets }, { usage: { credits: '0.000001' } }, used('2.5'))).toHaveLength(1);
    expect(ask({ budgets }, { usage: { credits: '0.0000001' } }, used(0))).toEqual([required('credits')]);
  });

  test('takes nothing of an amount, and an amount nothing of it', () => {
    const money = { name: 'money', window: 'day', limit: 10, actions: ['model.*'] };
    const passport = { currency: 'EUR', budgets: [money, DAY] };
    const parameters = { amount: 10, currency: 'EUR' };
    const budgets = { [ID]: { money: { spent: 0 }, day: { spent: 990 } } };
    expect(ask(passport, { parameters, usage: { tokens: 10 } }, { budgets })).toEqual([]);
    expect(ask(passport, { parameters, usage: { tokens: 11 } }, { budgets })).toMatchObject([
      { budget: 'day' },
    ]);
    expect(ask(passport, { usage: { tokens: 10 } }, { budgets })).toMatchObject([
      { code: 'amount_required' },
    ]);
  });

  test('of a passport above denies with the unit', () => {
    const parent = { ...PASSPORT, agent_id: `${ID}-parent`, budgets: [DAY] };
    const passport = { parent_agent_id: `${ID}-parent` };
    const ancestors = { ancestors: [parent] } as object;
    const [reason] = ask(passport, {}, ancestors);
    expect(reason).toMatchObject({ code: 'parent_denied', reason: 'usage_required', unit: 'tokens' });
    const budgets = { [parent.agent_id]: { day: { spent: 0 } } };
    expect(ask(passport, { usage: { tokens: 1 } }, { ...ancestors, budgets })).toEqual([]);
  });

  test.each([
    ['without actions', { actions: undefined }],
    ['with a count', { limit: undefined, count: 5 }],
    ['of an unknown unit', { unit: 'seconds' }],
    ['of half a token', { limit: 0.5 }],
  ])('%s makes the passport unreadable', (_, more) => {
    const { ...budget } = { ...DAY, ...more };
    const plain = JSON.parse(JSON.stringify(budget));
    expect(ask({ budgets: [plain] }, { usage: { tokens: 1 } }, used(0))).toMatchObject([
      { code: 'rule_failed' },
    ]);
  });
});
