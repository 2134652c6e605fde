import { describe, expect, test } from 'vitest';
import type { Budget, Intent } from '../../../src/records.ts';
import { manualClock, openLocalService } from '../../support/service.ts';
import { stores } from '../../support/stores.ts';

const PAY = 'payments.create';

async function open(budgets: readonly Budget[], openStore = stores[0]?.[1], start?: string) {
  const storage = await openStore?.();
  if (storage === undefined) throw new Error('There is no store.');
  const clock = manualClock(start === undefined ? undefined : Date.parse(start));
  const { service, logs, timers } = openLocalService({ storage, clock });
  const { agent_id } = await service.passports.create({
    domain: 'shop.example',
    agent_name: 'shopper',
    allowed_actions: ['payments.*', 'quotes.read'],
    monetary_actions: ['payments.*'],
    monetary_limit_per_txn: 1_000_000,
    currency: 'EUR',
    budgets,
  });
  const intentOf = (amount?: number | string, more: Partial<Intent> = {}): Intent => ({
    agent_id,
    action: amount === undefined ? 'quotes.read' : PAY,
    ...(amount !== undefined && { parameters: { amount, currency: 'EUR' } }),
    ...more,
  });
  const pay = (amount?: number | string, more: Partial<Intent> = {}) =>
    service.verify(intentOf(amount, more));
  const verdicts = async (...amounts: readonly (number | string)[]) => {
    const given: string[] = [];
    for (const amount of amounts) given.push((await pay(amount)).verdict);
    return given;
  };
  const left = async (environment?: 'live' | 'test') =>
    (await service.passports.budgets(agent_id, environment && { environment })).data;
  return { service, storage, clock, timers, logs, agent_id, intentOf, pay, verdicts, left };
}

describe.each(stores)('budgets in %s', (_, openStore) => {
  test('ten payments are not more than the budget that one would exceed', async () => {
    const { pay, verdicts, agent_id, left } = await open([{ window: 'day', limit: '100.50' }], openStore);
    expect(await verdicts(...Array(10).fill('10.05'))).toEqual(Array(10).fill('ALLOW'));
    const { verdict, reasons, budgets } = await pay('0.01');
    expect({ verdict, reasons, budgets }).toEqual({
      verdict: 'DENY',
      budgets: [],
      reasons: [
        {
          code: 'budget_exceeded',
          message: 'The budget is exceeded.',
          agent_id,
          budget: 'day',
          window: 'day',
          limit: '100.5',
          spent: '100.5',
          held: '0',
          remaining: '0',
          resets_at: '2026-11-21T00:00:00.000Z',
        },
      ],
    });
    expect(await left()).toEqual([
      {
        agent_id,
        name: 'day',
        window: 'day',
        limit: 100.5,
        count: null,
        spent: 100.5,
        held: 0,
        remaining: 0,
        window_start: '2026-11-20T00:00:00.000Z',
        resets_at: '2026-11-21T00:00:00.000Z',
      },
    ]);
  });

  test('the record of an ALLOW says how each budget that it took from stands', async () => {
    const { pay, agent_id } = await open(
      [
        { window: 'day', limit: 100 },
        { name: 'often', window: 'lifetime', count: 3 },
        { name: 'quotes', window: 'hour', count: 9, actions: ['quotes.*'] },
      ],
      openStore,
    );
    await pay(1);
    expect((await pay('19.99')).budgets).toEqual([
      {
        ...{ agent_id, name: 'day', window: 'day', limit: 100, count: null },
        ...{ spent: 20.99, held: 0, remaining: 79.01, resets_at: '2026-11-21T00:00:00.000Z' },
      },
      {
        ...{ agent_id, name: 'often', window: 'lifetime', limit: null, count: 3 },
        ...{ spent: 2, held: 0, remaining: 1, resets_at: null },
      },
    ]);
  });

  test('what does not fit one budget takes from none, and every budget that does not hold is named', async () => {
    const { pay, left } = await open(
      [
        { window: 'hour', limit: 10 },
        { window: 'day', limit: 100 },
        { window: 'month', limit: 5 },
      ],
      openStore,
    );
    const { reasons } = await pay(11);
    expect(reasons.map(({ budget }) => budget)).toEqual(['hour', 'month']);
    expect((await left()).map(({ spent }) => spent)).toEqual([0, 0, 0]);
  });

  test('an amount of 0, and what a budget does not count, takes nothing of it', async () => {
    const { pay, left, verdicts } = await open([{ window: 'day', limit: 1 }], openStore);
    expect(await verdicts(1, 0)).toEqual(['ALLOW', 'ALLOW']);
    expect(await pay()).toMatchObject({ verdict: 'ALLOW', budgets: [] });
    expect(await left()).toMatchObject([{ spent: 1, remaining: 0 }]);
  });

  test('a budget of some actions counts those, and requires their amount', async () => {
    const { pay, service, agent_id } = await open(
      [{ window: 'day', limit: 10, actions: ['payments.refund', 'quotes.*'] }],
      openStore,
    );
    expect(await pay(1_000)).toMatchObject({ verdict: 'ALLOW', budgets: [] });
    expect(await pay()).toMatchObject({ verdict: 'DENY', reasons: [{ code: 'amount_required' }] });
    const refund = { agent_id, action: 'payments.refund', parameters: { amount: 11, currency: 'EUR' } };
    expect(await service.verify(refund)).toMatchObject({ reasons: [{ code: 'budget_exceeded' }] });
  });

  test('a DENY and a dry run spend nothing, and a dry run says whether it would fit', async () => {
    const { pay, left } = await open([{ window: 'day', limit: 10 }], openStore);
    expect(await pay(2_000_000)).toMatchObject({ reasons: [{ code: 'amount_over_limit' }] });
    expect(await pay(10, { dry_run: true })).toMatchObject({ verdict: 'ALLOW', budgets: [] });
    expect(await pay(10.01, { dry_run: true })).toMatchObject({ reasons: [{ code: 'budget_exceeded' }] });
    expect(await left()).toMatchObject([{ spent: 0 }]);
    await pay(10);
    expect(await pay('0.01', { dry_run: true })).toMatchObject({
      reasons: [{ code: 'budget_exceeded', spent: '10', remaining: '0' }],
    });
  });

  test('a changed limit keeps what was spent; another name, window or currency begins at 0', async () => {
    const { verdicts, service, agent_id, left, pay } = await open([{ window: 'day', limit: 10 }], openStore);
    const set = (...budgets: readonly Budget[]) => service.passports.update(agent_id, { budgets });
    await verdicts(8);
    await set({ window: 'day', limit: 5 });
    expect(await left()).toMatchObject([{ limit: 5, spent: 8, remaining: 0 }]);
    expect(await pay('0.01')).toMatchObject({ reasons: [{ remaining: '0', spent: '8' }] });
    await set({ window: 'day', limit: 9 });
    expect(await verdicts('1.01', 1, '0.01')).toEqual(['DENY', 'ALLOW', 'DENY']);
    await set({ name: 'other', window: 'day', limit: 9 });
    expect(await verdicts(9, '0.01')).toEqual(['ALLOW', 'DENY']);
    await service.passports.update(agent_id, { budgets: null });
    expect(await left()).toEqual([]);
    expect(await pay(500)).toMatchObject({ verdict: 'ALLOW', budgets: [] });
    await set({ window: 'day', limit: 9 });
    expect(await left()).toMatchObject([{ spent: 9 }]);
    await service.passports.update(agent_id, { currency: 'USD' });
    expect(await left()).toMatchObject([{ spent: 0 }]);
  });

  test('each environment has budgets of its own', async () => {
    const { service, intentOf, left } = await open([{ window: 'day', limit: 10 }], openStore);
    await service.verify(intentOf(10), { environment: 'test' });
    expect(await left()).toMatchObject([{ spent: 0 }]);
    expect(await left('test')).toMatchObject([{ spent: 10 }]);
    expect(await service.verify(intentOf(1), { environment: 'test' })).toMatchObject({ verdict: 'DENY' });
  });

  test('a batch spends in its order', async () => {
    const { service, intentOf } = await open([{ window: 'day', limit: 10 }], openStore);
    const intents = [intentOf(6), intentOf(5), intentOf(4), intentOf('0.01')];
    const records = await service.verifyBatch({ intents });
    expect(records.map(({ verdict }) => verdict)).toEqual(['ALLOW', 'DENY', 'ALLOW', 'DENY']);
  });

  test('an amount that no counter holds is denied with what is left', async () => {
    const { service, agent_id, pay } = await open([{ window: 'day', limit: '90071992547409.91' }], openStore);
    await service.passports.update(agent_id, { monetary_limit_per_txn: '1000000000000000' });
    expect(await pay('100000000000000')).toMatchObject({
      reasons: [{ spent: '0', remaining: '90071992547409.91' }],
    });
    expect(await pay('90071992547409.91')).toMatchObject({ verdict: 'ALLOW' });
    expect(await pay('999999999999999.99')).toMatchObject({
      reasons: [{ code: 'budget_exceeded', remaining: '0' }],
    });
    expect(await pay('90071992547409.91')).toMatchObject({ reasons: [{ code: 'budget_exceeded' }] });
  });

  test('a trial of a passport with budgets says whether it would fit, and spends nothing', async () => {
    const { service, agent_id, intentOf, left } = await open([{ window: 'day', limit: 10 }], openStore);
    expect(await service.passports.try(agent_id, { intent: intentOf(10) })).toEqual({
      verdict: 'ALLOW',
      reasons: [],
    });
    const patch = { budgets: [{ window: 'day', limit: 9 }] } as const;
    const tried = await service.passports.try(agent_id, { intent: intentOf(10), patch });
    expect(tried).toMatchObject({ verdict: 'DENY', reasons: [{ code: 'budget_exceeded', limit: '9' }] });
    expect(await left()).toMatchObject([{ spent: 0 }]);
  });
});

describe('windows', () => {
  const starts: readonly (readonly [Budget['window'], string, string, string])[] = [
    ['hour', '2026-11-20T23:59:59.999Z', '2026-11-20T23:00:00.000Z', '2026-11-21T00:00:00.000Z'],
    ['day', '2024-02-29T23:59:59.999Z', '2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
    ['week', '2025-01-01T12:00:00.000Z', '2024-12-30T00:00:00.000Z', '2025-01-06T00:00:00.000Z'],
    ['week', '2027-01-03T23:59:59.999Z', '2026-12-28T00:00:00.000Z', '2027-01-04T00:00:00.000Z'],
    ['month', '2024-02-29T12:00:00.000Z', '2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
    ['month', '2026-12-31T23:59:59.999Z', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['year', '2026-12-31T23:59:59.999Z', '2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ];

  test.each(starts)(
    'a %s at %s is from %s to %s, and the next begins at 0',
    async (window, at, start, end) => {
      const { left, verdicts, clock } = await open([{ name: 'b', window, limit: 5 }], undefined, at);
      expect(await verdicts(5, 1)).toEqual(['ALLOW', 'DENY']);
      expect(await left()).toMatchObject([{ window_start: start, resets_at: end, spent: 5 }]);
      clock.advance(Date.parse(end) - Date.parse(at) - 1);
      expect(await verdicts(1)).toEqual(['DENY']);
      clock.advance(1);
      expect(await verdicts(5, 1)).toEqual(['ALLOW', 'DENY']);
    },
  );

  test('lifetime has no end', async () => {
    const { left, verdicts, clock } = await open([{ window: 'lifetime', limit: 5 }]);
    await verdicts(5);
    clock.advance(50 * 365 * 86_400_000);
    expect(await left()).toMatchObject([{ window_start: null, resets_at: null, spent: 5 }]);
    expect(await verdicts(1)).toEqual(['DENY']);
  });
});

test('a storage that is not durable is reported once, at the first spend', async () => {
  const { pay, logs } = await open([{ window: 'day', limit: 5 }]);
  await pay(1);
  await pay(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(logs.map(({ event }) => event)).toEqual(['budgets_not_durable']);
});
