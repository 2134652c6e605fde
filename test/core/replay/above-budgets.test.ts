import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { Budget, PassportPatch } from '../../../src/records.ts';
import { openLocalService } from '../../support/service.ts';
import { replayed } from './replayed.ts';

const AGENT = 'did:web:shop.example:agents:shopper';
const WINDOW = 'day' as const;
/** Denies what takes nothing else, or allows what was denied. */
const WITHOUT_B: PassportPatch = { allowed_actions: ['pay.a', 'pay.c'] };
const WITH_D: PassportPatch = { allowed_actions: ['pay.a', 'pay.b', 'pay.c', 'pay.d'] };

/** An agent under one that has a budget, which others spend from too. */
async function stage(above: Budget, own: readonly Budget[] = []) {
  const storage = memoryStorage();
  const { service, clock } = openLocalService({ storage: { ...storage, close: async () => {} } });
  const may = { domain: 'shop.example', monetary_limit_per_txn: 100, currency: 'EUR' };
  const top = { ...may, agent_name: 'top', allowed_actions: ['*'], monetary_actions: ['pay.*'] };
  const { agent_id: parent_agent_id } = await service.passports.create({ ...top, budgets: [above] });
  const allowed_actions = ['pay.a', 'pay.b', 'pay.c'];
  const shopper = { ...may, agent_name: 'shopper', allowed_actions, monetary_actions: ['pay.*'] };
  await service.passports.create({ ...shopper, parent_agent_id, ...(own.length > 0 && { budgets: own }) });
  const ask = (action: string, hold_seconds?: number) => {
    clock.advance(10_000);
    const parameters = { amount: 10, currency: 'EUR' };
    return service.verify({ agent_id: AGENT, action, parameters, ...(hold_seconds && { hold_seconds }) });
  };
  const replay = async (patch: PassportPatch) => {
    clock.advance(10_000);
    await service.verifications.list({ limit: 1 });
    const { seen } = await replayed({ storage, clock: { now: () => clock.now() } }, AGENT, { patch });
    return seen.map(({ verdict, unknown }) => verdict ?? unknown);
  };
  return { service, ask, replay };
}

const COUNT: Budget = { name: 'above', window: WINDOW, count: 2 };
const MONEY: Budget = { name: 'above', window: WINDOW, limit: 20 };

test.each([COUNT, MONEY])(
  'a budget above that denied stays full while no verdict before changes (%o)',
  async (above) => {
    const { ask, replay } = await stage(above);
    for (const action of ['pay.a', 'pay.a', 'pay.b', 'pay.a']) await ask(action);
    expect(await replay({ monetary_limit_per_txn: 50 })).toEqual(['ALLOW', 'ALLOW', 'DENY', 'DENY']);
  },
);

test('a budget above that denied cannot be told once an ALLOW before is denied', async () => {
  const { ask, replay } = await stage(MONEY);
  for (const action of ['pay.b', 'pay.a', 'pay.a', 'pay.a']) await ask(action);
  expect(await replay(WITHOUT_B)).toEqual(['DENY', 'budget', 'budget', 'budget']);
});

test('a count above is full again after as many as may be denied took in their place, or found it full', async () => {
  const { ask, replay } = await stage(COUNT);
  for (const action of ['pay.b', 'pay.a', 'pay.a', 'pay.a', 'pay.c']) await ask(action);
  expect(await replay(WITHOUT_B)).toEqual(['DENY', 'budget', 'budget', 'budget', 'DENY']);
});

test('a count above with a hold cannot be told once an ALLOW before is denied', async () => {
  const { ask, replay } = await stage(COUNT);
  await ask('pay.b');
  await ask('pay.a', 3_600);
  for (const action of ['pay.a', 'pay.a', 'pay.c']) await ask(action);
  expect(await replay(WITHOUT_B)).toEqual(['DENY', 'budget', 'budget', 'budget', 'budget']);
});

test('an agent above may take what a denied ALLOW leaves, and fill a count from which that ALLOW went back', async () => {
  const { service, ask, replay } = await stage(COUNT);
  const { decision_id } = await ask('pay.b');
  await ask('pay.a');
  const parameters = { amount: 10, currency: 'EUR' };
  const top = { agent_id: 'did:web:shop.example:agents:top', action: 'pay.z', parameters };
  expect(await service.verify(top)).toMatchObject({ verdict: 'DENY' });
  await service.spends.release(decision_id);
  expect(await ask('pay.a')).toMatchObject({ verdict: 'ALLOW' });
  expect(await replay(WITHOUT_B)).toEqual(['DENY', 'budget', 'budget']);
});

test('what a budget below denied fits above, as it did then; what a rule denied cannot be told', async () => {
  const own: Budget = { name: 'own', window: WINDOW, count: 1 };
  const above: Budget = { ...COUNT, count: 9 };
  const { ask, replay } = await stage(above, [own]);
  for (const action of ['pay.a', 'pay.a', 'pay.d']) await ask(action);
  expect(await replay({ budgets: [{ ...own, count: 5 }] })).toEqual(['ALLOW', 'ALLOW', 'DENY']);
  expect(await replay({ ...WITH_D, budgets: [{ ...own, count: 5 }] })).toEqual(['ALLOW', 'ALLOW', 'budget']);
});

test('a count above that has room for all that changed is fitted', async () => {
  const { ask, replay } = await stage({ ...COUNT, count: 5 });
  for (const action of ['pay.a', 'pay.d', 'pay.a']) await ask(action);
  expect(await replay(WITH_D)).toEqual(['ALLOW', 'budget', 'ALLOW']);
  const { ask: askFew, replay: replayFew } = await stage({ ...COUNT, count: 2 });
  for (const action of ['pay.a', 'pay.d', 'pay.a']) await askFew(action);
  expect(await replayFew(WITH_D)).toEqual(['ALLOW', 'budget', 'budget']);
});

test('a budget above that was changed since says nothing of its window', async () => {
  const { service, ask, replay } = await stage(COUNT);
  for (const action of ['pay.a', 'pay.a', 'pay.a']) await ask(action);
  await service.passports.update('did:web:shop.example:agents:top', { budgets: [{ ...COUNT, count: 3 }] });
  expect(await replay({ monetary_limit_per_txn: 50 })).toEqual(['ALLOW', 'ALLOW', 'budget']);
});

test('a refund that agents hide whose records are not read does not make a new budget certain', async () => {
  const { service, ask, replay } = await stage({ ...MONEY, limit: 1_000 });
  const parameters = { amount: 10, currency: 'EUR' };
  const { decision_id } = await ask('pay.a');
  await service.spends.release(decision_id);
  await service.verify({ agent_id: 'did:web:shop.example:agents:top', action: 'pay.z', parameters });
  await ask('pay.a');
  await ask('pay.a');
  const budgets = [{ name: 'own', window: WINDOW, limit: 20 }];
  expect(await replay({ budgets })).toEqual(['ALLOW', 'ALLOW', 'order']);
});
