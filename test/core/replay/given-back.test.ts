import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { packRecords } from '../../../src/journal-format/index.ts';
import type { PassportPatch } from '../../../src/records.ts';
import { fileBlocks } from '../../support/journal.ts';
import { openLocalService } from '../../support/service.ts';
import { replayed } from './replayed.ts';

const AGENT = 'did:web:shop.example:agents:shopper';
const MINE = ['orders.put'];
/** Allows what was denied, and so asks the budget for it. */
const WIDER: PassportPatch = { allowed_actions: ['orders.put', 'orders.get'] };

/** An agent that may do two of `orders.put` a day. */
async function stage() {
  const storage = memoryStorage();
  const { service, clock } = openLocalService({ storage: { ...storage, close: async () => {} } });
  const budgets = [{ name: 'count', window: 'day' as const, count: 2 }];
  const may = { allowed_actions: MINE, monetary_limit_per_txn: 0, budgets };
  await service.passports.create({ domain: 'shop.example', agent_name: 'shopper', ...may });
  const ask = (action: string) => {
    clock.advance(10_000);
    return service.verify({ agent_id: AGENT, action });
  };
  const replay = async (patch = WIDER, parts: Parameters<typeof replayed>[3] = {}) => {
    clock.advance(10_000);
    await service.verifications.list({ limit: 1 });
    return replayed({ storage, clock: { now: () => clock.now() } }, AGENT, { patch }, parts);
  };
  const lose = () => {
    const drop = { at_ms: clock.now(), environment: 'live' as const, count: 3 };
    return fileBlocks(storage, 'acc_local', packRecords([], [drop]));
  };
  return { service, clock, ask, replay, lose };
}

test('a budget that looks full does not deny for certain when a later record shows that something went back', async () => {
  const { service, ask, replay } = await stage();
  const { decision_id } = await ask('orders.put');
  await ask('orders.put');
  await service.spends.release(decision_id);
  await ask('orders.get');
  await ask('orders.put');
  const { seen, answer } = await replay();
  expect(seen.find(({ isAllow }) => !isAllow)).toMatchObject({ verdict: null, unknown: 'given_back' });
  expect(answer.unknown['given_back']).toBeGreaterThanOrEqual(1);
});

test('a full budget denies for certain when a later record shows it full', async () => {
  const { ask, replay } = await stage();
  for (const action of ['orders.put', 'orders.put', 'orders.get', 'orders.put']) await ask(action);
  const { answer, seen } = await replay();
  expect(answer).toMatchObject({ unchanged: 4, unknown: {} });
  expect(seen.map(({ codes }) => codes)).toEqual([[], [], ['budget_exceeded'], ['budget_exceeded']]);
});

test('a full budget that no later record shows cannot be told', async () => {
  const { ask, replay } = await stage();
  for (const action of ['orders.put', 'orders.put', 'orders.get']) await ask(action);
  const { answer } = await replay();
  expect(answer).toMatchObject({ judged: 3, unchanged: 2, unknown: { given_back: 1 } });
});

test('a budget that no record shows is full for certain where nothing of another went back', async () => {
  const { ask, replay } = await stage();
  for (const action of ['orders.put', 'orders.get', 'orders.put', 'orders.get', 'orders.put'])
    await ask(action);
  const budgets = [{ name: 'once', window: 'day' as const, count: 1 }];
  const { answer } = await replay({ budgets });
  expect(answer).toMatchObject({ now_denied: 1, unchanged: 4, unknown: {} });
});

test('a budget that no record shows is not full for certain where something of another went back', async () => {
  const { service, ask, replay } = await stage();
  const { decision_id } = await ask('orders.put');
  await service.spends.release(decision_id);
  await ask('orders.put');
  const budgets = [{ name: 'once', window: 'day' as const, count: 1 }];
  const { answer } = await replay({ budgets });
  expect(answer).toMatchObject({ now_denied: 0, unchanged: 1, unknown: { given_back: 1 } });
});

test('at most 1,024 records wait for a later one, and those before them cannot be told', async () => {
  const { clock, service, ask, replay } = await stage();
  await ask('orders.put');
  await ask('orders.put');
  clock.advance(10_000);
  for (let count = 0; count < 1_100; count += 1) {
    clock.advance(1);
    await service.verify({ agent_id: AGENT, action: 'orders.get' });
  }
  await ask('orders.put');
  const { answer } = await replay();
  expect(answer).toMatchObject({ judged: 1_103, unknown: { given_back: 76 }, unchanged: 1_027 });
  expect(answer.examples.every(({ record }) => record.action === 'orders.get')).toBe(true);
});

test('a window that began before the first record that is read gives a DENY by what is known, and no ALLOW', async () => {
  const { service, clock, ask, replay } = await stage();
  await ask('orders.put');
  await service.verifications.list({ limit: 1 });
  await ask('orders.get');
  await service.verifications.list({ limit: 1 });
  await ask('orders.put');
  await service.verifications.list({ limit: 1 });
  await ask('orders.put');
  clock.advance(1_000);
  const bounds = { records: 3, blocks: 10 };
  const { answer, seen } = await replay(
    { ...WIDER, budgets: [{ name: 'count', window: 'day', count: 2 }] },
    { bounds },
  );
  expect(answer.covered).toMatchObject({ complete: false, records: 3 });
  // Either both of the first two were allowed, or the budget was full before.
  expect(seen.map(({ verdict, unknown }) => verdict ?? unknown)).toEqual(['budget', 'budget', 'DENY']);
  const one = await replay({ budgets: [{ name: 'count', window: 'day', count: 1 }] }, { bounds });
  expect(one.seen.map(({ verdict, unknown }) => verdict ?? unknown)).toEqual(['DENY', 'budget', 'DENY']);
});

test('a window with lost records gives a DENY by what is known, and no ALLOW', async () => {
  const { ask, lose, replay } = await stage();
  await ask('orders.put');
  await lose();
  await ask('orders.put');
  await ask('orders.put');
  const { answer, seen } = await replay();
  expect(answer.dropped).toBe(3);
  expect(seen.map(({ verdict, unknown }) => verdict ?? unknown)).toEqual(['budget', 'budget', 'DENY']);
});

test('a hold that is over counts only until something does not fit, so what is held may be back', async () => {
  const { service, clock, ask, replay } = await stage();
  await service.passports.update(AGENT, { budgets: [{ name: 'count', window: 'day', count: 9 }] });
  await ask('orders.put');
  await service.verify({ agent_id: AGENT, action: 'orders.put', hold_seconds: 1 });
  for (let count = 0; count < 2; count += 1) {
    await ask('orders.put');
    clock.advance(60_000);
  }
  // By the third of them the hold is found over, and gives back what it held.
  const { seen } = await replay({ budgets: [{ name: 'count', window: 'day', count: 2 }] });
  expect(seen.map(({ verdict, unknown }) => verdict ?? unknown).slice(2)).not.toContain('DENY');
});
