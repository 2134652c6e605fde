import { describe, expect, test } from 'vitest';
import { expectProblem, issue, makeKey, signIn, text } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';
import { HOUR, MINUTE } from '../support/service.ts';

const AGENT = 'did:web:example.com:agents:shopper';
const INTENT = { agent_id: AGENT, action: 'orders.get' };
const ROOM = { passports: null, verifications_per_minute: null };

async function openRotation(keys: number | null = null) {
  const stage = await openStage({ plans: { starter: { keys, ...ROOM } } });
  const { api, token, opened } = stage;
  const rotate = (id: string, json?: object) => api.ask('POST', `/keys/${id}/rotate`, { token, json });
  const verify = async (key: string) => (await api.ask('POST', '/verify', { key, json: INTENT })).status;
  const show = async (id: string) => (await api.ask('GET', `/keys/${id}`, { token })).body;
  const activeCount = async () => (await api.ask('GET', '/keys', { token })).body['active_count'];
  return { ...stage, clock: opened.clock, rotate, verify, show, activeCount };
}

describe('a rotation', () => {
  test('without a grace ends the old key at once, and hands everything on', async () => {
    const { api, token, clock, rotate, verify, show } = await openRotation();
    const input = { scopes: ['reinstate', 'verify'], agent_ids: [AGENT], expires_at: clock.instant(HOUR) };
    const old = await makeKey(api, token, input);
    clock.advance(MINUTE);
    const answer = await rotate(old.id);
    const key = text(answer, 'key');
    expect(answer.status).toBe(201);
    expect(answer.body).toStrictEqual({
      id: expect.stringMatching(/^key_/),
      key: expect.stringMatching(/^ais_live_/),
      name: 'a key',
      start: key.slice(0, 13),
      environment: 'live',
      ...input,
      created_at: clock.instant(),
      plan: 'starter',
      message: expect.stringContaining('once'),
      replaces: old.id,
    });
    expect([await verify(old.key), await verify(key)]).toEqual([401, 200]);
    expect(await show(old.id)).toMatchObject({
      status: 'revoked',
      revoked_at: clock.instant(),
      rotated_to: answer.body['id'],
    });
    expect(await show(text(answer, 'id'))).toMatchObject({ status: 'active', rotated_to: null });
  });

  test('with a grace lets both keys work until it is over, to the millisecond', async () => {
    const { api, token, clock, rotate, verify, show } = await openRotation();
    const old = await makeKey(api, token);
    const fresh = await rotate(old.id, { grace_seconds: 60 });
    expect(fresh.body).toMatchObject({ expires_at: null, replaces: old.id });
    expect(await show(old.id)).toMatchObject({
      status: 'rotating',
      expires_at: clock.instant(MINUTE),
      revoked_at: null,
      rotated_to: fresh.body['id'],
    });
    clock.advance(MINUTE - 1);
    expect([await verify(old.key), await verify(text(fresh, 'key'))]).toEqual([200, 200]);
    clock.advance(1);
    expect([await verify(old.key), await verify(text(fresh, 'key'))]).toEqual([401, 200]);
    expect((await show(old.id))['status']).toBe('expired');
  });

  test('never lets the old key outlive its own expiry', async () => {
    const { api, token, clock, rotate, verify, show } = await openRotation();
    const expires_at = clock.instant(MINUTE);
    const old = await makeKey(api, token, { expires_at });
    const fresh = await rotate(old.id, { grace_seconds: 604_800 });
    expect([(await show(old.id))['expires_at'], fresh.body['expires_at']]).toEqual([expires_at, expires_at]);
    clock.advance(MINUTE);
    expect([await verify(old.key), await verify(text(fresh, 'key'))]).toEqual([401, 401]);
  });

  test('of a test key makes a test key that may only verify', async () => {
    const { api, token, rotate } = await openRotation();
    const { id } = await makeKey(api, token, { environment: 'test' });
    const { body } = await rotate(id, {});
    expect(body).toMatchObject({ environment: 'test', scopes: ['verify'] });
    expect(body['key']).toMatch(/^ais_test_/);
  });

  test.each(['revoked', 'expired', 'rotating', 'rotated'])(
    'of a key that is %s is a conflict',
    async (state) => {
      const { api, token, clock, rotate, refused } = await openRotation();
      const { id } = await makeKey(api, token, { expires_at: clock.instant(HOUR) });
      if (state === 'revoked') await api.ask('DELETE', `/keys/${id}`, { token });
      if (state === 'expired') clock.advance(HOUR);
      if (state === 'rotating') await rotate(id, { grace_seconds: 60 });
      if (state === 'rotated') await rotate(id);
      await refused('POST', `/keys/${id}/rotate`, { token }, 409, 'conflict');
      const patched = await api.ask('PATCH', `/keys/${id}`, { token, json: {} });
      if (state === 'rotating') expect(patched.status).toBe(200);
      else expectProblem(patched, 409, 'conflict');
    },
  );

  test('of one key many times at once has one winner', async () => {
    const { api, token, rotate, activeCount } = await openRotation();
    const { id } = await makeKey(api, token);
    const answers = await Promise.all(Array.from({ length: 20 }, () => rotate(id, { grace_seconds: 60 })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    expect(await activeCount()).toBe(1);
  });

  test('is exempt from the limit of the plan, and counts nothing', async () => {
    const { api, token, rotate, activeCount } = await openRotation(2);
    const [a, b] = [await makeKey(api, token), await makeKey(api, token)];
    const fresh = await rotate(a.id);
    await rotate(b.id, { grace_seconds: 60 });
    await rotate(text(fresh, 'id'));
    expect(await activeCount()).toBe(2);
    expectProblem(await api.ask('POST', '/keys', { token, json: { name: 'x' } }), 403, 'plan_limit_reached');
    // What is rotating is no longer counted, so revoking it gives nothing back.
    await api.ask('DELETE', `/keys/${b.id}`, { token });
    expectProblem(await api.ask('POST', '/keys', { token, json: { name: 'x' } }), 403, 'plan_limit_reached');
    await api.ask('DELETE', `/keys/${a.id}`, { token });
    expect(await activeCount()).toBe(2);
  });

  test('may be cut short by revoking the old key', async () => {
    const { api, token, rotate, verify, show } = await openRotation();
    const old = await makeKey(api, token);
    await rotate(old.id, { grace_seconds: 60 });
    await api.ask('DELETE', `/keys/${old.id}`, { token });
    expect(await verify(old.key)).toBe(401);
    expect((await show(old.id))['status']).toBe('revoked');
  });

  test.each([
    ['nothing at all', { body: '', type: null }, 201],
    ['an empty body', { body: '' }, 201],
    ['an empty object', { json: {} }, 201],
    ['a body of no type', { body: '{}', type: null }, 415],
    ['an empty body of another type', { body: '', type: 'text/plain' }, 415],
    ['no JSON', { body: ' ' }, 400],
  ])('takes %s as it should', async (_, ask, status) => {
    const { api, token } = await openRotation();
    const { id } = await makeKey(api, token);
    expect((await api.ask('POST', `/keys/${id}/rotate`, { token, ...ask })).status).toBe(status);
  });
});

describe('a patch of a key', () => {
  test('changes its name, its scopes and its agents, from the next request on', async () => {
    const { api, token } = await openRotation();
    await issue(api, token);
    const { key, id } = await makeKey(api, token);
    const patch = (json: object) => api.ask('PATCH', `/keys/${id}`, { token, json });
    const verdict = async () => (await api.ask('POST', '/verify', { key, json: INTENT })).body['verdict'];
    const before = (await api.ask('GET', `/keys/${id}`, { token })).body;
    expect((await patch({})).body).toStrictEqual(before);
    expect((await patch({ name: 'b' })).body).toStrictEqual({
      ...before,
      name: 'b',
      changed_at: expect.any(String),
      changed_by: before['created_by'],
    });
    expect((await patch({ agent_ids: ['did:web:x.example:agents:y'] })).status).toBe(200);
    expect(await verdict()).toBe('DENY');
    expect((await patch({ agent_ids: null })).body['agent_ids']).toBeNull();
    expect(await verdict()).toBe('ALLOW');
    expect((await patch({ scopes: ['revoke'] })).body['scopes']).toEqual(['revoke']);
    expectProblem(await api.ask('POST', '/verify', { key, json: INTENT }), 403, 'insufficient_scope');
  });

  test('takes agents of another account as any text, and reveals nothing of them', async () => {
    const { opened, api, token } = await openRotation();
    const other = await signIn(opened, api, 'other@example.com');
    const foreign = await issue(api, other.token);
    const { key, id } = await makeKey(api, token);
    const json = { agent_ids: [foreign, 'nobody'] };
    expect((await api.ask('PATCH', `/keys/${id}`, { token, json })).body['agent_ids']).toEqual(
      json.agent_ids,
    );
    const ask = {
      key,
      json: { intents: json.agent_ids.map((agent_id) => ({ agent_id, action: 'orders.get' })) },
    };
    expect((await api.ask('POST', '/verify/batch', ask)).text).not.toContain('"ALLOW"');
  });

  test('cannot give a test key more than verify', async () => {
    const { api, token, refused } = await openRotation();
    const { id } = await makeKey(api, token, { environment: 'test' });
    const json = { scopes: ['verify', 'revoke'] };
    expect(await refused('PATCH', `/keys/${id}`, { token, json }, 400, 'invalid_request')).toEqual([
      '/scopes',
    ]);
  });
});

describe('the last use of a key', () => {
  test('is shown to the minute, some seconds later, and costs no verdict a write', async () => {
    const { opened, api, token, verify, show } = await openRotation();
    const { key, id } = await makeKey(api, token);
    opened.clock.advance(90_000);
    await verify(key);
    expect((await show(id))['last_used_at']).toBeNull();
    await opened.timers.pass(10_000);
    expect((await show(id))['last_used_at']).toBe('2026-11-20T12:01:00.000Z');
    await opened.timers.pass(MINUTE);
    await verify(key);
    await opened.timers.pass(10_000);
    expect((await show(id))['last_used_at']).toBe('2026-11-20T12:02:00.000Z');
  });

  test('is written when the service closes', async () => {
    const { opened, api, token, verify } = await openRotation();
    const { key, id } = await makeKey(api, token);
    await verify(key);
    const written: unknown[] = [];
    const { write } = opened.storage;
    Object.assign(opened.storage, {
      write: async (changes: readonly { readonly op: string }[]) => {
        // The rates are counted as well.
        if (changes.some(({ op }) => op !== 'add')) written.push(changes);
        return write(changes as never);
      },
    });
    await opened.service.close();
    const last_used_at = opened.clock.instant();
    expect(written).toMatchObject([[{ op: 'replace', collection: 'keys', record: { id, last_used_at } }]]);
  });

  test('never brings a revoked key back', async () => {
    const { opened, api, token, verify, show } = await openRotation();
    const { key, id } = await makeKey(api, token);
    await verify(key);
    await api.ask('DELETE', `/keys/${id}`, { token });
    await opened.timers.pass(20_000);
    expect((await show(id))['status']).toBe('revoked');
    expect(await verify(key)).toBe(401);
  });
});
