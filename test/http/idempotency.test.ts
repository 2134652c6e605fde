import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import type { StorageAdapter } from '../../src/ports/storage.ts';
import { type Ask, expectProblem, makeKey, PASSPORT, signIn } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';
import { HOUR, openService, PASSWORD } from '../support/service.ts';
import { probe } from '../support/storage-probe.ts';
import { stores } from '../support/stores.ts';

const once = (key: string, json: unknown = { name: 'a' }): Ask => ({
  headers: { 'idempotency-key': key },
  json,
});

/** The three requests that make something, with another body each. */
const MAKERS = [
  ['POST /keys', () => '/keys', { name: 'a', scopes: ['verify'] }, { name: 'b', scopes: ['verify'] }],
  ['POST /passports', () => '/passports', PASSPORT, { ...PASSPORT, agent_name: 'other' }],
  [
    'POST /keys/{id}/rotate',
    (id: string) => `/keys/${id}/rotate`,
    { grace_seconds: 1 },
    { grace_seconds: 2 },
  ],
] as const;

describe.each(MAKERS)('%s under an idempotency key', (_, pathOf, json, otherJson) => {
  async function open(storage: StorageAdapter = memoryStorage()) {
    const stage = await openStage({ storage });
    const { api, token } = stage;
    const path = pathOf((await makeKey(api, token)).id);
    const ask = (key: string, body: unknown = json) => api.ask('POST', path, { token, ...once(key, body) });
    return { ...stage, path, ask };
  }

  test('makes one object, and answers the same without any secret', async () => {
    const { opened, ask } = await open();
    const first = await ask('a b~!');
    expect(first.status).toBe(201);
    const { key: _key, message: _message, ...shown } = first.body;
    for (let time = 0; time < 3; time += 1) {
      opened.clock.advance(HOUR / 4);
      const again = await ask('a b~!');
      expect(again.status).toBe(201);
      const { message: _again, ...rest } = again.body;
      expect(rest).toStrictEqual(shown);
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    }
  });

  test('knows the same request by what it says, not by how it is written', async () => {
    const { api, token, path, ask } = await open();
    const first = await ask('k');
    const body = ` ${JSON.stringify(Object.fromEntries(Object.entries(json).reverse()), null, 2)}`;
    const again = await api.ask('POST', path, { token, body, headers: { 'idempotency-key': 'k' } });
    expect(again.body['id']).toBe(first.body['id']);
    expect(again.body['agent_id']).toBe(first.body['agent_id']);
    expect(again.status).toBe(201);
  });

  test('refuses another request', async () => {
    const { ask } = await open();
    await ask('k');
    expectProblem(await ask('k', otherJson), 422, 'idempotency_mismatch');
    expect((await ask('k')).status).toBe(201);
  });

  test('refuses a second request while the first runs', async () => {
    const storage = probe();
    const { ask } = await open(storage);
    let release: (nothing: undefined) => void = () => undefined;
    const held = new Promise<undefined>((resolve) => {
      release = resolve;
    });
    storage.fail = (call) => (call === 'get idempotency' ? held : undefined);
    const first = ask('k');
    await expect.poll(() => storage.calls).toContain('get idempotency');
    expectProblem(await ask('k'), 409, 'conflict');
    expectProblem(await ask('k', otherJson), 409, 'conflict');
    release(undefined);
    expect((await first).status).toBe(201);
    storage.fail = undefined;
    expect((await ask('k')).status).toBe(201);
  });

  test.each(['', 'a'.repeat(256), 'a\tb', 'ä', '\u007f'])(
    'refuses the key %j, and stores nothing',
    async (key) => {
      const { token, path, refused } = await open();
      await refused('POST', path, { token, ...once(key, json) }, 400, 'invalid_request');
    },
  );

  test('refuses two keys', async () => {
    const { api, token, path } = await open();
    const key = ['idempotency-key', 'a'];
    const headers = ['authorization', `Bearer ${token}`, 'content-type', 'application/json', ...key, ...key];
    expectProblem(await api.askRaw('POST', path, headers, JSON.stringify(json)), 400, 'invalid_request');
  });

  test('keeps no secret in the store', async () => {
    const { opened, ask } = await open();
    const { body } = await ask('k');
    const stored = JSON.stringify(await opened.storage.list('idempotency', { where: {}, limit: 10 }));
    expect(stored).toContain(String(body['id'] ?? body['agent_id']));
    expect(stored).not.toMatch(/ais_live_[0-9A-Za-z]{49}|"key":/);
  });
});

test('a key of 255 characters is a key, and each account has its own', async () => {
  const { opened, api, token } = await openStage();
  const other = await signIn(opened, api, 'other@example.com');
  const key = '~'.repeat(255);
  const mine = await api.ask('POST', '/keys', { token, ...once(key) });
  const theirs = await api.ask('POST', '/keys', { token: other.token, ...once(key, { name: 'theirs' }) });
  expect([mine.status, theirs.status, mine.body['id'] === theirs.body['id']]).toEqual([201, 201, false]);
});

test('one idempotency key is one request, whatever its path', async () => {
  const { api, token } = await openStage();
  const { id } = await makeKey(api, token);
  await api.ask('POST', '/passports', { token, ...once('k', PASSPORT) });
  expectProblem(await api.ask('POST', '/keys', { token, ...once('k') }), 422, 'idempotency_mismatch');
  const rotation = await api.ask('POST', `/keys/${id}/rotate`, { token, ...once('k', {}) });
  expectProblem(rotation, 422, 'idempotency_mismatch');
});

test('only what succeeded is remembered', async () => {
  const { api, token } = await openStage({
    plans: { starter: { keys: 1, passports: null, verifications_per_minute: null } },
  });
  const { id } = await makeKey(api, token);
  const create = () => api.ask('POST', '/keys', { token, ...once('k') });
  expectProblem(await create(), 403, 'plan_limit_reached');
  expectProblem(await api.ask('POST', '/keys', { token, ...once('k', { name: 1 }) }), 400, 'invalid_request');
  await api.ask('DELETE', `/keys/${id}`, { token });
  expect((await create()).body['key']).toMatch(/^ais_live_/);
});

test('after 24 hours the key is new', async () => {
  const { opened, api } = await openStage();
  const create = async () => {
    const json = { email: 'owner@example.com', password: PASSWORD };
    const token = (await api.ask('POST', '/auth/login', { json })).body['access_token'] as string;
    return (await api.ask('POST', '/keys', { token, ...once('k') })).body;
  };
  const first = await create();
  opened.clock.advance(24 * HOUR - 1);
  expect((await create())['id']).toBe(first['id']);
  opened.clock.advance(1);
  const second = await create();
  expect(second['key']).toMatch(/^ais_live_/);
  expect((await create())['id']).toBe(second['id']);
});

test.each(stores)(
  'of many nodes on one %s store, one makes it and the others answer the same',
  async (_, open) => {
    const storage = await open();
    const nodes = Array.from({ length: 8 }, () => openService({ storage }));
    const actor = { account_id: 'acc_a' };
    const create = (node: (typeof nodes)[number]) =>
      node.service.keys.create({ name: 'a' }, { ...actor, idempotencyKey: 'k' });
    const made = await Promise.all(nodes.map(create));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(made.filter(({ key }) => key !== undefined)).toHaveLength(1);
    expect(await nodes[0]?.service.keys.activeCount(actor)).toBe(1);
  },
);

test('a store that fails between look-up and write makes nothing', async () => {
  const storage = probe();
  const { api, token } = await openStage({ storage });
  storage.fail = (call) => (call === 'write' ? Promise.reject(new Error('down')) : undefined);
  const create = () => api.ask('POST', '/keys', { token, ...once('k') });
  expectProblem(await create(), 503, 'storage_unavailable');
  storage.fail = undefined;
  expect((await create()).body['key']).toMatch(/^ais_live_/);
});
