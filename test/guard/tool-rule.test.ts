import { describe, expect, test } from 'vitest';
import { createToolGuard, type ToolGuardOptions } from '../../src/guard/index.ts';
import type { Intent, VerdictRecord } from '../../src/records.ts';
import { openLocalService } from '../support/service.ts';

const AGENT = 'did:web:example.com:agents:shopper';

/** What a rule makes of arguments; `undefined` where they cannot be read. */
async function intentOf(rule: unknown, args: unknown): Promise<Partial<Intent> | undefined> {
  let asked: Partial<Intent> | undefined;
  const verify = (intent: Intent): Promise<VerdictRecord> => {
    const { agent_id: _, ...rest } = intent;
    asked = rest;
    return Promise.reject(new Error());
  };
  const tools = { pay: rule } as NonNullable<ToolGuardOptions['tools']>;
  await createToolGuard({ verifier: { verify }, agentId: AGENT, tools }).judge({ name: 'pay', args });
  return asked;
}

async function amountOf(rule: object, args: unknown): Promise<unknown> {
  const { parameters } = (await intentOf(rule, args)) ?? {};
  return parameters?.['amount'];
}

describe('an amount', () => {
  test.each([
    [10_001, '100.01'],
    [5, '0.05'],
    [0, '0.00'],
    ['10001', '100.01'],
    ['7', '0.07'],
    [2 ** 53 - 1, '90071992547409.91'],
    [2 ** 53, null],
    [-1, null],
    [-0, null],
    [1.5, null],
    ['1.5', null],
    ['-1', null],
    ['007', null],
    ['', null],
    [' 1', null],
    ['1e3', null],
    [Number.NaN, null],
    [null, null],
    [true, null],
    [[5], null],
    [{ value: 5 }, null],
    [5n, null],
  ])('of %s cents is sent as %s', async (cents, amount) => {
    expect(await amountOf({ amount: '/cents', decimals: 2 }, { cents })).toBe(amount);
  });

  test.each([
    [19.99, 19.99],
    ['19.99', '19.99'],
    [-0, null],
    [Number.POSITIVE_INFINITY, null],
    [false, null],
    [['5'], null],
  ])('of %s is sent as %s', async (amount, sent) => {
    expect(await amountOf({ amount: '/amount' }, { amount })).toBe(sent);
  });

  test('that is missing is invalid, and absent only where that is optional', async () => {
    expect(await intentOf({ amount: '/amount' }, {})).toEqual({
      action: 'pay',
      parameters: { amount: null },
    });
    const optional = { amount: '/amount', optionalAmount: true };
    expect(await intentOf(optional, {})).toEqual({ action: 'pay', parameters: {} });
    expect(await amountOf(optional, { amount: null })).toBe(null);
    const heir = Object.assign(Object.create(null), { toString: 1 });
    expect(await amountOf({ amount: '/amount' }, heir)).toBe(null);
  });

  test('may be meant literally', async () => {
    expect(await amountOf({ amount: '19.99' }, { amount: 5 })).toBe('19.99');
    expect(await amountOf({ amount: 5 }, {})).toBe('5');
  });
});

describe('minor units of the currency of a call', () => {
  const rule = { amount: '/amount', decimals: 'currency', currency: '/currency' };

  test.each([
    ['JPY', 900_000, '900000'],
    ['jpy', '900000', '900000'],
    ['EUR', 900_000, '9000.00'],
    ['KWD', 900_000, '900.000'],
    ['CLF', 900_000, '90.0000'],
    ['JPY', 1.5, null],
    // ISO 4217 has no minor unit of gold: 5 ounces must not count as 0.000005.
    ['XAU', 5, null],
    ['XXX', 5, null],
    ['HRK', 5, null],
    ['euro', 5, null],
    [undefined, 5, null],
    [5, 5, null],
  ])('of %j moves the point of %j to %s', async (currency, amount, sent) => {
    expect(await amountOf(rule, { amount, currency })).toBe(sent);
  });

  test('is literal where the rule names the currency', async () => {
    expect(await amountOf({ ...rule, currency: 'JPY' }, { amount: 5, currency: 'EUR' })).toBe('5');
    expect(await amountOf({ ...rule, currency: 'XAU' }, { amount: 5 })).toBe(null);
  });

  test('with fixed decimals accepts only the currencies that have them', async () => {
    const fixed = { ...rule, decimals: 2, currencies: ['EUR', 'USD'] };
    expect(await amountOf(fixed, { amount: 5, currency: 'usd' })).toBe('0.05');
    for (const currency of ['JPY', 'GBP', undefined, null, ['EUR']]) {
      expect(await amountOf(fixed, { amount: 5, currency })).toBe(null);
    }
    const whole = { amount: '/amount', currency: '/currency', currencies: ['EUR'] };
    expect(await amountOf(whole, { amount: '5.5', currency: 'EUR' })).toBe('5.5');
    expect(await amountOf(whole, { amount: '5.5', currency: 'USD' })).toBe(null);
  });

  test('denies 900,000 JPY under a limit of 10,000', async () => {
    const { service } = openLocalService();
    await service.passports.create({
      ...{ domain: 'example.com', agent_name: 'shopper', allowed_actions: ['pay'] },
      monetary_limit_per_txn: 10_000,
    });
    const guard = createToolGuard({
      verifier: service,
      agentId: AGENT,
      tools: { pay: { ...rule, decimals: 'currency' } },
    });
    const evaluate = (currency: string) => guard.judge({ name: 'pay', args: { amount: 900_000, currency } });
    expect(await evaluate('EUR')).toMatchObject({ allowed: true });
    expect(await evaluate('JPY')).toMatchObject({ reasons: [{ code: 'amount_over_limit' }] });
    expect(await evaluate('QQQ')).toMatchObject({
      reasons: [{ code: 'amount_invalid' }, { code: 'currency_invalid' }],
    });
  });
});

describe('a pointer', () => {
  test.each([
    ['/a/b', { a: { b: '1' } }, '1'],
    ['/a~1b/c~0d', { 'a/b': { 'c~d': '1' } }, '1'],
    ['/', { '': '1' }, '1'],
    ['/list/1', { list: ['0', '1'] }, '1'],
    ['/list/01', { list: ['0', '1'] }, null],
    ['/list/-', { list: ['0', '1'] }, null],
    ['/list/length', { list: ['0', '1'] }, null],
    ['/text/0', { text: 'abc' }, null],
    ['/constructor/name', {}, null],
    ['/__proto__', JSON.parse('{"__proto__":"1"}'), '1'],
  ])('%s into %j finds %j', async (amount, args, found) => {
    expect(await amountOf({ amount }, args)).toBe(found);
  });

  test.each([
    ['a Date', { at: new Date(0) }],
    ['a Map', { at: new Map() }],
    ['an object of a class', { at: new URL('https://example.com') }],
  ])('does not reach into %s', async (_, args) => {
    expect(await intentOf({ amount: '/at/amount' }, args)).toBeUndefined();
  });
});

describe('the rest of an intent', () => {
  test('takes action and target from the arguments, and no target where there is none', async () => {
    const rule = { action: '/do', target: '/payee' };
    const payee = 'did:web:shop.example';
    expect(await intentOf(rule, { do: 'orders.read', payee })).toEqual({
      action: 'orders.read',
      target: payee,
    });
    expect(await intentOf(rule, { do: 'orders.read', payee: null })).toEqual({ action: 'orders.read' });
    for (const args of [
      {},
      { do: '' },
      { do: 5 },
      { do: 'a', payee: 5 },
      { do: 'a', payee: 'a'.repeat(513) },
    ]) {
      expect(await intentOf(rule, args)).toBeUndefined();
    }
  });

  test.each([
    ['EUR', {}, 'EUR'],
    ['/currency', { currency: 'eur' }, 'EUR'],
    ['/currency', { currency: 'euro' }, 'euro'],
    ['/currency', { currency: 'ıno' }, 'ıno'],
    ['/currency', {}, null],
    ['/currency', { currency: 5 }, null],
  ])('with the currency %s of %j is %j', async (currency, args, sent) => {
    expect((await intentOf({ currency }, args))?.parameters).toEqual({ currency: sent });
  });

  test('may come from a function, which sees the copy', async () => {
    const rule = (args: { total: string }) => ({ action: 'pay', parameters: { amount: args.total } });
    expect(await intentOf(rule, { total: '5' })).toEqual({ action: 'pay', parameters: { amount: '5' } });
    expect(await intentOf(() => ({}), {})).toEqual({ action: 'pay' });
  });

  test.each([
    ['a Promise', async () => ({ action: 'pay' })],
    ['nothing', () => undefined],
    ['a list', () => []],
    ['a field that no intent has', () => ({ amount: 5 })],
    ['an exception', () => expect.fail('thrown')],
    ['an action that is no text', () => ({ action: 5 })],
  ])('is unreadable where the function answers %s', async (_, rule) => {
    expect(await intentOf(rule, {})).toBeUndefined();
  });
});

describe('what cannot be meant is refused when the guard is made', () => {
  const verifier = { verify: () => Promise.reject(new Error()) };
  const refusal = (options: object): string => {
    try {
      createToolGuard({ verifier, agentId: AGENT, ...options } as ToolGuardOptions);
    } catch (error) {
      return String(error);
    }
    return 'taken';
  };

  test.each([
    [{ verifer: verifier }, 'there is no option verifer. Did you mean verifier?'],
    [{ verifier: undefined }, 'verifier must have verify'],
    [{ verifier: {} }, 'verifier must have verify'],
    [{ agentId: undefined }, 'agentId must be the id of an agent'],
    [{ agentId: '' }, 'agentId must be the id of an agent'],
    [{ prefix: 5 }, 'prefix must be a text'],
    [{ unjudged: 'look' }, 'unjudged must be a list'],
    [{ unjudged: [5] }, 'unjudged must be a list'],
    [{ explain: 'all' }, 'explain must be code, message or full'],
    [{ timeoutMs: 0 }, 'timeoutMs must be a number'],
    [{ timeoutMs: '5' }, 'timeoutMs must be a number'],
    [{ timeoutMs: 2 ** 31 }, 'timeoutMs must be a number'],
    [{ mode: 'off' }, 'mode must be enforce or observe'],
    [{ onVerdict: 5 }, 'onVerdict must be a function'],
    [{ tools: null }, 'tools must be rules'],
    [{ tools: { pay: {} }, unjudged: ['pay'] }, '"pay" is unjudged and has a rule'],
  ])('%j', (options, message) => {
    expect(refusal(options)).toContain(message);
  });

  test.each([
    [null, 'must be a rule'],
    [[], 'must be a rule'],
    [new Map(), 'must be a rule'],
    [{ amont: '/amount' }, 'has no field amont. Did you mean amount?'],
    [{ amount: 'much' }, '.amount must be a decimal'],
    [{ amount: ['5'] }, '.amount must be a decimal'],
    [{ amount: -0.5 }, '.amount must be a decimal'],
    [{ amount: '/a~2' }, '.amount is no JSON Pointer'],
    [{ amount: '/a', decimals: 7 }, '.decimals must be'],
    [{ amount: '/a', decimals: 'EUR' }, '.decimals must be'],
    [{ amount: '/a', decimals: 'currency' }, 'needs a currency'],
    [{ amount: '5', decimals: 'currency', currency: 'EUR' }, 'need an amount that is a JSON Pointer'],
    [{ amount: '/a', decimals: 2, currency: '/c' }, 'Write decimals: "currency"'],
    [{ amount: '/a', decimals: 0, currency: '/c' }, 'Write decimals: "currency"'],
    [{ amount: '/a', decimals: 2, currency: '/c', currencies: ['EUR', 'JPY'] }, 'JPY has other decimals'],
    [{ amount: '/a', decimals: 6, currency: '/c', currencies: ['EUR'] }, 'EUR has other decimals'],
    [{ amount: '/a', currency: '/c', currencies: [] }, '.currencies must be a list'],
    [{ amount: '/a', currency: '/c', currencies: ['eur'] }, '.currencies must be a list'],
    [{ amount: '/a', currency: '/c', currencies: 'EUR' }, '.currencies must be a list'],
    [{ amount: '/a', currency: 'EUR', currencies: ['EUR'] }, 'need a currency that is a JSON Pointer'],
    [{ amount: '5', decimals: 2 }, 'need an amount that is a JSON Pointer'],
    [{ decimals: 2 }, 'need an amount that is a JSON Pointer'],
    [{ optionalAmount: true }, 'need an amount that is a JSON Pointer'],
    [{ amount: '/a', optionalAmount: 'yes' }, '.optionalAmount must be true or false'],
    [{ currency: 'eur' }, '.currency must be'],
    [{ currency: ['EUR'] }, '.currency must be'],
    [{ action: '' }, '.action must be a text'],
    [{ action: 5 }, '.action must be a text'],
    [{ target: 'a'.repeat(513) }, '.target must be a text'],
  ])('the rule %j', (rule, message) => {
    expect(refusal({ tools: { pay: rule } })).toContain(message);
  });

  test('an empty rule, a rule without effect on money and a guard without rules are fine', () => {
    for (const tools of [undefined, {}, { pay: {} }, { pay: { amount: undefined } }]) {
      expect(refusal({ tools })).toBe('taken');
    }
  });
});
