/** Owners and last uses of passports and keys, on each storage. */
import { describe, expect, test } from 'vitest';
import type { IdentityService } from '../../../src/core.ts';
import { namedStores } from '../../support/stores.ts';
import { openNodes } from '../spending/metered-stage.ts';

const STORES = await namedStores();
const START = Date.parse('2026-11-20T12:34:56.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FIELDS = { domain: 'ops.example', allowed_actions: ['a.b'], monetary_limit_per_txn: 0 };

async function stage(store: (typeof STORES)[number][1]) {
  const clock = { at: START };
  const [one, other] = (await openNodes(store, clock)) as [IdentityService, IdentityService];
  const create = (agent_name: string, more: object = {}) =>
    one.passports.create({ ...FIELDS, agent_name, ...more });
  const seen = async (id: string) => (await other.passports.get(id)).last_seen_at;
  const ask = async (agent_id: string, more: object = {}) => {
    await one.verify({ agent_id, action: 'a.b', ...more });
    await one.verifications.list({ limit: 1 });
  };
  return { one, other, clock, create, seen, ask };
}

function firstStore(): (typeof STORES)[number][1] {
  const [first] = STORES;
  if (first === undefined) throw new Error('There is no store.');
  return first[1];
}

describe.each(STORES)('on %s', (_, store) => {
  test('a verdict is seen to the hour, and changes no version', async () => {
    const { one, other, clock, create, seen, ask } = await stage(store);
    const made = await create('used');
    expect(made).not.toHaveProperty('last_seen_at');
    const { agent_id } = made;
    expect(await seen(agent_id)).toBe(undefined);
    await ask(agent_id, { dry_run: true });
    await ask(agent_id, { action: 'c.d' });
    await expect.poll(() => seen(agent_id)).toBe('2026-11-20T12:00:00.000Z');
    clock.at += 2 * HOUR;
    await ask(agent_id, { dry_run: true });
    expect(await seen(agent_id)).toBe('2026-11-20T12:00:00.000Z');
    await ask(agent_id);
    await expect.poll(() => seen(agent_id)).toBe('2026-11-20T14:00:00.000Z');
    expect(await other.passports.get(agent_id)).toMatchObject({ version: 1, updated_at: made.updated_at });
    const changed = await one.passports.update(agent_id, { description: 'x' });
    expect(changed).not.toHaveProperty('last_seen_at');
    const { data } = await one.passports.versions(agent_id);
    expect(data[0]).not.toHaveProperty('last_seen_at');
    await ask('did:web:ops.example:agents:nobody');
    expect((await other.passports.list()).data).toMatchObject([{ last_seen_at: '2026-11-20T14:00:00.000Z' }]);
  });

  test('unused_days lists the passports that are older and were not seen since', async () => {
    const { other, clock, create, seen, ask } = await stage(store);
    const [used, , late] = [await create('used'), await create('unused'), await create('late')];
    const names = async (unused_days: number, more: object = {}) => {
      const { data } = await other.passports.list({ unused_days, ...more });
      return data.map(({ agent_name }) => agent_name).sort();
    };
    await ask(late.agent_id);
    await expect.poll(() => seen(late.agent_id)).not.toBe(undefined);
    clock.at += 10 * DAY;
    await ask(used.agent_id);
    await expect.poll(() => seen(used.agent_id)).not.toBe(undefined);
    await create('new');
    expect(await names(1)).toEqual(['late', 'unused']);
    expect(await names(9, { domain: 'ops.example' })).toEqual(['late', 'unused']);
    expect(await names(11)).toEqual([]);
    clock.at += 2 * DAY + HOUR;
    expect(await names(2)).toEqual(['late', 'new', 'unused', 'used']);
  });

  test('owner is a text or a member, which gives no right', async () => {
    const { one, other, create } = await stage(store);
    const { agent_id } = await create('owned', { owner: 'sales team' });
    await create('other');
    const list = async (owner: string) => (await other.passports.list({ owner })).data;
    expect(await list('sales team')).toMatchObject([{ agent_id, owner: 'sales team' }]);
    expect(await list('sales')).toEqual([]);
    const unknown = { code: 'invalid_request', details: { errors: [{ path: '/owner' }] } };
    await expect(create('wrong', { owner: 'mem_nobody' })).rejects.toMatchObject(unknown);
    await expect(one.passports.update(agent_id, { owner: 'mem_nobody' })).rejects.toMatchObject(unknown);
    expect(await one.passports.update(agent_id, { owner: null })).not.toHaveProperty('owner');
  });

  test('keys are listed that nobody has used', async () => {
    const { one, clock } = await stage(store);
    const [unused, used] = [
      await one.keys.create({ name: 'unused' }),
      await one.keys.create({ name: 'used' }),
    ];
    clock.at += 3 * DAY;
    await one.keys.authenticate(used.key);
    const names = async (unused_days: number) =>
      (await one.keys.list({ unused_days })).data.map(({ name }) => name);
    expect(await names(2)).toContain(unused.name);
    expect(await names(4)).toEqual([]);
  });
});

const [memory] = STORES as [(typeof STORES)[0]];

test('two nodes note more agents than one write has, each once', async () => {
  const { one, other, create } = await stage(firstStore());
  const made = await Promise.all(Array.from({ length: 130 }, (_, place) => create(`agent-${place}`)));
  for (const node of [one, other])
    await Promise.all(made.map(({ agent_id }) => node.verify({ agent_id, action: 'a.b' })));
  const hours = async () => {
    const pages = await other.passports.list({ limit: 100 });
    const rest = await other.passports.list({ limit: 100, cursor: `${pages.next_cursor}` });
    return [...pages.data, ...rest.data].map(({ last_seen_at }) => last_seen_at);
  };
  await expect.poll(hours).toEqual(made.map(() => '2026-11-20T12:00:00.000Z'));
});

test.each([0, 366, 1.5, '5', null])('unused_days of %j is refused', async (unused_days) => {
  const { one } = await stage(memory[1]);
  const refused = { details: { errors: [{ path: '/unused_days' }] } };
  const query = { unused_days } as { readonly unused_days: number };
  await expect(one.passports.list(query)).rejects.toMatchObject(refused);
  await expect(one.keys.list(query)).rejects.toMatchObject(refused);
});

test.each(['', 'x'.repeat(201), 5])('an owner of %j is refused', async (owner) => {
  const { create } = await stage(memory[1]);
  await expect(create('wrong', { owner })).rejects.toMatchObject({
    details: { errors: [{ path: '/owner' }] },
  });
});
