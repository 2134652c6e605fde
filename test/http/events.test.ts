import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { identityRouter } from '../../adapters/express/index.ts';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { systemAfter } from '../../src/core/shared/timers.ts';
import { fetchHandler, nodeListener } from '../../src/http/index.ts';
import { expectProblem, issue, makeKey, openApi, signIn, toRequest } from '../support/api.ts';
import { readEvents } from '../support/event-reader.ts';
import { listen, listenExpress } from '../support/servers.ts';
import { openService } from '../support/service.ts';

const AGENT = 'did:web:example.com:agents:shopper';
const system = { now: () => Date.now(), monotonic: () => performance.now() };

/** A service by the clock of the machine, with one account that has a passport and keys. */
async function stage() {
  const opened = openService({ clock: system, after: systemAfter, storage: memoryStorage() });
  const { service } = opened;
  const api = openApi(opened);
  const { token, account_id } = await signIn(opened, api);
  await issue(api, token);
  const { key, id: keyId } = await makeKey(api, token, { scopes: ['verify', 'events'] });
  const handle = fetchHandler(service);
  const read = (query = '', ask: object = { token }) =>
    readEvents((signal) => handle(new Request(toRequest('GET', `/events${query}`, ask), { signal })));
  const verify = (action: string) => service.verifyAs(key, { agent_id: AGENT, action });
  const describe = (description: string) => service.passports.update(AGENT, { description }, { account_id });
  return { ...opened, api, token, account_id, key, keyId, read, verify, describe };
}

const typesIn = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);

describe('a stream of events', () => {
  test.each(['fetch', 'node', 'express'])('comes by %s as server-sent events', async (face) => {
    const { service, token, account_id } = await stage();
    const origin =
      face === 'node'
        ? `${await listen(nodeListener(service))}/api`
        : `${await listenExpress((app) => app.use('/api', identityRouter(service)))}/api`;
    const ask = (signal: AbortSignal): Promise<Response> =>
      face === 'fetch'
        ? fetchHandler(service)(new Request(toRequest('GET', '/events', { token }), { signal }))
        : fetch(`${origin}/events`, { headers: { authorization: `Bearer ${token}` }, signal });
    const reader = await readEvents(ask);
    expect(reader.status).toBe(200);
    expect(reader.headers.get('content-type')).toBe('text/event-stream');
    expect(reader.headers.get('cache-control')).toBe('no-store, no-transform');
    await service.revoke({ agent_id: AGENT, reason: 'why' }, { account_id });
    const [event] = await reader.until((events) => events.length > 0);
    const passport = await service.passports.get(AGENT, { account_id });
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_[0-9A-Za-z]{25}$/),
      type: 'passport.revoked',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { ...passport, changed_by: account_id },
    });
    // It is sent after it is made: the clock may have gone on between the two.
    expect(`${event?.timestamp}` >= passport.updated_at).toBe(true);
    const frame = `id: ${event?.id}\nevent: passport.revoked\ndata: ${JSON.stringify(event)}\n\n`;
    expect(reader.text()).toMatch(/^retry: 2000\nid: evt_[0-9A-Za-z]{8}g\n\n/);
    expect(reader.text().slice(reader.text().indexOf('\n\n') + 2)).toBe(frame);
    reader.stop();
    await reader.ended;
  });

  test('carries verdicts as they are recorded, and only what was asked for', async () => {
    const { read, verify, describe, service, account_id } = await stage();
    const all = await read();
    const denied = await read('?types=verdict.denied,passport.*');
    const other = await read(`?agent_id=${encodeURIComponent('did:web:example.com:agents:other')}`);
    const inTest = await read('?environment=test');
    const allowed = await verify('orders.get');
    const refused = await verify('cats.feed');
    await describe('new');
    await all.until((events) => events.length === 3);
    await denied.until((events) => events.length === 2);
    expect(typesIn(all.events()).sort()).toEqual(['passport.updated', 'verdict.allowed', 'verdict.denied']);
    const dataOf = (type: string) => all.events().find((event) => event.type === type)?.data;
    expect(dataOf('verdict.allowed')).toEqual(allowed);
    expect(dataOf('verdict.denied')).toEqual(refused);
    expect(typesIn(denied.events()).sort()).toEqual(['passport.updated', 'verdict.denied']);
    await service.keys.create({ name: 'x' }, { account_id });
    await all.until((events) => events.length === 4);
    expect([other.events(), inTest.events()]).toEqual([[], []]);
  });

  test('carries nothing of another account', async () => {
    const all = await stage();
    const { read, describe, api } = all;
    const otherAccount = await signIn(all, api, 'other@example.com');
    const theirs = await read('', { token: otherAccount.token });
    const ours = await read();
    await describe('new');
    await ours.until((events) => events.length === 1);
    await pause(1_300);
    expect(theirs.events()).toEqual([]);
  });

  test('of a key is narrowed to its agents and environment, without keys and accounts', async () => {
    const { read, api, token, service, account_id, verify, describe, secrets } = await stage();
    await issue(api, token, { agent_name: 'other' });
    const narrow = await makeKey(api, token, { scopes: ['events'], agent_ids: [AGENT] });
    const wide = await makeKey(api, token, { scopes: ['verify', 'events'], environment: 'test' });
    const one = await read('', { key: narrow.key });
    const test = await read('', { key: wide.key });
    secrets.add((await service.keys.create({ name: 'x' }, { account_id })).key);
    await service.revoke({ agent_id: 'did:web:example.com:agents:other' }, { account_id });
    await describe('new');
    await verify('orders.get');
    await service.verifyAs(wide.key, { agent_id: AGENT, action: 'orders.list' });
    await one.until((events) => events.length === 2);
    await test.until((events) => events.length === 3);
    expect(typesIn(one.events())).toEqual(['passport.updated', 'verdict.allowed']);
    expect(typesIn(test.events())).toEqual(['passport.revoked', 'passport.updated', 'verdict.allowed']);
    expect(test.events()[2]?.data).toMatchObject({ action: 'orders.list', environment: 'test' });
    const { key } = await makeKey(api, token);
    expectProblem(await api.ask('GET', '/events', { key }), 403, 'insufficient_scope');
  });

  test('of spends is narrowed to the agent and the environment of the spend', async () => {
    const { read, api, token, service, account_id } = await stage();
    const budgets = [{ window: 'day', count: 10 }] as const;
    await service.passports.update(AGENT, { budgets }, { account_id });
    const other = await issue(api, token, { agent_name: 'other', budgets });
    const narrow = await makeKey(api, token, { scopes: ['events'], agent_ids: [AGENT] });
    const test = await makeKey(api, token, { scopes: ['events'], environment: 'test' });
    const [ours, theirs] = [await read('', { key: narrow.key }), await read('', { key: test.key })];
    const asked = await read(`?types=spend.*&environment=live&agent_id=${encodeURIComponent(AGENT)}`);
    for (const agent_id of [other, AGENT]) {
      const intent = { agent_id, action: 'orders.list', hold_seconds: 60 };
      const { decision_id } = await service.verify(intent, { account_id });
      await service.spends.commit(decision_id, {}, { account_id });
    }
    // No key sees what happens to subjects.
    await service.subjects.erase({ subject: 'user-1' }, { account_id });
    await service.passports.update(AGENT, { description: 'new' }, { account_id });
    for (const reader of [ours, theirs]) {
      await reader.until((events) => typesIn(events).includes('passport.updated'));
      expect(typesIn(reader.events())).not.toContain('subject.erased');
    }
    expect(typesIn(theirs.events())).not.toContain('spend.settled');
    for (const reader of [ours, asked]) {
      await reader.until((events) => typesIn(events).includes('spend.settled'));
      const spends = reader.events().filter(({ type }) => type === 'spend.settled');
      expect(spends.map(({ data }) => data)).toEqual([
        { spend: expect.objectContaining({ agent_id: AGENT, status: 'committed' }) },
      ]);
    }
  });

  test('refuses an unknown type, a malformed id and no credential', async () => {
    const { api, token } = await stage();
    const refused = async (query: string, headers = {}) =>
      expectProblem(await api.ask('GET', `/events${query}`, { token, headers }), 400, 'invalid_request');
    expect(await refused('?types=passport.eaten')).toEqual(['/types']);
    expect(await refused('?types=passport.*,,')).toEqual(['/types']);
    expect(await refused('?after=evt_1')).toEqual(['/after']);
    expect(await refused('', { 'last-event-id': 'x' })).toEqual(['/after']);
    expect(await refused('?environment=prod')).toEqual(['/environment']);
    expect(await refused('?limit=3')).toEqual(['/limit']);
    expectProblem(await api.ask('GET', '/events'), 401, 'unauthenticated');
    expect((await api.ask('HEAD', '/events', { token })).status).toBe(200);
  });

  test('goes on behind the last event: none is missing', async () => {
    const { read, verify, describe, token } = await stage();
    const first = await read();
    for (const text of ['a', 'b', 'c']) await describe(text);
    await verify('orders.get');
    const before = [...(await first.until((events) => events.length === 4))];
    first.stop();
    await pause(5);
    await describe('d');
    await verify('orders.list');
    await describe('e');
    for (const last of before) {
      const again = await read('', { token, headers: { 'last-event-id': last.id } });
      const isNew = ({ timestamp }: { readonly timestamp: string }) =>
        timestamp > (before.at(-1)?.timestamp ?? '');
      const fresh = await again.until((events) => events.filter(isNew).length === 3);
      expect(typesIn(fresh.filter(isNew)).sort()).toEqual([
        'passport.updated',
        'passport.updated',
        'verdict.allowed',
      ]);
      const ids = again.events().map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(
        [...before.map(({ id }) => id)].slice(before.indexOf(last) + 1).every((id) => ids.includes(id)),
      ).toBe(true);
      again.stop();
      await again.ended;
    }
  });
});

test('the sixth stream of an account is refused, whatever the rates, and a place is free again', async () => {
  const { api, token, read, key } = await stage();
  const open = [await read(), await read(), await read(), await read(), await read('', { key })];
  for (const ask of [{ token }, { key }]) {
    const refused = await api.ask('GET', '/events', ask);
    expectProblem(refused, 429, 'rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  open[0]?.stop();
  await open[0]?.ended;
  expect((await read()).status).toBe(200);
});

test('takes no place of the people of the account for a stream that the application reads', async () => {
  const { service, account_id, read } = await stage();
  const inside = await Promise.all(Array.from({ length: 6 }, () => service.events.open({}, { account_id })));
  const open = [await read(), await read(), await read(), await read(), await read()];
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  for (const stream of inside) stream.close();
  // Their end gives no place back either.
  expect((await read()).status).toBe(429);
});

describe('a stream ends within a second', () => {
  const ends = async (reader: Awaited<ReturnType<typeof readEvents>>, change: () => Promise<unknown>) => {
    await change();
    const began = performance.now();
    await reader.ended;
    // It would never end; a second may take longer on a machine that does other work.
    expect(performance.now() - began).toBeLessThan(10_000);
  };

  test('of its logout', async () => {
    const { read, api, token } = await stage();
    await ends(await read(), () => api.ask('POST', '/auth/logout', { token }));
  });

  test('of a logout everywhere, and of a disabled account', async () => {
    const { read, api, token, service } = await stage();
    const everywhere = { token, json: { everywhere: true } };
    await ends(await read(), () => api.ask('POST', '/auth/logout', everywhere));
    const again = await api.ask('POST', '/auth/login', {
      json: { email: 'owner@example.com', password: 'Ein-Gutes-Kennwort-7' },
    });
    const reader = await read('', { token: again.body['access_token'] });
    await ends(reader, () => service.accounts.disable('owner@example.com'));
  });

  test('of the revocation of its key, and of other agents for it', async () => {
    const { read, api, token, key, keyId } = await stage();
    const agents = { token, json: { agent_ids: [AGENT] } };
    await ends(await read('', { key }), () => api.ask('PATCH', `/keys/${keyId}`, agents));
    await ends(await read('', { key }), () => api.ask('DELETE', `/keys/${keyId}`, { token }));
  });

  test('of the end of the service', async () => {
    const { read, service } = await stage();
    await ends(await read(), async () => service.events.end());
  });
});
