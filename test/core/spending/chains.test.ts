import { describe, expect, test } from 'vitest';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { Budget, Intent } from '../../../src/records.ts';
import { openLocalService } from '../../support/service.ts';
import { stores } from '../../support/stores.ts';

const ID = (name: string) => `did:web:shop.example:agents:${name}`;
const DAY = (limit: number): Budget => ({ window: 'day', limit });

/** An agent, its child, and the child of that, each with these budgets. */
async function open(storage: StorageAdapter, budgets: readonly (readonly Budget[])[]) {
  const writes: number[] = [];
  const counted: StorageAdapter = {
    ...storage,
    write(changes) {
      writes.push(changes.length);
      return storage.write(changes);
    },
  };
  const opened = openLocalService({ storage: counted });
  const { service } = opened;
  for (const [at, name] of ['root', 'middle', 'leaf'].entries()) {
    await service.passports.create({
      domain: 'shop.example',
      agent_name: name,
      allowed_actions: ['*'],
      monetary_actions: ['pay'],
      monetary_limit_per_txn: 1_000,
      currency: 'EUR',
      budgets: budgets[at] ?? [],
      ...(at > 0 && { parent_agent_id: ID(['root', 'middle'][at - 1] ?? '') }),
    });
  }
  const pay = (name: string, amount: number, more: Partial<Intent> = {}, options = {}) =>
    service.verify(
      { agent_id: ID(name), action: 'pay', parameters: { amount, currency: 'EUR' }, ...more },
      options,
    );
  const used = async () => {
    const all = ['root', 'middle', 'leaf'].map(async (name) => {
      const { data } = await service.passports.budgets(ID(name));
      return data.map(({ spent, held }) => [spent, held]);
    });
    return Promise.all(all);
  };
  return { ...opened, writes, pay, used };
}

describe.each(stores)('a spend of a chain in %s', (_, openStore) => {
  test('takes from its own budgets and those above in one write, and its record shows them', async () => {
    const { pay, used, writes } = await open(await openStore(), [[DAY(100)], [DAY(50)], [DAY(20)]]);
    writes.length = 0;
    const { budgets } = await pay('leaf', 15);
    expect(writes).toHaveLength(1);
    expect(budgets.map(({ agent_id, remaining }) => [agent_id, remaining])).toEqual([
      [ID('leaf'), 5],
      [ID('middle'), 35],
      [ID('root'), 85],
    ]);
    expect(await used()).toEqual([[[15, 0]], [[15, 0]], [[15, 0]]]);
    await pay('middle', 30);
    expect(await used()).toEqual([[[45, 0]], [[45, 0]], [[15, 0]]]);
  });

  test('is denied by a full budget above it, and takes nothing then', async () => {
    const { pay, used } = await open(await openStore(), [[DAY(30)], [], [DAY(100)]]);
    expect((await pay('root', 20)).verdict).toBe('ALLOW');
    const { verdict, reasons } = await pay('leaf', 11);
    expect(verdict).toBe('DENY');
    expect(reasons).toMatchObject([
      { code: 'budget_exceeded', agent_id: ID('root'), budget: 'day', spent: '20', remaining: '10' },
    ]);
    expect(await used()).toEqual([[[20, 0]], [], [[0, 0]]]);
    expect((await pay('leaf', 10)).verdict).toBe('ALLOW');
  });

  test('names every budget that does not hold, nearest first', async () => {
    const { pay } = await open(await openStore(), [[DAY(1)], [DAY(1)], [DAY(1)]]);
    const { reasons } = await pay('leaf', 2);
    expect(reasons.map(({ agent_id }) => agent_id)).toEqual([ID('leaf'), ID('middle'), ID('root')]);
    expect((await pay('leaf', 2, { dry_run: true })).reasons).toEqual(reasons);
  });

  test('that is only tried takes nothing', async () => {
    const { service, pay, used } = await open(await openStore(), [[DAY(10)], [], []]);
    expect((await pay('leaf', 10, { dry_run: true })).verdict).toBe('ALLOW');
    const intent = { agent_id: ID('leaf'), action: 'pay', parameters: { amount: 11, currency: 'EUR' } };
    expect(await service.passports.try(ID('leaf'), { intent })).toMatchObject({
      verdict: 'DENY',
      reasons: [{ code: 'budget_exceeded', agent_id: ID('root') }],
    });
    expect(await used()).toEqual([[[0, 0]], [], []]);
  });

  test('is held, committed and released in all of them', async () => {
    const { service, pay, used } = await open(await openStore(), [[DAY(100)], [DAY(50)], [DAY(20)]]);
    const { decision_id } = await pay('leaf', 20, { hold_seconds: 60 });
    expect(await used()).toEqual([[[0, 20]], [[0, 20]], [[0, 20]]]);
    await service.spends.commit(decision_id, { amount: 5 });
    expect(await used()).toEqual([[[5, 0]], [[5, 0]], [[5, 0]]]);
    await service.spends.release(decision_id);
    expect(await used()).toEqual([[[0, 0]], [[0, 0]], [[0, 0]]]);
  });

  test('expires due holds of another child agent, and spends the refund', async () => {
    const { service, pay, clock } = await open(await openStore(), [[DAY(20)], [], []]);
    await service.passports.create({
      domain: 'shop.example',
      agent_name: 'other',
      parent_agent_id: ID('root'),
      allowed_actions: ['pay'],
      monetary_limit_per_txn: 1_000,
      currency: 'EUR',
    });
    await pay('other', 20, { hold_seconds: 60 });
    expect((await pay('leaf', 20)).reasons).toMatchObject([{ code: 'budget_exceeded', held: '20' }]);
    clock.advance(60_000);
    expect((await pay('leaf', 20)).reasons).toEqual([]);
  });

  test('evaluates the chain before it answers a repeated intent under a key', async () => {
    const { service, pay, used } = await open(await openStore(), [[DAY(100)], [], [DAY(100)]]);
    const key = { idempotencyKey: 'order-1' };
    const first = await pay('leaf', 10, {}, key);
    expect(await pay('leaf', 10, {}, key)).toEqual(first);
    expect(await used()).toEqual([[[10, 0]], [], [[10, 0]]]);
    await service.suspend({ agent_id: ID('root') });
    expect((await pay('leaf', 10, {}, key)).reasons).toMatchObject([
      { code: 'parent_denied', reason: 'agent_suspended' },
    ]);
  });
});
