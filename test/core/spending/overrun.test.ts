/** Commits above their hold, on each storage: what they charge, and where they are refused. */
import { describe, expect, test } from 'vitest';
import type { Budget } from '../../../src/records.ts';
import { namedStores } from '../../support/stores.ts';
import { ACTIONS, CREDITS, FREE, MONEY, meteredStage, openNodes, TOKENS } from './metered-stage.ts';

const STORES = await namedStores();
const CONFLICT = { code: 'conflict' };

describe.each(STORES)('on %s', (_, store) => {
  test('a commit above the hold charges all budgets once, and later intents are denied', async () => {
    const { one, other, hold, ask, left } = await meteredStage(await openNodes(store), [
      TOKENS,
      CREDITS,
      FREE,
    ]);
    const id = await hold({ tokens: 400, credits: '0.5' }, 10);
    const input = { amount: 60, usage: { tokens: 1_500, credits: 0.25 } };
    const twice = await Promise.all([one, other].map(({ spends }) => spends.commit(id, input)));
    for (const spend of twice) {
      expect(spend).toMatchObject({
        status: 'committed',
        amount: 10,
        released_amount: 0,
        overrun_amount: 50,
      });
      expect(spend).toMatchObject({ overrun_usage: { tokens: 1_100 }, released_usage: { credits: 0.25 } });
    }
    const after = [
      [1_500, 0, 0],
      [0.25, 0, 2.25],
      [60, 0, 0],
    ];
    expect(await left()).toEqual(after);
    expect((await ask({ tokens: 1, credits: 0 }, 1)).reasons).toMatchObject([
      { code: 'budget_exceeded', budget: 'tokens', spent: '1500', remaining: '0' },
      { code: 'budget_exceeded', budget: 'money', spent: '60', remaining: '0' },
    ]);
    expect(await one.spends.get(id)).toEqual(twice[0]);
    await expect(other.spends.commit(id)).rejects.toMatchObject(CONFLICT);
    const others = [
      { ...input, amount: 59 },
      { ...input, usage: { tokens: 1_500, credits: 0.5 } },
      { amount: 60, usage: { tokens: 1_500 } },
    ];
    for (const again of others) await expect(one.spends.commit(id, again)).rejects.toMatchObject(CONFLICT);
    await expect(one.spends.release(id, { amount: 60.01 })).rejects.toMatchObject(CONFLICT);
    await expect(one.spends.release(id, { amount: 10 })).rejects.toMatchObject(CONFLICT);
    expect(await left()).toEqual(after);
    expect(await one.spends.release(id)).toMatchObject({
      status: 'released',
      released_amount: 60,
      released_usage: { tokens: 1_500, credits: 0.5 },
    });
    expect(await left()).toEqual([
      [0, 0, 1_000],
      [0, 0, 2.5],
      [0, 0, 50],
    ]);
  });

  test('a commit above ten times the hold, or of a budget without overrun, leaves the hold', async () => {
    const nodes = await openNodes(store);
    const { one, other, hold, left } = await meteredStage(nodes, [TOKENS, FREE]);
    const id = await hold({ tokens: 7 }, 2);
    for (const input of [
      { usage: { tokens: 71 } },
      { amount: '20.01' },
      { amount: 3, usage: { tokens: 71 } },
    ]) {
      await expect(other.spends.commit(id, input)).rejects.toMatchObject(CONFLICT);
    }
    expect(await left()).toEqual([
      [0, 7, 993],
      [0, 2, 48],
    ]);
    await one.spends.commit(id, { amount: 20, usage: { tokens: 70 } });
    expect(await left()).toEqual([
      [70, 0, 930],
      [20, 0, 30],
    ]);

    const strict = await meteredStage(nodes, [TOKENS, MONEY]);
    const held = await strict.hold({ tokens: 7 }, 2);
    for (const input of [{ usage: { tokens: 8 } }, { amount: 3 }]) {
      await expect(other.spends.commit(held, input)).rejects.toMatchObject(CONFLICT);
    }
    expect(await strict.left()).toEqual([
      [0, 7, 993],
      [0, 2, 48],
    ]);
    expect(await one.spends.commit(held, { amount: 1, usage: { tokens: 0 } })).toMatchObject({
      ...{ status: 'committed', released_amount: 1, released_usage: { tokens: 7 } },
    });
    expect(await strict.left()).toEqual([
      [0, 0, 1_000],
      [1, 0, 49],
    ]);
  });

  test('a hold in a rolling window and a count of a parent take the overrun too', async () => {
    const nodes = await openNodes(store);
    const often: Budget = { name: 'often', window: 'hour', count: 5, actions: ACTIONS };
    const rolling: Budget = { ...TOKENS, window: 'rolling_hour' };
    const parent = await meteredStage(nodes, [rolling, often]);
    const { agent_id } = await parent.one.passports.create({
      domain: 'ops.example',
      agent_name: 'child',
      parent_agent_id: parent.agent_id,
      allowed_actions: ['*'],
      monetary_limit_per_txn: 0,
    });
    const usage = { tokens: 300 };
    const intent = { agent_id, action: 'model.call', usage, hold_seconds: 60 };
    const { decision_id } = await parent.one.verify(intent);
    await parent.other.spends.commit(decision_id, { usage: { tokens: 1_200 } });
    expect(await parent.left()).toEqual([
      [1_200, 0, 0],
      [1, 0, 4],
    ]);
    await parent.other.spends.release(decision_id);
    expect(await parent.left()).toEqual([
      [0, 0, 1_000],
      [0, 0, 5],
    ]);
  });
});

const [memory] = STORES as [(typeof STORES)[0]];

test.each<[string, object, string]>([
  ['a unit that the spend lacks', { usage: { credits: 1 } }, '/usage/credits'],
  ['half a token', { usage: { tokens: 1.5 } }, '/usage/tokens'],
  ['no unit', { usage: {} }, '/usage'],
  ['an unknown unit', { usage: { seconds: 1 } }, '/usage/seconds'],
  ['an amount of 0', { amount: 0 }, '/amount'],
  ['an unknown member', { tokens: 5 }, '/tokens'],
])('a commit with %s is refused', async (_, input, path) => {
  const { one, hold, left } = await meteredStage(await openNodes(memory[1]), [TOKENS]);
  const id = await hold({ tokens: 5 });
  await expect(one.spends.commit(id, input)).rejects.toMatchObject({
    ...{ code: 'invalid_request', details: { errors: [{ path }] } },
  });
  expect(await left()).toEqual([[0, 5, 995]]);
});

test('a release takes no usage', async () => {
  const { one, hold } = await meteredStage(await openNodes(memory[1]), [TOKENS]);
  const released = one.spends.release(await hold({ tokens: 5 }), { usage: { tokens: 5 } } as object);
  await expect(released).rejects.toMatchObject({ details: { errors: [{ path: '/usage' }] } });
});

test('without a budget that limits it, no commit is above its hold', async () => {
  const often: Budget = { name: 'often', window: 'hour', count: 5 };
  const { one, hold } = await meteredStage(await openNodes(memory[1]), [often]);
  const id = await hold({ tokens: 5 });
  await expect(one.spends.commit(id, { usage: { tokens: 6 } })).rejects.toMatchObject(CONFLICT);
  await expect(one.spends.commit(id, { amount: 11 })).rejects.toMatchObject(CONFLICT);
});

test('a charge that no counter holds leaves the hold', async () => {
  const most = '9007199254.740991';
  const { one, hold, ask } = await meteredStage(await openNodes(memory[1]), [{ ...CREDITS, limit: most }]);
  const id = await hold({ credits: most });
  const above = one.spends.commit(id, { usage: { credits: '9007199254.740992' } });
  await expect(above).rejects.toMatchObject(CONFLICT);
  expect((await ask({ credits: 1 })).reasons).toMatchObject([{ spent: '0', held: most }]);
  await one.spends.commit(id, { usage: { credits: '9007199253' } });
  const rest = await hold({ credits: 1 });
  await expect(one.spends.commit(rest, { usage: { credits: 5 } })).rejects.toMatchObject(CONFLICT);
  expect((await ask({ credits: 1 })).reasons).toMatchObject([{ spent: '9007199253', held: '1' }]);
});

test.each<[string, object, string]>([
  ['a count', { limit: undefined, count: 5, unit: undefined, overrun: true }, '/budgets/0/overrun'],
  [
    'a count, and is false',
    { limit: undefined, count: 5, unit: undefined, overrun: false },
    '/budgets/0/overrun',
  ],
  ['a unit, and is false', { overrun: false }, '/budgets/0/overrun'],
  ['a text', { overrun: 'yes' }, '/budgets/0/overrun'],
])('overrun of a budget with %s is refused', async (_, more, path) => {
  const { one } = await meteredStage(await openNodes(memory[1]), [TOKENS]);
  const budget = JSON.parse(JSON.stringify({ ...TOKENS, ...more }));
  const fields = {
    domain: 'ops.example',
    agent_name: 'wrong',
    allowed_actions: ['*'],
    monetary_limit_per_txn: 0,
  };
  const created = one.passports.create({ ...fields, budgets: [budget] });
  await expect(created).rejects.toMatchObject({ details: { errors: [{ path }] } });
});
