import { describe, expect, test } from 'vitest';
import { dataOf, expectProblem, issue, makeKey, openApi, PASSPORT, signIn, text } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';
import { MINUTE, openService } from '../support/service.ts';

const FULL = {
  domain: 'xn--mnchen-3ya.example%3A8080',
  agent_name: '0.a_b-c',
  allowed_actions: ['*', 'payments.create', 'orders.*', 'a:b:*', 'A/b-c_d.e', 'a'.repeat(128)],
  monetary_limit_per_txn: '1000.50',
  denied_actions: ['payments.refund'],
  currency: 'EUR',
  allowed_targets: ['did:web:shop.example%3A8080:a', 'did:web:*.example.com', 'did:key:z6Mk'],
  monetary_actions: ['payments.*'],
  not_before: '2026-11-20T13:30:00.1239+01:30',
  expires_at: '2027-01-01t00:00:00z',
  description: 'ü'.repeat(500),
  metadata: { team: 'a', '': '', 'a/b~c': 'v'.repeat(500) },
};

describe('a passport that was issued', () => {
  test('has every field as given, in its canonical form, and those of the service', async () => {
    const { opened, api, token } = await openStage();
    const answer = await api.ask('POST', '/passports', { token, json: FULL });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('etag')).toBe('"1"');
    const now = opened.clock.instant();
    expect(answer.body).toStrictEqual({
      ...FULL,
      agent_id: 'did:web:xn--mnchen-3ya.example%3A8080:agents:0.a_b-c',
      monetary_limit_per_txn: 1000.5,
      not_before: '2026-11-20T12:00:00.123Z',
      expires_at: '2027-01-01T00:00:00.000Z',
      status: 'active',
      version: 1,
      created_at: now,
      updated_at: now,
      suspended_until: null,
      suspended_by: null,
      suspension_reason: null,
      revoked_at: null,
      revoked_by: null,
      revocation_reason: null,
    });
    const path = `/passports/${encodeURIComponent(text(answer, 'agent_id'))}`;
    const read = await api.ask('GET', path, { token });
    expect([read.status, read.headers.get('etag'), read.body]).toEqual([200, '"1"', answer.body]);
    expect(dataOf(await api.ask('GET', '/passports', { token }))).toEqual([answer.body]);
  });

  test('has no field that was not given', async () => {
    const { api, token } = await openStage();
    const { body } = await api.ask('POST', '/passports', { token, json: PASSPORT });
    for (const field of [
      'currency',
      'denied_actions',
      'allowed_targets',
      'not_before',
      'metadata',
      'account_id',
      'id',
    ]) {
      expect(body).not.toHaveProperty(field);
    }
  });

  test.each([
    [0, 0],
    ['0', 0],
    ['0.000', 0],
    [100, 100],
    ['100.00', 100],
    [19.99, 19.99],
    ['19.990', 19.99],
    [0.1, 0.1],
    [0.000001, 0.000001],
    ['0.000001', 0.000001],
    [1e15, 1e15],
    ['1000000000000000', 1e15],
    ['1000000000000000.000000', 1e15],
    ['999999999999999.999999', '999999999999999.999999'],
    ['123456789012.345678', '123456789012.345678'],
    ['100.000000000000000000000', 100],
    ['9007199254.740993', 9007199254.740993],
  ])('with the limit %j shows it as %j', async (given, shown) => {
    const { api, token } = await openStage();
    const agent = await issue(api, token, { monetary_limit_per_txn: given });
    const { body } = await api.ask('GET', `/passports/${agent}`, { token });
    expect(body['monetary_limit_per_txn']).toBe(shown);
  });

  test.each([
    ['2027-01-01T00:00:00Z', '2027-01-01T00:00:00.000Z'],
    ['2027-01-01T00:00:00+00:00', '2027-01-01T00:00:00.000Z'],
    ['2027-01-01T00:00:00-00:00', '2027-01-01T00:00:00.000Z'],
    ['2027-01-01T05:45:00+05:45', '2027-01-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.9999Z', '2026-12-31T23:59:59.999Z'],
    ['2028-02-29T12:00:00.5-12:00', '2028-03-01T00:00:00.500Z'],
  ])('with the instant %s shows %s', async (given, shown) => {
    const { api, token } = await openStage();
    const agent = await issue(api, token, { expires_at: given });
    const { body } = await api.ask('GET', `/passports/${agent}`, { token });
    expect(body['expires_at']).toBe(shown);
  });

  test.each(['2026-11-20T12:00:00Z', '2026-11-20T12:59:59+01:00', '2020-01-01T00:00:00Z'])(
    'with an end that is not in the future, %s, is refused',
    async (expires_at) => {
      const { token, refused } = await openStage();
      const json = { ...PASSPORT, expires_at };
      expect(await refused('POST', '/passports', { token, json }, 400, 'invalid_request')).toEqual([
        '/expires_at',
      ]);
    },
  );

  test('that has expired meanwhile is answered again to the request that made it', async () => {
    const { opened, api, token } = await openStage();
    const json = { ...PASSPORT, expires_at: opened.clock.instant(MINUTE) };
    const ask = () => api.ask('POST', '/passports', { token, json, headers: { 'idempotency-key': 'once' } });
    const first = await ask();
    opened.clock.advance(2 * MINUTE);
    const again = await ask();
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
  });

  test('has an agent_id that is never issued again', async () => {
    const { api, token, refused } = await openStage();
    const agent = await issue(api, token);
    const again = () => refused('POST', '/passports', { token, json: PASSPORT }, 409, 'already_exists');
    await again();
    await api.ask('POST', '/revoke', { token, json: { agent_id: agent } });
    await again();
  });

  test('is found by its id percent-encoded once, and by no other spelling', async () => {
    const { api, token } = await openStage();
    const agent = await issue(api, token, { domain: 'example.com%3A8080' });
    const get = async (segment: string) => (await api.ask('GET', `/passports/${segment}`, { token })).status;
    expect(await get(encodeURIComponent(agent))).toBe(200);
    expect(await get('did:web:example.com%253A8080:agents:shopper')).toBe(200);
    expect(await get('did%3Aweb%3Aexample.com%253A8080%3Aagents%3Ashopper')).toBe(200);
    for (const other of [
      agent,
      encodeURIComponent(encodeURIComponent(agent)),
      '%',
      '%zz',
      '%00',
      '%ff',
      '%ED%A0%80',
    ]) {
      expect([other, await get(other)]).toEqual([other, 404]);
    }
  });
});

describe('a domain', () => {
  test('belongs, with every port, to the first account that issues for it', async () => {
    const { opened, api, token } = await openStage();
    const other = await signIn(opened, api, 'other@example.com');
    await issue(api, token, { domain: 'example.com%3A8080' });
    for (const domain of ['example.com', 'example.com%3A8080', 'example.com%3A1']) {
      const json = { ...PASSPORT, agent_name: 'new', domain };
      expectProblem(await api.ask('POST', '/passports', { token: other.token, json }), 409, 'domain_claimed');
      expect((await api.ask('POST', '/passports', { token, json })).status).toBe(201);
    }
    await issue(api, other.token, { domain: 'sub.example.com' });
  });

  test('is not claimed by a passport that is refused', async () => {
    const opened = openService({
      plans: { starter: { keys: 1, passports: 0, verifications_per_minute: null } },
    });
    const api = openApi(opened);
    const { token } = await signIn(opened, api);
    expectProblem(await api.ask('POST', '/passports', { token, json: PASSPORT }), 403, 'plan_limit_reached');
    expect(await opened.storage.get('domains', 'example.com')).toBeUndefined();
  });

  test('belongs to no account with domainProof off, but an agent_id is still issued once', async () => {
    const { opened, api, token } = await openStage({ domainProof: 'off' });
    const other = await signIn(opened, api, 'other@example.com');
    await issue(api, token);
    await issue(api, other.token, { agent_name: 'other' });
    expectProblem(
      await api.ask('POST', '/passports', { token: other.token, json: PASSPORT }),
      409,
      'already_exists',
    );
  });

  test('may be localhost only with allowLocalhost', async () => {
    const { api, token } = await openStage({ allowLocalhost: true });
    await issue(api, token, { domain: 'localhost' });
    await issue(api, token, { domain: 'localhost%3A3000' });
    const page = await api.ask('GET', '/passports?domain=localhost', { token });
    expect(dataOf(page)).toHaveLength(1);
  });

  test.each([
    ...[
      'a.b',
      'a-b.example',
      '1.example',
      'xn--mnchen-3ya.de',
      'a.xn--p1ai',
      'example.com%3A1',
      'example.com%3A65535',
    ],
    ...[
      `${'a'.repeat(63)}.example`,
      'example.com%3A80',
      'a--b.example',
      'xn--a.example',
      `${'a.'.repeat(123)}example`,
    ],
  ])('of the form %s is taken', async (domain) => {
    const { api, token } = await openStage();
    expect(await issue(api, token, { domain })).toBe(`did:web:${domain}:agents:shopper`);
  });
});

test('of many creations at once of the same agent_id, one wins', async () => {
  const { opened, api, token } = await openStage();
  const other = await signIn(opened, api, 'other@example.com');
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      api.ask('POST', '/passports', { token: index % 2 ? token : other.token, json: PASSPORT }),
    ),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([201, ...Array(39).fill(409)]);
  const codes = new Set(answers.map(({ body }) => body['code']));
  expect([...codes].sort()).toEqual([undefined, 'already_exists', 'domain_claimed'].sort());
});

test('evaluates a new passport at once', async () => {
  const { api, token } = await openStage();
  const { key } = await makeKey(api, token);
  const json = { agent_id: 'did:web:example.com:agents:shopper', action: 'orders.get' };
  expect((await api.ask('POST', '/verify', { key, json })).body['verdict']).toBe('DENY');
  await issue(api, token);
  expect((await api.ask('POST', '/verify', { key, json })).body['verdict']).toBe('ALLOW');
});

test('what is in effect is asked 120 times a minute of an account', async () => {
  const { opened, api, token } = await openStage();
  const path = `/passports/${await issue(api, token)}/effective`;
  for (let count = 0; count < 120; count += 1)
    expect((await api.ask('GET', path, { token })).status).toBe(200);
  const over = await api.ask('GET', path, { token });
  expectProblem(over, 429, 'rate_limited');
  expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
  const other = await signIn(opened, api, 'other@example.com');
  expect((await api.ask('GET', path, { token: other.token })).status).toBe(404);
  opened.clock.advance(60_000);
  expect((await api.ask('GET', path, { token })).status).toBe(200);
});
