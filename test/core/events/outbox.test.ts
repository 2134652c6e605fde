import { expect, test } from 'vitest';
import { readChangeRecordId, readEventId } from '../../../src/base/bytes/event-position.ts';
import type { EventRecord } from '../../../src/core/events/collections.ts';
import { openService, PASSWORD } from '../../support/service.ts';
import { probe } from '../../support/storage-probe.ts';

const PASSPORT = {
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['orders.*'],
  monetary_limit_per_txn: 100,
} as const;
const AGENT = 'did:web:example.com:agents:shopper';
const ADDRESS = { address: '192.0.2.1' };

async function stage() {
  const storage = probe();
  const opened = openService({ storage });
  const { service, clock } = opened;
  const email = 'owner@example.com';
  const { id: account_id } = await service.accounts.create({ email, password: PASSWORD });
  const actor = { account_id };
  /** The events of the account, the oldest first. */
  async function events(): Promise<readonly EventRecord[]> {
    const found = await storage.list('events', { where: { account_id }, limit: 1_000 });
    return [...found].reverse() as unknown as readonly EventRecord[];
  }
  /** What was stored by `change`, as type and data. */
  async function told(change: () => Promise<unknown>): Promise<readonly (readonly [string, object])[]> {
    const known = new Set((await events()).map(({ id }) => id));
    clock.advance(1);
    await change();
    return (await events()).filter(({ id }) => !known.has(id)).map(({ type, data }) => [type, data]);
  }
  return { ...opened, storage, email, account_id, actor, events, told };
}

test('every change of a passport is one event with its version, who made it, and nothing that the version has', async () => {
  const { service, actor, account_id, told, clock } = await stage();
  const created = await told(() => service.passports.create(PASSPORT, actor));
  expect(created.map(([type]) => type).sort()).toEqual(['domain.claimed', 'passport.created']);
  expect(Object.fromEntries(created)['domain.claimed']).toEqual({
    domain: 'example.com',
    changed_by: account_id,
  });
  const about = (version: number, changed_by: string) => ({ agent_id: AGENT, version, changed_by });
  expect(Object.fromEntries(created)['passport.created']).toEqual(about(1, account_id));
  const second = await told(() => service.passports.create({ ...PASSPORT, agent_name: 'other' }, actor));
  expect(second.map(([type]) => type)).toEqual(['passport.created']);

  const until = clock.instant(60_000);
  const changes = [
    ['passport.updated', () => service.passports.update(AGENT, { description: 'x' }, actor)],
    ['passport.suspended', () => service.suspend({ agent_id: AGENT, until }, { ...actor, key_id: 'key_1' })],
    ['passport.reinstated', () => service.reinstate({ agent_id: AGENT }, actor)],
    ['passport.revoked', () => service.revoke({ agent_id: AGENT, reason: 'why' }, actor)],
  ] as const;
  for (const [index, [type, change]] of changes.entries()) {
    const changed_by = type === 'passport.suspended' ? 'key_1' : account_id;
    const [[got, data] = [], ...others] = await told(change);
    expect([got, others]).toEqual([type, []]);
    const compared = type === 'passport.updated' ? { change: 'equal' } : {};
    expect(data).toEqual({ ...about(index + 2, changed_by), ...compared });
  }
  const purge = () => service.passports.purge(AGENT, actor);
  expect(await told(purge)).toEqual([['passport.purged', { agent_id: AGENT, changed_by: account_id }]]);
  expect(await told(purge)).toEqual([]);
});

test('what changes nothing is no event', async () => {
  const { service, actor, told } = await stage();
  await service.passports.create(PASSPORT, actor);
  await service.revoke({ agent_id: AGENT }, actor);
  const { id } = await service.keys.create({ name: 'a' }, actor);
  await service.keys.revoke(id, actor);
  expect(await told(() => service.revoke({ agent_id: AGENT }, actor))).toEqual([]);
  expect(await told(() => service.keys.revoke(id, actor))).toEqual([]);
  expect(await told(() => service.passports.create(PASSPORT, actor).catch(() => undefined))).toEqual([]);
});

test('every change of a key is one event without its secret', async () => {
  const { service, actor, account_id, secrets, told, events } = await stage();
  const made = await service.keys.create({ name: 'a' }, actor);
  secrets.add(made.key);
  const changed_by = account_id;
  const updated = await told(() => service.keys.update(made.id, { name: 'b' }, actor));
  expect(updated).toEqual([['key.updated', { ...(await service.keys.get(made.id, actor)), changed_by }]]);
  let next = '';
  const rotated = await told(async () => {
    const { id, key } = await service.keys.rotate(made.id, {}, actor);
    next = id;
    secrets.add(key);
  });
  const shown = await service.keys.get(next, actor);
  expect(rotated).toEqual([['key.rotated', { ...shown, changed_by, replaces: made.id }]]);
  const revoked = await told(() => service.keys.revoke(next, actor));
  expect(revoked).toEqual([['key.revoked', { ...(await service.keys.get(next, actor)), changed_by }]]);
  const text = JSON.stringify(await events());
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).not.toContain('digest');
});

test('each commit, release and lapse of a spend is one event with the spend, and nothing else is one', async () => {
  const { service, actor, told, clock, events, storage } = await stage();
  await service.passports.create({ ...PASSPORT, budgets: [{ window: 'day', count: 100 }] }, actor);
  const spend = async (more: object = {}) =>
    (await service.verify({ agent_id: AGENT, action: 'orders.add', ...more }, actor)).decision_id;
  const hold = () => spend({ hold_seconds: 60 });
  const [kept, given, over] = [await hold(), await hold(), await hold()];
  const { commit, release, get } = service.spends;
  const settled = async (id: string) => [['spend.settled', { spend: await get(id, actor) }]];
  expect(await told(() => spend())).toEqual([]);
  const once = { ...actor, idempotencyKey: 'k' };
  expect(await told(() => commit(kept, {}, once))).toEqual(await settled(kept));
  expect(await told(() => commit(kept, {}, once))).toEqual([]);
  expect(await told(() => commit(kept, {}, actor))).toEqual([]);
  expect(await told(() => release(kept, {}, actor))).toEqual(await settled(kept));
  expect(await told(() => release(kept, {}, actor).catch(() => undefined))).toEqual([]);
  storage.calls.length = 0;
  expect(await told(() => release(given, {}, actor))).toEqual(await settled(given));
  expect(storage.calls.filter((call) => call === 'write')).toHaveLength(1);
  clock.advance(60_000);
  const lapses = await told(() => Promise.all([get(over, actor), get(over, actor)]));
  expect(lapses).toEqual(await settled(over));
  // Agents make as many as they like.
  const [last] = (await events()).slice(-1);
  expect(Date.parse(String(last?.expires_at)) - Date.parse(String(last?.created_at))).toBe(7 * 86_400_000);
});

test('a write that fails leaves neither the change nor its event', async () => {
  const { service, actor, storage, told } = await stage();
  await service.passports.create(PASSPORT, actor);
  storage.fail = (call) => (call === 'write' ? Promise.reject(new Error('full')) : undefined);
  const lost = await told(() =>
    expect(service.revoke({ agent_id: AGENT }, actor)).rejects.toThrow('did not answer'),
  );
  storage.fail = undefined;
  expect(lost).toEqual([]);
  expect(await service.passports.get(AGENT, actor)).toMatchObject({ status: 'active' });
});

test('many first passports of a domain at once claim it once', async () => {
  const { service, actor, events } = await stage();
  const names = Array.from({ length: 20 }, (_, index) => `agent-${index}`);
  await Promise.all(names.map((agent_name) => service.passports.create({ ...PASSPORT, agent_name }, actor)));
  const types = (await events()).map(({ type }) => type);
  expect(types.filter((type) => type === 'domain.claimed')).toHaveLength(1);
  expect(types.filter((type) => type === 'passport.created')).toHaveLength(20);
});

test('the event of a new password does not hold it; a flood of logins is one event in a quarter of an hour', async () => {
  const { service, actor, account_id, email, told, events, timers } = await stage();
  const change = { current_password: PASSWORD, new_password: 'Ein-Neues-Kennwort-8' };
  expect(await told(() => service.changePassword(change, actor))).toEqual([
    ['account.password_changed', { account_id, changed_by: account_id }],
  ]);
  const byOperator = await told(() => service.accounts.setPassword({ email, password: PASSWORD }));
  expect(byOperator).toEqual([['account.password_changed', { account_id, changed_by: 'operator' }]]);

  const guess = async () => {
    const login = service.login({ email, password: 'no' }, ADDRESS).catch(() => undefined);
    const skipping = setInterval(() => timers.skip(2_000), 1);
    await login;
    clearInterval(skipping);
  };
  const flood = async () => {
    for (let count = 0; count < 14; count += 1) await guess();
  };
  const throttled = ['account.login_throttled', { account_id, retry_after_seconds: 900 }];
  expect(await told(flood)).toEqual([throttled]);
  expect(await told(flood)).toEqual([]);
  await timers.pass(16 * 60_000);
  expect(await told(flood)).toEqual([throttled]);
  expect(JSON.stringify(await events())).not.toMatch(/example\.com|192\.0\.2|Kennwort/);
});

test('events stand under an id of their instant and account, and go after the days of the audit', async () => {
  const { service, actor, account_id, clock, events, storage } = await stage();
  await service.passports.create({ ...PASSPORT, domain: 'other.example' }, actor);
  for (const event of await events()) {
    const { id, account_id: owner } = readChangeRecordId(event.id);
    expect(owner).toBe(account_id);
    expect(readEventId(id)).toMatchObject({ ms: clock.now(), source: 'c' });
    expect(event.expires_at).toBe(clock.instant(365 * 86_400_000));
  }
  expect(await storage.purge('events', clock.instant(365 * 86_400_000))).toBe(0);
  expect(await storage.purge('events', clock.instant(365 * 86_400_000 + 1))).toBe(3);
});

test('an id of an event is read as it was made, and nothing else is one', () => {
  for (const text of ['evt_', 'evt_00000000', 'evt_00000000c', 'evt_00000000x', 'evt_00000000gA', 'x', ''])
    expect(readEventId(text), text).toBeUndefined();
  expect(readEventId('evt_0VZ4Hy3Wg')).toMatchObject({ source: 'g', name: '' });
});
