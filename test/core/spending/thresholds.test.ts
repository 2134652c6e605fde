/** The event of a budget that has reached its `warn_at`, on each storage: when it comes, and that it comes once. */
import { describe, expect, test } from 'vitest';
import type { IdentityService } from '../../../src/core.ts';
import type { AuditEntry } from '../../../src/records/audit.ts';
import type { Budget } from '../../../src/records.ts';
import { namedStores } from '../../support/stores.ts';
import { FREE, meteredStage, openNodes, TOKENS } from './metered-stage.ts';

const STORES = await namedStores();
const START = Date.parse('2026-11-20T12:30:00.000Z');
const HOUR = 3_600_000;

async function thresholdsOf({ audit }: IdentityService): Promise<readonly AuditEntry['data'][]> {
  const { data } = await audit.list({ type: 'budget.threshold' });
  return data.map((entry) => entry.data).reverse();
}

async function stage(store: (typeof STORES)[number][1], budgets: readonly Budget[]) {
  const clock = { at: START };
  const nodes = await openNodes(store, clock);
  const [first] = nodes as [IdentityService];
  const events = () => thresholdsOf(first);
  return { ...(await meteredStage(nodes, budgets)), clock, events };
}

describe.each(STORES)('on %s', (_, store) => {
  test('a crowd on two nodes sends one event, also after a refund and a change of the limit', async () => {
    const budget = { ...TOKENS, warn_at: 0.8 };
    const { one, other, agent_id, ask, events } = await stage(store, [budget]);
    const asked = await Promise.all(Array.from({ length: 7 }, () => ask({ tokens: 100 })));
    expect(await events()).toEqual([]);
    const intent = { agent_id, action: 'model.call', usage: { tokens: 50 } };
    const crowd = await Promise.all([one, other, one, other].map((node) => node.verify(intent)));
    expect(crowd.map(({ verdict }) => verdict)).toEqual(['ALLOW', 'ALLOW', 'ALLOW', 'ALLOW']);
    const [event, ...more] = await events();
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      agent_id,
      environment: 'live',
      name: 'tokens',
      window: 'lifetime',
      held: 0,
    });
    expect(event).toMatchObject({ warn_at: 0.8, limit: 1_000, unit: 'tokens' });
    expect([800, 850, 900]).toContain(event?.['spent']);
    expect(event).not.toHaveProperty('count');
    for (const { decision_id } of asked) await one.spends.release(decision_id);
    await one.passports.update(agent_id, { budgets: [{ ...budget, limit: 300, warn_at: 0.01 }] });
    await one.verify(intent);
    expect(await events()).toHaveLength(1);
  });

  test('a hold, a count and a commit above its hold send an event for each budget', async () => {
    const often: Budget = { name: 'often', window: 'day', count: 3, warn_at: 0.5 };
    const budgets = [{ ...TOKENS, warn_at: 0.5 }, { ...FREE, warn_at: 0.99 }, often];
    const { other, hold, ask, events } = await stage(store, budgets);
    await ask({ tokens: 500 }, 1, { dry_run: true });
    const id = await hold({ tokens: 499 }, 10);
    expect(await events()).toEqual([]);
    await other.spends.commit(id, { amount: 49.5, usage: { tokens: 500 } });
    expect((await events()).map(({ name, spent, held }) => [name, spent, held])).toEqual([
      ['tokens', 500, 0],
      ['money', 49.5, 0],
    ]);
    await hold({ tokens: 1 }, 0.5);
    const [, , third, ...more] = await events();
    expect([third, more]).toMatchObject([{ name: 'often', count: 3, spent: 1, held: 1 }, []]);
  });

  test('each window has its event, and a rolling one each of its length', async () => {
    const hourly: Budget = { name: 'hourly', window: 'hour', count: 9, warn_at: 0.1 };
    const rolling: Budget = { name: 'rolling', window: 'rolling_hour', count: 5, warn_at: 0.2 };
    const { ask, clock, events } = await stage(store, [hourly, rolling]);
    const at = async (ms: number): Promise<readonly unknown[]> => {
      clock.at = START + ms;
      await ask({ tokens: 1 });
      return (await events()).map(({ name }) => name);
    };
    const [one, two] = [
      ['hourly', 'rolling'],
      ['hourly', 'rolling', 'hourly'],
    ];
    expect(await at(0)).toEqual(one);
    expect(await at(HOUR / 4)).toEqual(one);
    expect(await at(HOUR / 2)).toEqual(two);
    expect(await at(HOUR - 1)).toEqual(two);
    expect(await at(HOUR + HOUR / 3)).toEqual([...two, 'rolling']);
  });
});

const [memory] = STORES as [(typeof STORES)[0]];

test('the environments and the budgets of parents have their own event', async () => {
  const { one, agent_id, events } = await stage(memory[1], [{ ...TOKENS, warn_at: 0.1 }]);
  const fields = { domain: 'ops.example', allowed_actions: ['*'], monetary_limit_per_txn: 0 };
  const child = await one.passports.create({ ...fields, agent_name: 'child', parent_agent_id: agent_id });
  await one.verify({ agent_id: child.agent_id, action: 'model.call', usage: { tokens: 100 } });
  expect(await events()).toMatchObject([{ agent_id, environment: 'live' }]);
  expect(await events()).toHaveLength(1);
});

test.each([0, 1, 0.001, 0.015, '0.5', 0.991, null])('warn_at of %j is refused', async (warn_at) => {
  const { one } = await stage(memory[1], [TOKENS]);
  const fields = {
    domain: 'ops.example',
    agent_name: 'wrong',
    allowed_actions: ['*'],
    monetary_limit_per_txn: 0,
  };
  const created = one.passports.create({ ...fields, budgets: [{ ...TOKENS, warn_at } as Budget] });
  await expect(created).rejects.toMatchObject({ details: { errors: [{ path: '/budgets/0/warn_at' }] } });
});

test.each([0.01, 0.07, 0.29, 0.57, 0.58, 0.99])('warn_at of %d is exact', async (warn_at) => {
  const { ask, events } = await stage(memory[1], [{ ...TOKENS, limit: 100, warn_at }]);
  const tokens = Math.round(warn_at * 100);
  if (tokens > 1) await ask({ tokens: tokens - 1 });
  expect(await events()).toEqual([]);
  await ask({ tokens: 1 });
  expect(await events()).toMatchObject([{ warn_at, spent: tokens }]);
});
