/** Holds that are extended, on each storage: how long, and when not. */
import { describe, expect, test } from 'vitest';
import { namedStores } from '../../support/stores.ts';
import { meteredStage, openNodes, TOKENS } from './metered-stage.ts';

const STORES = await namedStores();
const START = Date.parse('2026-11-20T12:00:00.000Z');
const WEEK = 604_800;
const CONFLICT = { code: 'conflict' };
const endOf = (seconds: number) => new Date(START + seconds * 1_000).toISOString();

async function stage(store: (typeof STORES)[number][1]) {
  const clock = { at: START };
  return { ...(await meteredStage(await openNodes(store, clock), [TOKENS])), clock };
}

describe.each(STORES)('on %s', (_, store) => {
  test('a hold ends later, never earlier, and lapses at its new end', async () => {
    const { one, other, hold, left, clock } = await stage(store);
    const id = await hold({ tokens: 5 });
    const extended = await other.spends.extend(id, { hold_seconds: 900 });
    expect(extended).toMatchObject({ status: 'held', held_until: endOf(900) });
    expect(await one.spends.extend(id, { hold_seconds: 60 })).toEqual(extended);
    const both = await Promise.all([
      one.spends.extend(id, { hold_seconds: 1_000 }),
      other.spends.extend(id, { hold_seconds: 2_000 }),
    ]);
    expect(both[1]).toMatchObject({ held_until: endOf(2_000) });
    clock.at += 1_999_999;
    expect(await left()).toEqual([[0, 5, 995]]);
    clock.at += 1;
    expect(await left()).toEqual([[0, 0, 1_000]]);
    await expect(one.spends.extend(id, { hold_seconds: 60 })).rejects.toMatchObject({ code: 'spend_lapsed' });
  });

  test('a hold ends at most a week after it was made', async () => {
    const { one, hold, clock } = await stage(store);
    const id = await hold({ tokens: 5 });
    clock.at += 1_000;
    await expect(one.spends.extend(id, { hold_seconds: WEEK })).rejects.toMatchObject(CONFLICT);
    expect(await one.spends.extend(id, { hold_seconds: WEEK - 1 })).toMatchObject({
      held_until: endOf(WEEK),
    });
  });

  test('only a hold of an active agent is extended', async () => {
    const { one, other, hold, agent_id } = await stage(store);
    const extend = (id: string) => other.spends.extend(id, { hold_seconds: 1_200 });
    const [committed, released, held] = [
      await hold({ tokens: 5 }),
      await hold({ tokens: 5 }),
      await hold({ tokens: 5 }),
    ];
    await one.spends.commit(committed);
    await one.spends.release(released);
    for (const id of [committed, released]) await expect(extend(id)).rejects.toMatchObject(CONFLICT);
    await one.suspend({ agent_id });
    await expect(one.spends.extend(held, { hold_seconds: 1_200 })).rejects.toMatchObject(CONFLICT);
    expect(await one.spends.get(held)).toMatchObject({ status: 'held', held_until: endOf(600) });
    await one.reinstate({ agent_id });
    await expect.poll(() => extend(held).catch(() => ({}))).toMatchObject({ held_until: endOf(1_200) });
  });
});

const [memory] = STORES as [(typeof STORES)[0]];

test('a hold of a child of a suspended agent stays as it is', async () => {
  const { one, agent_id } = await stage(memory[1]);
  const fields = { allowed_actions: ['*'], monetary_limit_per_txn: 0, parent_agent_id: agent_id };
  const child = await one.passports.create({ domain: 'ops.example', agent_name: 'child', ...fields });
  const usage = { tokens: 5 };
  const intent = { agent_id: child.agent_id, action: 'model.call', usage, hold_seconds: 60 };
  const { decision_id } = await one.verify(intent);
  await one.suspend({ agent_id });
  await expect(one.spends.extend(decision_id, { hold_seconds: 90 })).rejects.toMatchObject(CONFLICT);
});

test.each<[string, unknown, string]>([
  ['no seconds', {}, '/hold_seconds'],
  ['0 seconds', { hold_seconds: 0 }, '/hold_seconds'],
  ['more than a week', { hold_seconds: WEEK + 1 }, '/hold_seconds'],
  ['a text', { hold_seconds: '60' }, '/hold_seconds'],
  ['an amount', { hold_seconds: 60, amount: 5 }, '/amount'],
])('%s is refused', async (_, input, path) => {
  const { one, hold } = await stage(memory[1]);
  const refused = { code: 'invalid_request', details: { errors: [{ path }] } };
  await expect(one.spends.extend(await hold({ tokens: 5 }), input as never)).rejects.toMatchObject(refused);
});

test('a key of the other environment does not find the hold', async () => {
  const { one, hold } = await stage(memory[1]);
  const extended = one.spends.extend(
    await hold({ tokens: 5 }),
    { hold_seconds: 60 },
    { environment: 'test' },
  );
  await expect(extended).rejects.toMatchObject({ code: 'not_found' });
});
