/** Budgets of tokens and credits, on each storage: what an intent, a commit and a release take and return. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createIdentityService } from '../../../src/core.ts';
import type { Intent } from '../../../src/records.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { namedStores, openShared } from '../../support/stores.ts';

const STORES = await namedStores();
const FIELDS = { domain: 'ops.example', allowed_actions: ['*'], monetary_limit_per_txn: 100 };
const ACTIONS = ['model.*'];
const TOKENS = {
  name: 'tokens',
  window: 'lifetime',
  limit: 1_000,
  unit: 'tokens',
  actions: ACTIONS,
} as const;
const CREDITS = { ...TOKENS, name: 'credits', limit: '2.5', unit: 'credits' } as const;
const MONEY = { name: 'money', window: 'lifetime', limit: 50, actions: ACTIONS } as const;

async function stage(store: (typeof STORES)[number][1]) {
  const services = (await openShared(store, 2)).map((storage) =>
    createIdentityService({ storage, storageDeadlineMs: PATIENT_MS, log: () => {} }),
  );
  onTestFinished(async () => {
    for (const service of services) await service.close();
  });
  const [one, other] = services as [(typeof services)[0], (typeof services)[0]];
  const budgets = [TOKENS, CREDITS, MONEY];
  const { agent_id } = await one.passports.create({
    ...FIELDS,
    agent_name: 'writer',
    currency: 'EUR',
    budgets,
  });
  const intent = { agent_id, action: 'model.call', parameters: { amount: 10, currency: 'EUR' } };
  const ask = (usage: unknown, more: object = {}) => other.verify({ ...intent, usage, ...more } as Intent);
  const left = async () => {
    const { data } = await one.passports.budgets(agent_id);
    return data.map(({ spent, held, remaining }) => [spent, held, remaining]);
  };
  const spent = async () => (await left()).map(([first]) => first);
  return { one, other, agent_id, ask, left, spent };
}

describe.each(STORES)('on %s', (_, store) => {
  test('an ALLOW takes each unit from its budget, on both nodes', async () => {
    const { ask, other, left, spent } = await stage(store);
    const record = await ask({ tokens: '600', credits: 0.5 });
    expect(record).toMatchObject({ verdict: 'ALLOW', usage: { tokens: 600, credits: 0.5 } });
    expect(record.budgets.map(({ name, unit, spent }) => [name, unit, spent])).toEqual([
      ['tokens', 'tokens', 600],
      ['credits', 'credits', 0.5],
      ['money', undefined, 10],
    ]);
    expect(await left()).toEqual([
      [600, 0, 400],
      [0.5, 0, 2],
      [10, 0, 40],
    ]);
    const denied = await ask({ tokens: 401, credits: 0 });
    expect(denied.reasons).toMatchObject([{ code: 'budget_exceeded', budget: 'tokens', unit: 'tokens' }]);
    expect(denied.usage).toEqual({ tokens: 401, credits: 0 });
    expect(await spent()).toEqual([600, 0.5, 10]);
    const { data } = await other.verifications.list();
    expect(data.map(({ usage }) => usage)).toEqual([
      { tokens: 401, credits: 0 },
      { tokens: 600, credits: 0.5 },
    ]);
  });

  test('a hold is committed and released as a whole, once', async () => {
    const { ask, one, other, left } = await stage(store);
    const usage = { tokens: 300, credits: '1.25' };
    const { decision_id } = await ask(usage, { hold_seconds: 600 });
    expect(await left()).toEqual([
      [0, 300, 700],
      [0, 1.25, 1.25],
      [0, 10, 40],
    ]);
    await expect(other.spends.release(decision_id, { amount: 5 })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await one.spends.get(decision_id)).toMatchObject({ usage: { tokens: 300, credits: 1.25 } });
    await Promise.all([one, other].map((service) => service.spends.commit(decision_id, { amount: 4 })));
    expect(await left()).toEqual([
      [300, 0, 700],
      [1.25, 0, 1.25],
      [4, 0, 46],
    ]);
    const twice = await Promise.allSettled([one, other].map(({ spends }) => spends.release(decision_id)));
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await left()).toEqual([
      [0, 0, 1_000],
      [0, 0, 2.5],
      [0, 0, 50],
    ]);
  });

  test('a dry run takes nothing, and an amount of 0 is returned with its usage', async () => {
    const { ask, one, spent } = await stage(store);
    expect(await ask({ tokens: 9, credits: 0 }, { dry_run: true })).toMatchObject({ verdict: 'ALLOW' });
    const parameters = { amount: 0, currency: 'EUR' };
    const { decision_id } = await ask({ tokens: 9, credits: 0 }, { parameters });
    expect(await spent()).toEqual([9, 0, 0]);
    await one.spends.release(decision_id);
    expect(await spent()).toEqual([0, 0, 0]);
  });

  test('crowds on two nodes never pass the limit', async () => {
    const { ask, spent } = await stage(store);
    const parameters = { amount: 0, currency: 'EUR' };
    const all = await Promise.all(
      Array.from({ length: 30 }, () => ask({ tokens: 70, credits: 0 }, { parameters })),
    );
    expect(all.filter(({ verdict }) => verdict === 'ALLOW')).toHaveLength(14);
    expect(await spent()).toEqual([980, 0, 0]);
  });
});

const [memory] = STORES as [(typeof STORES)[0]];

test.each<[unknown, string]>([
  [{}, '/usage'],
  [{ tokens: 1.5 }, '/usage/tokens'],
  [{ tokens: -1 }, '/usage/tokens'],
  [{ tokens: 1e12 + 1 }, '/usage/tokens'],
  [{ tokens: '1e3' }, '/usage/tokens'],
  [{ tokens: null }, '/usage/tokens'],
  [{ credits: '0.0000001' }, '/usage/credits'],
  [{ seconds: 1 }, '/usage/seconds'],
  [{ tokens: 1, seconds: 1 }, '/usage/seconds'],
  [5, '/usage'],
  [[1], '/usage'],
  [null, '/usage'],
])('the usage %j is refused', async (usage, path) => {
  const { one, agent_id, ask } = await stage(memory[1]);
  const refused = { code: 'invalid_request', details: { errors: [{ path }] } };
  await expect(ask(usage)).rejects.toMatchObject(refused);
  await expect(ask(usage, { dry_run: true, proof: 'x' })).rejects.toMatchObject(refused);
  const intent = { agent_id, action: 'model.call', usage } as Intent;
  const batch = { code: 'invalid_request', details: { errors: [{ path: `/intents/0${path}` }] } };
  await expect(one.verifyBatch({ intents: [intent] })).rejects.toMatchObject(batch);
  const tried = { code: 'invalid_request', details: { errors: [{ path: `/intent${path}` }] } };
  await expect(one.passports.try(agent_id, { intent })).rejects.toMatchObject(tried);
});

test('a usage that changes after the call has no effect', async () => {
  const { ask, spent } = await stage(memory[1]);
  const usage = { tokens: 5, credits: 0 };
  const asked = ask(usage);
  usage.tokens = 0;
  await asked;
  expect(await spent()).toEqual([5, 0, 10]);
});

test.each<[string, object, string]>([
  ['no actions', { actions: undefined }, '/budgets/0/actions'],
  ['an unknown unit', { unit: 'seconds' }, '/budgets/0/unit'],
  ['half a token', { limit: 0.5 }, '/budgets/0/limit'],
  ['more than 2^53 - 1 tokens', { limit: '9007199254740992' }, '/budgets/0/limit'],
  ['a count', { limit: undefined, count: 5 }, '/budgets/0/unit'],
])('a budget with %s is refused', async (_, more, path) => {
  const { one } = await stage(memory[1]);
  const budget = JSON.parse(JSON.stringify({ ...TOKENS, ...more }));
  const created = one.passports.create({ ...FIELDS, agent_name: 'other', budgets: [budget] });
  await expect(created).rejects.toMatchObject({ details: { errors: [{ path }] } });
});

test('a budget with a unit needs no currency and no monetary_actions', async () => {
  const { one } = await stage(memory[1]);
  const made = await one.passports.create({ ...FIELDS, agent_name: 'other', budgets: [TOKENS] });
  expect(made.budgets).toEqual([TOKENS]);
});

test('another usage is another intent under an idempotency key', async () => {
  const { other, agent_id, spent } = await stage(memory[1]);
  const intent = { agent_id, action: 'model.call', parameters: { amount: 1, currency: 'EUR' } };
  const ask = (tokens: number) =>
    other.verify({ ...intent, usage: { tokens, credits: 0 } }, { idempotencyKey: 'k' });
  expect((await ask(5)).usage).toEqual({ tokens: 5, credits: 0 });
  expect((await ask(5)).usage).toEqual({ tokens: 5, credits: 0 });
  await expect(ask(6)).rejects.toMatchObject({ code: 'idempotency_mismatch' });
  expect(await spent()).toEqual([5, 0, 1]);
});
