import { describe, expect, test } from 'vitest';
import { type Answer, type Ask, expectProblem, issue, makeKey } from '../support/api.ts';
import { openStage, type Stage } from '../support/malformed.ts';
import { HOUR, MINUTE } from '../support/service.ts';

/** A passport and what can be done to it. */
interface Subject extends Stage {
  readonly agent: string;
  get(): Promise<Answer>;
  patch(json: unknown, headers?: Ask['headers']): Promise<Answer>;
  post(change: 'revoke' | 'suspend' | 'reinstate', fields?: object): Promise<Answer>;
  verdict(): Promise<unknown>;
}

async function openSubject(fields: object = {}): Promise<Subject> {
  const stage = await openStage();
  const { api, token } = stage;
  const agent = await issue(api, token, fields);
  const { key } = await makeKey(api, token);
  const path = `/passports/${encodeURIComponent(agent)}`;
  return {
    ...stage,
    agent,
    get: () => api.ask('GET', path, { token }),
    patch: (json, headers = {}) => api.ask('PATCH', path, { token, json, headers }),
    post: (change, more = {}) => api.ask('POST', `/${change}`, { token, json: { agent_id: agent, ...more } }),
    async verdict() {
      const answer = await api.ask('POST', '/verify', {
        key,
        json: { agent_id: agent, action: 'orders.get' },
      });
      return answer.body['verdict'];
    },
  };
}

describe('a merge patch', () => {
  test('sets, replaces and removes fields, and raises the version', async () => {
    const { opened, get, patch } = await openSubject({ description: 'old', currency: 'EUR' });
    const before = await get();
    opened.clock.advance(MINUTE);
    const changed = await patch({
      description: null,
      currency: 'USD',
      denied_actions: ['a'],
      allowed_actions: [],
    });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).toBe('"2"');
    const { description: _, ...rest } = before.body;
    expect(changed.body).toStrictEqual({
      ...rest,
      currency: 'USD',
      denied_actions: ['a'],
      allowed_actions: [],
      version: 2,
      updated_at: opened.clock.instant(),
    });
    expect((await get()).body).toEqual(changed.body);
  });

  test.each([
    ['denied_actions', ['a']],
    ['currency', 'EUR'],
    ['allowed_targets', ['did:web:a.example']],
    ['monetary_actions', ['a']],
    ['not_before', '2026-01-01T00:00:00.000Z'],
    ['expires_at', '2027-01-01T00:00:00.000Z'],
    ['description', 'a'],
    ['metadata', { a: 'b' }],
  ])('sets and then removes %s', async (field, value) => {
    const { patch } = await openSubject();
    expect((await patch({ [field]: value })).body[field]).toEqual(value);
    const removed = await patch({ [field]: null });
    expect(removed.body).not.toHaveProperty(field);
    expect(removed.body['version']).toBe(3);
    expect((await patch({ [field]: null })).body['version']).toBe(3);
  });

  test('merges metadata name by name', async () => {
    const { patch } = await openSubject({ metadata: { a: '1', b: '2' } });
    expect((await patch({ metadata: { b: null, c: '3' } })).body['metadata']).toEqual({ a: '1', c: '3' });
    expect((await patch({ metadata: { x: null, constructor: 'y' } })).body['metadata']).toEqual({
      a: '1',
      c: '3',
      constructor: 'y',
    });
    expect((await patch({ metadata: {} })).body['version']).toBe(3);
  });

  test.each([
    {},
    { allowed_actions: ['payments.create', 'orders.*'] },
    { monetary_limit_per_txn: '100.00' },
    { monetary_limit_per_txn: 100 },
    { denied_actions: null },
    { expires_at: '2027-01-01T01:00:00+01:00' },
    { metadata: { b: '2' } },
  ])('%j that changes nothing makes no version', async (json) => {
    const {
      opened,
      patch,
      refused: _,
    } = await openSubject({
      expires_at: '2027-01-01T00:00:00Z',
      metadata: { a: '1', b: '2' },
    });
    opened.clock.advance(MINUTE);
    const answer = await patch(json);
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"1"']);
    expect(answer.body['updated_at']).toBe(opened.clock.instant(-MINUTE));
    expect(await opened.storage.list('passport_versions', { where: {}, limit: 10 })).toHaveLength(1);
  });

  test('decides verdicts from then on', async () => {
    const { patch, verdict } = await openSubject();
    expect(await verdict()).toBe('ALLOW');
    await patch({ denied_actions: ['orders.*'] });
    expect(await verdict()).toBe('DENY');
    await patch({ denied_actions: null });
    expect(await verdict()).toBe('ALLOW');
  });

  test('of which many come at once are all applied, each as a version of its own', async () => {
    const { patch, get } = await openSubject();
    const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
    await Promise.all(names.map((name) => patch({ metadata: { [name]: 'v' } })));
    const { body } = await get();
    expect(body['version']).toBe(21);
    expect(Object.keys(body['metadata'] ?? {}).sort()).toEqual(names.sort());
  });
});

describe('If-Match', () => {
  test.each(['"1"', '*', ' * ', '"1", "2"', '"2","1"', 'W/"1", "1"', '"x", "1"', '"", "1"'])(
    '%s matches version 1',
    async (condition) => {
      const { patch } = await openSubject();
      expect((await patch({ description: 'new' }, { 'if-match': condition })).status).toBe(200);
    },
  );

  test.each(['"2"', '"01"', '"1.0"', 'W/"1"', '"x"', '""', '"2", "3"', '"99999999999999999999"', '"+1"'])(
    '%s does not match version 1',
    async (condition) => {
      const { patch, get } = await openSubject();
      expectProblem(await patch({ description: 'new' }, { 'if-match': condition }), 412, 'version_mismatch');
      expect((await get()).body['version']).toBe(1);
    },
  );

  test.each(['', '1', "'1'", '"1', '1"', '"1" "2"', '*, "1"', 'w/"1"', '"1";q=1', '"a"b"'])(
    '%j is malformed',
    async (condition) => {
      const { patch, get } = await openSubject();
      expectProblem(await patch({ description: 'new' }, { 'if-match': condition }), 400, 'invalid_request');
      expect((await get()).body['version']).toBe(1);
    },
  );

  test('that many send at once lets one through', async () => {
    const { patch } = await openSubject();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => patch({ description: `${index}` }, { 'if-match': '"1"' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)]);
  });
});

describe('revocation', () => {
  test('is for ever, and keeps its first reason and instant', async () => {
    const { opened, get, patch, post, verdict } = await openSubject();
    const revoked_at = opened.clock.instant();
    const first = await post('revoke', { reason: 'lost' });
    expect(first.body).toEqual({
      agent_id: first.body['agent_id'],
      status: 'revoked',
      reason: 'lost',
      revoked_at,
    });
    opened.clock.advance(HOUR);
    expect((await post('revoke', { reason: 'other' })).body).toEqual(first.body);
    expect((await post('revoke')).body).toEqual(first.body);
    expectProblem(await patch({ description: 'new' }), 409, 'conflict');
    expectProblem(await patch({}), 409, 'conflict');
    expectProblem(await post('suspend'), 409, 'conflict');
    expectProblem(await post('reinstate'), 409, 'conflict');
    expect((await get()).body).toMatchObject({
      status: 'revoked',
      version: 2,
      revoked_at,
      revocation_reason: 'lost',
    });
    expect(await verdict()).toBe('DENY');
  });

  test('without a reason has none, and names who did it', async () => {
    const { api, agent, get, token, opened } = await openSubject();
    const { key, id } = await makeKey(api, token);
    const answer = await api.ask('POST', '/revoke', { key, json: { agent_id: agent } });
    expect(answer.body['reason']).toBeNull();
    expect((await get()).body).toMatchObject({ revoked_by: id, revocation_reason: null });
    const { account_id } = await opened.service.authenticateSession(token);
    const other = await issue(api, token, { agent_name: 'other' });
    await api.ask('POST', '/revoke', { token, json: { agent_id: other } });
    const { body } = await api.ask('GET', `/passports/${other}`, { token });
    expect(body['revoked_by']).toBe(account_id.replace('acc_', 'mem_'));
  });
});

describe('suspension', () => {
  test('holds until it is ended', async () => {
    const { get, post, verdict } = await openSubject();
    const answer = await post('suspend', { reason: 'checking' });
    expect(answer.body).toMatchObject({ status: 'suspended', reason: 'checking', suspended_until: null });
    expect(await verdict()).toBe('DENY');
    expect((await get()).body).toMatchObject({
      status: 'suspended',
      version: 2,
      suspension_reason: 'checking',
    });
    expect((await post('reinstate')).body).toEqual({ agent_id: answer.body['agent_id'], status: 'active' });
    expect(await verdict()).toBe('ALLOW');
    expect((await get()).body).toMatchObject({ status: 'active', version: 3, suspended_by: null });
    expect((await post('reinstate')).status).toBe(200);
    expect((await get()).body['version']).toBe(3);
  });

  test('ends by itself at its instant, in status and verdict alike', async () => {
    const { opened, get, post, verdict } = await openSubject();
    const until = opened.clock.instant(MINUTE);
    expect((await post('suspend', { until })).body['suspended_until']).toBe(until);
    opened.clock.advance(MINUTE - 1);
    expect([await verdict(), (await get()).body['status']]).toEqual(['DENY', 'suspended']);
    opened.clock.advance(1);
    expect([await verdict(), (await get()).body['status']]).toEqual(['ALLOW', 'active']);
    expect((await get()).body).toMatchObject({
      suspended_until: null,
      suspended_by: null,
      suspension_reason: null,
    });
  });

  test('may be replaced by another', async () => {
    const { opened, get, post } = await openSubject();
    await post('suspend', { reason: 'a' });
    const until = opened.clock.instant(HOUR);
    const second = await post('suspend', { until });
    expect(second.body).toMatchObject({ reason: null, suspended_until: until });
    expect((await get()).body).toMatchObject({ suspended_until: until, suspension_reason: null, version: 3 });
    await post('suspend', { until });
    expect((await get()).body['version']).toBe(3);
  });
});

test('expiry is derived from the clock, in status and verdict alike', async () => {
  const { opened, get, patch, post, verdict } = await openSubject({
    not_before: '2026-11-20T12:01:00Z',
    expires_at: '2026-11-20T12:02:00Z',
  });
  expect([await verdict(), (await get()).body['status']]).toEqual(['DENY', 'active']);
  opened.clock.advance(MINUTE);
  expect([await verdict(), (await get()).body['status']]).toEqual(['ALLOW', 'active']);
  opened.clock.advance(MINUTE);
  expect([await verdict(), (await get()).body['status']]).toEqual(['DENY', 'expired']);
  expect((await post('reinstate')).body['status']).toBe('expired');
  expect((await patch({ expires_at: null })).body['status']).toBe('active');
  expect(await verdict()).toBe('ALLOW');
});
