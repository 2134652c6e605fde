import { describe, expect, test } from 'vitest';
import type { Budget, Intent } from '../../../src/records.ts';
import { openLocalService } from '../../support/service.ts';
import { stores } from '../../support/stores.ts';

const BUDGETS: readonly Budget[] = [
  { window: 'day', limit: 100 },
  { name: 'often', window: 'day', count: 5 },
];

async function open(openStore = stores[0]?.[1], budgets: readonly Budget[] = BUDGETS) {
  const storage = await openStore?.();
  if (storage === undefined) throw new Error('There is no store.');
  const opened = openLocalService({ storage });
  const { service } = opened;
  const { agent_id } = await service.passports.create({
    domain: 'shop.example',
    agent_name: 'shopper',
    allowed_actions: ['*'],
    monetary_actions: ['pay'],
    monetary_limit_per_txn: 1_000,
    currency: 'EUR',
    budgets,
  });
  const pay = (amount: number | string | undefined, more: Partial<Intent> = {}) => {
    const parameters = amount === undefined ? {} : { amount, currency: 'EUR' };
    return service.verify({ agent_id, action: amount === undefined ? 'look' : 'pay', parameters, ...more });
  };
  const hold = async (amount: number | string | undefined, hold_seconds = 60) => {
    const { verdict, decision_id } = await pay(amount, { hold_seconds });
    expect(verdict).toBe('ALLOW');
    return decision_id;
  };
  /** Spent and held of each budget. */
  const used = async () => {
    const { data } = await service.passports.budgets(agent_id);
    return data.map(({ spent, held, remaining }) => [spent, held, remaining]);
  };
  return { ...opened, agent_id, pay, hold, used, spends: service.spends };
}

describe.each(stores)('a hold in %s', (_, openStore) => {
  test('takes its place in the budgets, and is spent by a commit, again with the same amount as well', async () => {
    const { hold, used, spends, agent_id, clock } = await open(openStore);
    const id = await hold('60.50');
    expect(await used()).toEqual([
      [0, 60.5, 39.5],
      [0, 1, 4],
    ]);
    const held = {
      ...{ decision_id: id, agent_id, environment: 'live', status: 'held', amount: 60.5, released_amount: 0 },
      ...{ currency: 'EUR', held_until: clock.instant(60_000), permit_until: null },
      ...{ created_at: clock.instant(), updated_at: clock.instant() },
    };
    expect(await spends.get(id)).toEqual(held);
    clock.advance(1_000);
    const committed = { ...held, status: 'committed', updated_at: clock.instant() };
    expect(await spends.commit(id)).toEqual(committed);
    expect(await used()).toEqual([
      [60.5, 0, 39.5],
      [1, 0, 4],
    ]);
    expect(await spends.commit(id)).toEqual(committed);
    expect(await spends.commit(id, { amount: '60.50' })).toEqual(committed);
    await expect(spends.commit(id, { amount: 60 })).rejects.toMatchObject({ code: 'conflict' });
  });

  test('is committed in part, and the rest goes back', async () => {
    const { hold, used, spends } = await open(openStore);
    const id = await hold(60);
    await expect(spends.commit(id, { amount: '60.01' })).rejects.toMatchObject({ code: 'conflict' });
    expect(await spends.commit(id, { amount: '20.01' })).toMatchObject({
      ...{ status: 'committed', amount: 60, released_amount: 39.99 },
    });
    expect(await used()).toEqual([
      [20.01, 0, 79.99],
      [1, 0, 4],
    ]);
    expect(await spends.commit(id, { amount: '20.01' })).toMatchObject({ released_amount: 39.99 });
    await expect(spends.commit(id)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('is released in parts, and counted no more when all of it went back', async () => {
    const { hold, used, spends } = await open(openStore);
    const id = await hold(60);
    expect(await spends.release(id, { amount: 20 })).toMatchObject({ status: 'held', released_amount: 20 });
    expect(await used()).toEqual([
      [0, 40, 60],
      [0, 1, 4],
    ]);
    await expect(spends.release(id, { amount: '40.01' })).rejects.toMatchObject({ code: 'conflict' });
    expect(await spends.release(id)).toMatchObject({ status: 'released', released_amount: 60 });
    expect(await used()).toEqual([
      [0, 0, 100],
      [0, 0, 5],
    ]);
    await expect(spends.release(id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(spends.commit(id)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('lapses at its end, exactly once, and is settled no more', async () => {
    const { hold, pay, used, spends, clock } = await open(openStore);
    const id = await hold(100);
    expect(await pay(1)).toMatchObject({ reasons: [{ code: 'budget_exceeded', spent: '0', held: '100' }] });
    clock.advance(59_999);
    expect(await pay(1)).toMatchObject({ verdict: 'DENY' });
    clock.advance(1);
    expect(await pay(100)).toMatchObject({
      verdict: 'ALLOW',
      budgets: [{ spent: 100, held: 0 }, { spent: 1 }],
    });
    expect(await spends.get(id)).toMatchObject({ status: 'lapsed', released_amount: 100 });
    await expect(spends.commit(id)).rejects.toMatchObject({ code: 'spend_lapsed' });
    await expect(spends.release(id)).rejects.toMatchObject({ code: 'spend_lapsed' });
    expect(await used()).toEqual([
      [100, 0, 0],
      [1, 0, 4],
    ]);
  });

  test('that is over is found by a look at it, and by a sweep each minute', async () => {
    const { hold, spends, clock, timers, storage, agent_id } = await open(openStore);
    const first = await hold(10, 1);
    clock.advance(1_000);
    await expect(spends.commit(first)).rejects.toMatchObject({ code: 'spend_lapsed' });
    const second = await hold(10, 1);
    await timers.pass(61_000);
    // The sweep may still wait for the disk.
    await expect.poll(() => storage.get('spends', second)).toMatchObject({ status: 'lapsed' });
    expect(await storage.count(`holds:live:${agent_id}`, clock.instant())).toBe(0);
  });

  test('goes back into the window that it was taken from', async () => {
    const { hold, used, spends, clock } = await open(openStore);
    const id = await hold(60, 604_800);
    clock.advance(86_400_000);
    const today = await hold(5, 604_800);
    await spends.release(id);
    await spends.commit(today);
    expect(await used()).toEqual([
      [5, 0, 95],
      [1, 0, 4],
    ]);
  });

  test('of no budget, and without an amount, is a hold all the same', async () => {
    const { hold, spends } = await open(openStore, []);
    const plain = await hold(undefined);
    expect(await spends.get(plain)).toMatchObject({ status: 'held', amount: null, released_amount: null });
    await expect(spends.commit(plain, { amount: 1 })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await spends.commit(plain)).toMatchObject({ status: 'committed' });
    expect(await spends.release(plain)).toMatchObject({ status: 'released', released_amount: null });
    const nothing = await hold(0);
    await expect(spends.release(nothing)).rejects.toMatchObject({ code: 'conflict' });
    expect(await spends.commit(nothing)).toMatchObject({ status: 'committed', amount: 0 });
  });

  test('that an agent could keep open is one of at most 1,000', async () => {
    const { pay, hold, spends, clock } = await open(openStore, []);
    const ids: string[] = [];
    for (let n = 0; n < 1_000; n += 1) ids.push(await hold(1, 3_600));
    const refused = { verdict: 'DENY', reasons: [{ code: 'too_many_holds' }] };
    expect(await pay(1, { hold_seconds: 1 })).toMatchObject(refused);
    expect(await pay(1, { hold_seconds: 1, dry_run: true })).toMatchObject(refused);
    expect(await pay(1)).toMatchObject({ verdict: 'ALLOW' });
    await spends.release(ids[0] ?? '');
    await hold(1, 1);
    expect(await pay(1, { hold_seconds: 1 })).toMatchObject(refused);
    clock.advance(1_000);
    await hold(1, 1);
  });
});

describe.each(stores)('what was spent in %s', (_, openStore) => {
  test('is refunded in parts, never more than it was, and the intent counts no more at the end', async () => {
    const { pay, used, spends } = await open(openStore);
    const { decision_id: id } = await pay('50.25');
    expect(await spends.commit(id)).toMatchObject({ status: 'committed' });
    expect(await spends.release(id, { amount: '0.25' })).toMatchObject({
      ...{ status: 'committed', released_amount: 0.25 },
    });
    expect(await used()).toEqual([
      [50, 0, 50],
      [1, 0, 4],
    ]);
    await expect(spends.release(id, { amount: '50.01' })).rejects.toMatchObject({ code: 'conflict' });
    expect(await spends.release(id)).toMatchObject({ status: 'released', released_amount: 50.25 });
    expect(await used()).toEqual([
      [0, 0, 100],
      [0, 0, 5],
    ]);
    await expect(spends.release(id)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('is refunded by many at once exactly as often as it lasts', async () => {
    const { pay, used, spends } = await open(openStore);
    const { decision_id: id } = await pay(10);
    const refunds = Array.from({ length: 16 }, () => spends.release(id, { amount: 1 }));
    const done = (await Promise.allSettled(refunds)).filter(({ status }) => status === 'fulfilled');
    expect(done).toHaveLength(10);
    expect(await used()).toEqual([
      [0, 0, 100],
      [0, 0, 5],
    ]);
  });

  test('is refunded after a lowered limit, and while the agent is revoked', async () => {
    const { pay, used, spends, service, agent_id, hold } = await open(openStore);
    const { decision_id: id } = await pay(50);
    const held = await hold(20);
    await service.passports.update(agent_id, { budgets: [{ window: 'day', limit: 1 }] });
    await service.revoke({ agent_id });
    await spends.release(id, { amount: 20 });
    await spends.commit(held);
    expect(await used()).toEqual([[50, 0, 0]]);
  });

  test('and wrong amounts are refused', async () => {
    const { pay, spends } = await open(openStore);
    const { decision_id: id } = await pay(50);
    for (const amount of [0, '0.00', -1, '1.001', 'x', null, true] as never[]) {
      await expect(spends.release(id, { amount })).rejects.toMatchObject({ code: 'invalid_request' });
    }
    await expect(spends.release('dec_unknown')).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('a spend is removed when it was settled for as long as verdicts are kept', async () => {
  const { hold, spends, storage, clock } = await open();
  const id = await hold(1, 604_800);
  clock.advance(604_000_000);
  const { updated_at } = await spends.commit(id);
  await storage.time('2027-12-31T00:00:00.000Z', true);
  const end = new Date(Date.parse(updated_at) + 90 * 86_400_000).toISOString();
  expect(await storage.purge('spends', end)).toBe(0);
  expect(await storage.purge('spends', new Date(Date.parse(end) + 1).toISOString())).toBe(1);
  await expect(spends.get(id)).rejects.toMatchObject({ code: 'not_found' });
});

test('what was spent at once is removed when it was made for as long as verdicts are kept, or refunded', async () => {
  const { pay, spends, storage, clock } = await open();
  const [{ decision_id: paid }, { decision_id: refunded }] = [await pay(1), await pay(2)];
  const daysAfter = (instant: string, days: number) =>
    new Date(Date.parse(instant) + days * 86_400_000 + 1).toISOString();
  const made = clock.instant();
  clock.advance(86_400_000);
  await spends.release(refunded, { amount: 1 });
  await storage.time('2027-12-31T00:00:00.000Z', true);
  expect(await storage.purge('spends', daysAfter(made, 89))).toBe(0);
  expect(await storage.purge('spends', daysAfter(made, 90))).toBe(1);
  await expect(spends.get(paid)).rejects.toMatchObject({ code: 'not_found' });
  expect(await spends.get(refunded)).toMatchObject({ released_amount: 1 });
  expect(await storage.purge('spends', daysAfter(made, 91))).toBe(1);
});
