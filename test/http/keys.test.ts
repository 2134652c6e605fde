import { describe, expect, test } from 'vitest';
import { createApiKey } from '../../src/credential/api-key.ts';
import { secureRandom } from '../../src/platform/index.ts';
import { dataOf, expectProblem, issue, makeKey, openApi, signIn, text } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';
import { HOUR, openService } from '../support/service.ts';
import { probe } from '../support/storage-probe.ts';

const AGENT = 'did:web:example.com:agents:shopper';
const INTENT = { agent_id: AGENT, action: 'orders.get' };

/** A service whose starter plan has the given number of keys. */
async function openWithKeys(keys: number) {
  const opened = openService({
    plans: { starter: { keys, passports: null, verifications_per_minute: null } },
  });
  const api = openApi(opened);
  const { token } = await signIn(opened, api);
  const create = (input: object = {}) => api.ask('POST', '/keys', { token, json: { name: 'k', ...input } });
  const activeCount = async () => (await api.ask('GET', '/keys', { token })).body['active_count'];
  return { opened, api, token, create, activeCount };
}

describe('a new key', () => {
  test('has the defaults of the contract, and its secret this once', async () => {
    const { opened, api, token } = await openStage();
    const answer = await api.ask('POST', '/keys', { token, json: { name: 'a key' } });
    expect(answer.status).toBe(201);
    const key = text(answer, 'key');
    expect(key).toMatch(/^ais_live_[0-9A-Za-z]{49}$/);
    expect(answer.body).toStrictEqual({
      id: expect.stringMatching(/^key_[0-9A-Za-z]{22}$/),
      key,
      plan: 'starter',
      message: expect.stringContaining('once'),
      name: 'a key',
      start: key.slice(0, 13),
      environment: 'live',
      scopes: ['verify', 'revoke'],
      agent_ids: null,
      created_at: opened.clock.instant(),
      expires_at: null,
    });
    const shown = await api.ask('GET', `/keys/${answer.body['id']}`, { token });
    const { key: _, plan: __, message: ___, ...fields } = answer.body;
    const more = { status: 'active', last_used_at: null, revoked_at: null, rotated_to: null };
    const audit = {
      created_by: expect.stringMatching(/^mem_/),
      changed_at: null,
      changed_by: null,
      revoked_by: null,
    };
    expect(shown.body).toStrictEqual({ ...fields, ...more, ...audit });
    const page = await api.ask('GET', '/keys', { token });
    expect(page.body).toStrictEqual({
      data: [shown.body],
      has_more: false,
      next_cursor: null,
      active_count: 1,
    });
  });

  test('is stored as its digest only', async () => {
    const { opened, api, token } = await openStage();
    const { key } = await makeKey(api, token);
    const stored = JSON.stringify(await opened.storage.list('keys', { where: {}, limit: 10 }));
    expect(stored).not.toContain(key.slice(13));
    expect(stored).toMatch(/"digest":"[0-9a-f]{64}"/);
  });

  test('has every field as given', async () => {
    const { api, token } = await openStage();
    const json = {
      name: '😀'.repeat(50),
      environment: 'live',
      scopes: ['reinstate', 'verify'],
      agent_ids: [AGENT, 'anything'],
      expires_at: '2027-01-01T01:00:00+01:00',
    };
    const { body } = await api.ask('POST', '/keys', { token, json });
    expect(body).toMatchObject({ ...json, expires_at: '2027-01-01T00:00:00.000Z' });
  });

  test('of the test environment may only verify, and its records say so', async () => {
    const { api, token } = await openStage();
    await issue(api, token);
    const answer = await api.ask('POST', '/keys', { token, json: { name: 'a', environment: 'test' } });
    expect(answer.body).toMatchObject({ environment: 'test', scopes: ['verify'] });
    const key = text(answer, 'key');
    expect(key).toMatch(/^ais_test_/);
    const verdict = await api.ask('POST', '/verify', { key, json: INTENT });
    expect(verdict.body).toMatchObject({ verdict: 'ALLOW', environment: 'test', key_id: answer.body['id'] });
    for (const path of ['/revoke', '/suspend', '/reinstate']) {
      expectProblem(
        await api.ask('POST', path, { key, json: { agent_id: AGENT } }),
        403,
        'insufficient_scope',
      );
    }
  });
});

describe('a scope opens', () => {
  const ROUTES = {
    '/verify': 'verify',
    '/verify/batch': 'verify',
    '/revoke': 'revoke',
    '/suspend': 'revoke',
    '/reinstate': 'reinstate',
  };
  test.each(['verify', 'revoke', 'reinstate'])('%s its own routes and no other', async (scope) => {
    const { api, token } = await openStage();
    await issue(api, token);
    const { key } = await makeKey(api, token, { scopes: [scope] });
    for (const [path, needed] of Object.entries(ROUTES)) {
      const answer = await api.ask('POST', path, { key, json: {} });
      if (needed === scope) expectProblem(answer, 400, 'invalid_request');
      else expectProblem(answer, 403, 'insufficient_scope');
    }
  });
});

test('a key with agent_ids sees no other agent, as if there were none', async () => {
  const { api, token } = await openStage();
  const listed = await issue(api, token);
  const unlisted = await issue(api, token, { agent_name: 'unlisted' });
  const missing = 'did:web:example.com:agents:missing';
  const scopes = ['verify', 'revoke', 'reinstate'];
  const { key } = await makeKey(api, token, { agent_ids: [listed, 'did:web:x.example:agents:y'], scopes });
  const verdict = async (agent_id: string) => {
    const { body } = await api.ask('POST', '/verify', { key, json: { agent_id, action: 'orders.get' } });
    const { agent_id: _, decision_id: __, request_id: ___, ...rest } = body;
    return rest;
  };
  expect(await verdict(listed)).toMatchObject({ verdict: 'ALLOW', passport_version: 1 });
  expect(await verdict(unlisted)).toMatchObject({ verdict: 'DENY', passport_version: null });
  expect(await verdict(unlisted)).toEqual(await verdict(missing));
  for (const path of ['/revoke', '/suspend', '/reinstate']) {
    expectProblem(await api.ask('POST', path, { key, json: { agent_id: unlisted } }), 404, 'not_found');
  }
  expect((await api.ask('POST', '/suspend', { key, json: { agent_id: listed } })).status).toBe(200);
  const { body } = await api.ask('GET', `/passports/${unlisted}`, { token });
  expect(body['status']).toBe('active');
});

describe('a key is refused', () => {
  test('from the instant at which it expires', async () => {
    const { opened, api, token } = await openStage();
    await issue(api, token);
    const { key, id } = await makeKey(api, token, { expires_at: opened.clock.instant(60_000) });
    const status = async () => (await api.ask('POST', '/verify', { key, json: INTENT })).status;
    opened.clock.advance(59_999);
    expect(await status()).toBe(200);
    opened.clock.advance(1);
    expect(await status()).toBe(401);
    expect((await api.ask('GET', `/keys/${id}`, { token })).body['status']).toBe('expired');
  });

  test('as soon as it is revoked; the row stays', async () => {
    const { opened, api, token } = await openStage();
    const { key, id } = await makeKey(api, token);
    const revoked_at = opened.clock.instant();
    expect((await api.ask('DELETE', `/keys/${id}`, { token })).status).toBe(204);
    expectProblem(await api.ask('POST', '/verify', { key, json: INTENT }), 401, 'unauthenticated');
    opened.clock.advance(HOUR / 2);
    expect((await api.ask('DELETE', `/keys/${id}`, { token })).status).toBe(204);
    const { body } = await api.ask('GET', `/keys/${id}`, { token });
    expect(body).toMatchObject({ status: 'revoked', revoked_at });
  });

  test('without a storage read when its checksum or its shape is wrong', async () => {
    const storage = probe();
    const { api, token } = await openStage({ storage });
    const { key } = await makeKey(api, token);
    const swap = (at: number) => key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
    const bad = [...Array(58).keys()].map(swap);
    storage.calls.length = 0;
    for (const wrong of [...bad, '', 'x', `${key}0`, key.slice(0, -1), key.toUpperCase(), ' ', token, 'é']) {
      const answer = await api.ask('POST', '/verify', { headers: { 'x-api-key': wrong }, json: INTENT });
      expectProblem(answer, 401, 'unauthenticated');
    }
    expect(storage.calls).toEqual([]);
    await api.ask('POST', '/verify', { key: createApiKey('live', secureRandom).key, json: INTENT });
    expect(storage.calls).toEqual(['get keys']);
  });

  test('when only the first half of its digest is stored', async () => {
    const storage = probe();
    const { api, token } = await openStage({ storage });
    const { key, id } = await makeKey(api, token);
    const record = await storage.get('keys', id);
    storage.fail = (call) =>
      call === 'get keys' ? Promise.resolve({ ...record, digest: '0'.repeat(64) }) : undefined;
    expectProblem(await api.ask('POST', '/verify', { key, json: INTENT }), 401, 'unauthenticated');
  });
});

describe('the plan', () => {
  test('counts keys exactly when many are made at once', async () => {
    const { create, activeCount } = await openWithKeys(5);
    const answers = await Promise.all(Array.from({ length: 30 }, () => create()));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(5);
    for (const answer of answers) if (answer.status !== 201) expectProblem(answer, 403, 'plan_limit_reached');
    expect(await activeCount()).toBe(5);
  });

  test('gives a place back for a key that is revoked, once', async () => {
    const { api, token, create, activeCount } = await openWithKeys(2);
    const ids = [await create(), await create()].map(({ body }) => body['id']);
    expectProblem(await create(), 403, 'plan_limit_reached');
    await Promise.all(Array.from({ length: 10 }, () => api.ask('DELETE', `/keys/${ids[0]}`, { token })));
    expect(await activeCount()).toBe(1);
    expect((await create()).status).toBe(201);
    expectProblem(await create(), 403, 'plan_limit_reached');
  });

  test('gives a place back for a key that has expired, once', async () => {
    const { opened, api, token, create, activeCount } = await openWithKeys(2);
    const short = await create({ expires_at: opened.clock.instant(1_000) });
    await create();
    expectProblem(await create(), 403, 'plan_limit_reached');
    opened.clock.advance(1_000);
    expect(await activeCount()).toBe(1);
    await api.ask('DELETE', `/keys/${short.body['id']}`, { token });
    expect(await activeCount()).toBe(1);
    const more = await Promise.all([create(), create(), create()]);
    expect(more.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
  });

  test('gives the places of many expired keys back without a list before', async () => {
    const { opened, create } = await openWithKeys(150);
    const expires_at = opened.clock.instant(1_000);
    // Few at a time: each request has a deadline, and all of them change one count.
    const createTen = (json?: object) => Promise.all(Array.from({ length: 10 }, () => create(json)));
    for (let tens = 0; tens < 15; tens += 1) await createTen({ expires_at });
    opened.clock.advance(1_000);
    let made = 0;
    for (let tens = 0; tens < 16; tens += 1) {
      made += (await createTen()).filter(({ status }) => status === 201).length;
    }
    expect(made).toBe(150);
  });

  test('does not count what is made in process', async () => {
    const { opened, token, create } = await openWithKeys(0);
    expectProblem(await create(), 403, 'plan_limit_reached');
    const { account_id } = await opened.service.authenticateSession(token);
    const { key } = await opened.service.keys.create({ name: 'k' }, { account_id });
    opened.secrets.add(key);
    expect((await opened.service.serving.authenticateKey(key)).account_id).toBe(account_id);
  });
});

test('keys come in complete pages, newest first', async () => {
  const { opened, api, token } = await openStage();
  const made: string[] = [];
  for (let index = 0; index < 7; index += 1) {
    made.unshift((await makeKey(api, token)).id);
    opened.clock.advance(1);
  }
  const first = await api.ask('GET', '/keys?limit=4', { token });
  const second = await api.ask('GET', `/keys?limit=4&cursor=${first.body['next_cursor']}`, { token });
  expect([...dataOf(first), ...dataOf(second)].map(({ id }) => id)).toEqual(made);
  expect([first.body['has_more'], second.body['has_more'], second.body['active_count']]).toEqual([
    true,
    false,
    7,
  ]);
});
