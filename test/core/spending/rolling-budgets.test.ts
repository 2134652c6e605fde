/** Budgets of a rolling window: what still counts, and from when on an intent fits. */
import { describe, expect, test } from 'vitest';
import type { Budget } from '../../../src/records.ts';
import { HOUR, MINUTE, manualClock, openLocalService } from '../../support/service.ts';
import { stores } from '../../support/stores.ts';

async function open(openStore: (typeof stores)[number][1], budgets: readonly Budget[]) {
  const storage = await openStore();
  const clock = manualClock(Date.parse('2026-11-20T12:02:00.000Z'));
  const { service } = openLocalService({ storage, clock });
  const { agent_id } = await service.passports.create({
    domain: 'shop.example',
    agent_name: 'shopper',
    allowed_actions: ['pay'],
    monetary_actions: ['pay'],
    monetary_limit_per_txn: 1_000,
    currency: 'EUR',
    budgets,
  });
  const pay = (amount: number, more: object = {}) =>
    service.verify({ agent_id, action: 'pay', parameters: { amount, currency: 'EUR' }, ...more });
  const left = async () => (await service.passports.budgets(agent_id)).data;
  return { service, storage, clock, agent_id, pay, left };
}

const untilOf = (reasons: readonly object[]): unknown =>
  reasons.map((one) => (one as { readonly resets_at?: unknown }).resets_at);

describe.each(stores)('a rolling budget in %s', (_, openStore) => {
  test('forgets an amount an hour and at most a part later, at the instant that the denial names', async () => {
    const { clock, pay, left } = await open(openStore, [{ window: 'rolling_hour', limit: 100 }]);
    expect((await pay(60)).budgets).toEqual([
      {
        agent_id: 'did:web:shop.example:agents:shopper',
        name: 'rolling_hour',
        window: 'rolling_hour',
        limit: 100,
        count: null,
        spent: 60,
        held: 0,
        remaining: 40,
        resets_at: null,
      },
    ]);
    clock.advance(10 * MINUTE);
    const { verdict, reasons } = await pay(41);
    expect({ verdict, reasons }).toMatchObject({
      verdict: 'DENY',
      reasons: [{ code: 'budget_exceeded', spent: '60', held: '0', remaining: '40' }],
    });
    expect(untilOf(reasons)).toEqual(['2026-11-20T13:05:00.000Z']);
    clock.advance(53 * MINUTE - 1);
    expect((await pay(41)).verdict).toBe('DENY');
    clock.advance(1);
    expect((await pay(41, { dry_run: true })).verdict).toBe('ALLOW');
    expect((await pay(41)).verdict).toBe('ALLOW');
    expect(await left()).toMatchObject([{ spent: 41, remaining: 59, window_start: null, resets_at: null }]);
  });

  test('names no instant for an amount that never fits', async () => {
    const { pay } = await open(openStore, [{ window: 'rolling_day', limit: 100 }]);
    expect(untilOf((await pay(100.01)).reasons)).toEqual([null]);
  });

  test('counts what is held as spent, and a part that goes back no longer', async () => {
    const { service, clock, pay, left } = await open(openStore, [{ window: 'rolling_hour', limit: 100 }]);
    const { decision_id } = await pay(70, { hold_seconds: 600 });
    expect(await left()).toMatchObject([{ spent: 70, held: 0, remaining: 30 }]);
    await service.spends.commit(decision_id, { amount: 50 });
    expect(await left()).toMatchObject([{ spent: 50, held: 0, remaining: 50 }]);
    clock.advance(HOUR / 2);
    await service.spends.release(decision_id, { amount: 20 });
    expect(await left()).toMatchObject([{ spent: 30 }]);
    clock.advance(HOUR);
    await service.spends.release(decision_id);
    expect(await left()).toMatchObject([{ spent: 0, remaining: 100 }]);
  });

  test('ends a hold that is over before it denies', async () => {
    const { clock, pay } = await open(openStore, [{ window: 'rolling_hour', limit: 100 }]);
    await pay(70, { hold_seconds: 60 });
    clock.advance(2 * MINUTE);
    expect((await pay(100)).verdict).toBe('ALLOW');
  });

  test('spends nothing of one budget if another is exceeded', async () => {
    const { pay, left } = await open(openStore, [
      { window: 'rolling_week', limit: 100 },
      { window: 'day', count: 1 },
    ]);
    await pay(10);
    expect((await pay(10)).verdict).toBe('DENY');
    expect(await left()).toMatchObject([{ spent: 10 }, { spent: 1 }]);
  });

  test('leaves no counter of an erased passport', async () => {
    const { service, storage, clock, agent_id, pay } = await open(openStore, [
      { window: 'rolling_month', limit: 100 },
    ]);
    await pay(10);
    clock.advance(HOUR);
    await service.revoke({ agent_id });
    await service.passports.purge(agent_id);
    expect(await storage.purge('counters', '9999-01-01T00:00:00.000Z')).toBe(0);
  });
});
