import { describe, expect, test } from 'vitest';
import { fetchHandler } from '../../../src/http/index.ts';
import { makeKey, openApi, toRequest } from '../../support/api.ts';
import { openService } from '../../support/service.ts';
import { probe } from '../../support/storage-probe.ts';
import { codesOf, openPoint, openScenario, pay, SHOPPER, shop, subject } from './fixture.ts';

describe('the credential', () => {
  const question = {
    subject: { type: 'user', id: 'alice' },
    action: { name: 'read' },
    resource: { type: 'a', id: '' },
  };

  test('is a key as X-API-Key or as a bearer, not both', async () => {
    const point = await openScenario();
    const { key, token } = point;
    const asked = async (ask: object) => (await point.evaluation(question, ask)).status;
    expect(await asked({ headers: {}, key })).toBe(200);
    expect(await asked({ headers: { authorization: `bearer ${key}` } })).toBe(200);
    expect(await asked({ key })).toBe(400);
    expect(await asked({ headers: {} })).toBe(401);
    expect(await asked({ headers: {}, token })).toBe(401);
    expect(await asked({ headers: {}, key: token })).toBe(401);
    expect(await asked({ headers: { authorization: 'Bearer ' } })).toBe(401);
    expect(await asked({ headers: { authorization: key } })).toBe(401);
    expect(await asked({ headers: { authorization: `Bearer ${key}, Bearer ${key}` } })).toBe(400);
  });

  test('is a bearer on these two paths alone', async () => {
    const { api, key } = await openScenario();
    for (const path of ['/verify', '/verify/batch', '/revoke']) {
      const answer = await api.ask('POST', path, { json: {}, headers: { authorization: `Bearer ${key}` } });
      expect([path, answer.status]).toEqual([path, 401]);
    }
  });

  test('needs the scope verify, and sees its own agents alone', async () => {
    const point = await openScenario();
    const revoker = await makeKey(point.api, point.token, { scopes: ['revoke'] });
    const narrow = await makeKey(point.api, point.token, { agent_ids: ['did:web:example.com:agents:bob'] });
    expect((await point.evaluation(question, { headers: {}, key: revoker.key })).status).toBe(403);
    expect(codesOf(await point.evaluation(question, { headers: {}, key: narrow.key }))).toEqual([
      'agent_not_found',
    ]);
  });
});

describe('an error', () => {
  test('is a JSON string on these paths, with the headers of ours', async () => {
    const point = await openScenario({
      plans: { starter: { keys: 9, passports: 9, verifications_per_minute: 1 } },
    });
    const question = {
      subject: { type: 'user', id: 'alice' },
      action: { name: 'read' },
      resource: { type: 'a', id: '' },
    };
    expect((await point.api.ask('GET', '/access/v1/evaluation')).status).toBe(405);
    const large = { ...question, context: { text: 'x'.repeat(70_000) } };
    expect((await point.evaluation(large)).status).toBe(413);
    const limited = await point.evaluation(question);
    expect([limited.status, limited.headers.get('ratelimit')]).toEqual([429, expect.stringContaining('r=0')]);
  });

  test('of the storage is 503, and of the application 500', async () => {
    const agentIdOf = () => {
      throw new Error('secret detail');
    };
    const point = await openPoint([{}], { authzen: { agentIdOf } });
    const question = {
      subject: { type: 'user', id: 'alice' },
      action: { name: 'read' },
      resource: { type: 'a', id: '' },
    };
    const answers = [await point.evaluation(question), await point.evaluations({ evaluations: [question] })];
    for (const { status, text } of answers) {
      expect([status, text]).toEqual([500, expect.not.stringContaining('secret detail')]);
    }
    const storage = probe();
    const other = await openPoint([{}], { storage });
    storage.fail = () => Promise.reject(new Error('secret detail'));
    const unknown = { ...question, subject: { type: 'user', id: 'none' } };
    const failed = [await other.evaluation(unknown), await other.evaluations({ evaluations: [unknown] })];
    for (const { status, text } of failed) {
      expect([status, text]).toEqual([503, expect.not.stringContaining('secret detail')]);
    }
    storage.fail = undefined;
  });

  test('of a service without AuthZEN is 404: there is no such path, and it is not described', async () => {
    const opened = openService();
    const api = openApi(opened);
    for (const path of ['/access/v1/evaluation', '/access/v1/evaluations']) {
      expect((await fetchHandler(opened.service)(toRequest('POST', path, { json: {} }))).status).toBe(404);
    }
    expect((await api.ask('GET', '/openapi.json')).text).not.toContain('"/access/v1');
  });
});

test('an Idempotency-Key gives the first answer again, and spends once', async () => {
  const budgets = [{ name: 'day', window: 'day', limit: 20 }];
  const point = await openPoint([{ currency: 'EUR', monetary_actions: ['payments.create'], budgets }]);
  const headers = { authorization: `Bearer ${point.key}`, 'idempotency-key': 'order-1' };
  const question = { subject, action: pay(5), resource: shop };
  const batch = { evaluations: [question, { ...question, action: pay(6) }] };
  const batchHeaders = { ...headers, 'idempotency-key': 'order-2' };
  const one = [await point.evaluation(question, { headers }), await point.evaluation(question, { headers })];
  const two = [
    await point.evaluations(batch, { headers: batchHeaders }),
    await point.evaluations(batch, { headers: batchHeaders }),
  ];
  for (const [first, second] of [one, two]) {
    expect(second?.body).toEqual(first?.body);
    expect([first, second].map((answer) => answer?.headers.get('idempotent-replayed'))).toEqual([
      null,
      'true',
    ]);
  }
  const { body } = await point.api.ask('GET', `/passports/${encodeURIComponent(SHOPPER)}/budgets`, {
    token: point.token,
  });
  expect(body['data']).toMatchObject([{ spent: 16 }]);
  expect((await point.evaluation({ ...question, action: pay(4) }, { headers })).status).toBe(422);
  const empty = await point.evaluation(question, { headers: { ...headers, 'idempotency-key': '' } });
  expect(empty.status).toBe(400);
});

test('an Idempotency-Key has 1 to 255 characters for any number of questions, and holds for its path alone', async () => {
  const budgets = [{ name: 'day', window: 'day', limit: 20 }];
  const point = await openPoint([{ currency: 'EUR', monetary_actions: ['payments.create'], budgets }]);
  const question = { subject, action: pay(1), resource: shop };
  const list = { evaluations: [question, question] };
  const under = (length: number) => ({
    headers: { authorization: `Bearer ${point.key}`, 'idempotency-key': 'k'.repeat(length) },
  });
  for (const length of [0, 256]) {
    expect((await point.evaluations(list, under(length))).status).toBe(400);
    expect((await point.evaluation(question, under(length))).status).toBe(400);
  }
  const first = await point.evaluations(list, under(255));
  expect(first.body).toMatchObject({ evaluations: [{ decision: true }, { decision: true }] });
  expect((await point.evaluations(list, under(255))).body).toEqual(first.body);
  const one = await point.evaluation(question, under(255));
  expect([one.body['decision'], one.headers.get('idempotent-replayed')]).toEqual([true, null]);
  const { body } = await point.api.ask('GET', `/passports/${encodeURIComponent(SHOPPER)}/budgets`, {
    token: point.token,
  });
  expect(body['data']).toMatchObject([{ spent: 3 }]);
  const json = { agent_id: SHOPPER, action: 'payments.create', parameters: { amount: 1, currency: 'EUR' } };
  const headers = { 'idempotency-key': 'k'.repeat(255) };
  const verdict = await point.api.ask('POST', '/verify', { key: point.key, json, headers });
  expect([verdict.status, verdict.headers.get('idempotent-replayed')]).toEqual([200, null]);
  await point.evaluations(list, { headers: { ...under(1).headers, 'idempotency-key': 'a' } });
  const other = await point.evaluation(question, {
    headers: { ...under(1).headers, 'idempotency-key': 'a#1' },
  });
  expect([other.status, other.headers.get('idempotent-replayed')]).toEqual([200, null]);
});

test('options that cannot work are refused', () => {
  for (const authzen of [
    false,
    null,
    'x',
    { agentDomain: 'x' },
    { agentDomain: 7 },
    { agentIdOf: 'x' },
    { subjectOf: 'x' },
    { agentDomian: 'a.example' },
  ]) {
    expect(() => openService({ authzen: authzen as never })).toThrow(
      expect.objectContaining({ code: 'invalid_configuration' }),
    );
  }
});
