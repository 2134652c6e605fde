import { describe, expect, test } from 'vitest';
import { createAdminClient, createIdentityClient } from '../../src/client.ts';
import { nodeListener } from '../../src/http/index.ts';
import { issue, makeKey, openApi, signIn } from '../support/api.ts';
import { listen } from '../support/servers.ts';
import { openService } from '../support/service.ts';

const PAYMENT = { action: 'payments.create', parameters: { amount: '80', currency: 'EUR', order: 7 } };

async function openShop() {
  const opened = openService();
  const api = openApi(opened);
  const { token, account_id } = await signIn(opened, api);
  const agent_id = await issue(api, token, {
    currency: 'EUR',
    monetary_actions: ['payments.create'],
    approval: { above: 50 },
  });
  const { key } = await makeKey(api, token);
  const intent = { agent_id, ...PAYMENT };
  const verify = async (more: object = {}) => {
    const { status, body } = await api.ask('POST', '/verify', { key, json: { ...intent, ...more } });
    return { status, body, reasons: (body['reasons'] ?? []) as { code: string; approval_id: string }[] };
  };
  const request = async () => (await verify()).reasons[0]?.approval_id ?? '';
  const decide = (id: string, method: string, json?: unknown) =>
    api.ask('POST', `/approvals/${id}/${method}`, { token, ...(json !== undefined && { json }) });
  return { ...opened, api, token, account_id, agent_id, key, intent, verify, request, decide };
}

describe('over HTTP', () => {
  test('a person approves an intent with a note, and the agent uses it once', async () => {
    const { api, token, account_id, agent_id, key, verify, request, decide, intent, clock } =
      await openShop();
    const id = await request();
    const shown = await api.ask('GET', `/approvals/${id}`, { key });
    expect(shown.body).toMatchObject({ id, status: 'pending', agent_id, environment: 'live', intent });
    const decided = await decide(id, 'approve', { note: 'x'.repeat(500) });
    expect(decided.body).toMatchObject({
      status: 'approved',
      decided_by: account_id.replace('acc_', 'mem_'),
      decided_at: clock.instant(),
      note: 'x'.repeat(500),
    });
    const { body } = await verify({ approval_id: id });
    expect(body['verdict']).toBe('ALLOW');
    expect((await verify({ approval_id: id })).reasons[0]?.code).toBe('approval_used');
    const list = await api.ask('GET', `/approvals?status=used&agent_id=${agent_id}&limit=1`, { token });
    expect(list.body).toMatchObject({
      data: [{ id, status: 'used', decision_id: body['decision_id'] }],
      has_more: false,
    });
  });

  test('a body may be left out; a decision the other way is 409, the same one 200', async () => {
    const { request, decide } = await openShop();
    const id = await request();
    expect((await decide(id, 'reject')).body).toMatchObject({ status: 'rejected', note: null });
    expect((await decide(id, 'reject', { note: 'late' })).body).toMatchObject({ note: null });
    const other = await decide(id, 'approve');
    expect(other).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  test.each([
    [{ note: '' }, '/note'],
    [{ note: 'x'.repeat(501) }, '/note'],
    [{ note: 5 }, '/note'],
    [{ note: null }, '/note'],
    [{ reason: 'x' }, '/reason'],
    [[], ''],
  ])('a decision of %j is 400', async (json, path) => {
    const { request, decide } = await openShop();
    const id = await request();
    for (const method of ['approve', 'reject']) {
      const answer = await decide(id, method, json);
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
    }
    expect((await decide(id, 'approve')).status).toBe(200);
  });

  test.each([
    ['?status=open', '/status'],
    ['?status=', '/status'],
    ['?agent_id=', '/agent_id'],
    ['?limit=0', '/limit'],
    ['?limit=101', '/limit'],
    ['?cursor=x', '/cursor'],
    ['?state=pending', '/state'],
  ])('a list by %s is 400', async (query, path) => {
    const { api, token } = await openShop();
    const answer = await api.ask('GET', `/approvals${query}`, { token });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  test.each([[''], ['x'.repeat(129)], [5], [null], [['apr_1']]])(
    'an intent whose approval_id is %j is 400',
    async (approval_id) => {
      const { verify } = await openShop();
      const { status, body } = await verify({ approval_id });
      expect(status).toBe(400);
      expect(body).toMatchObject({ errors: [{ path: '/approval_id' }] });
    },
  );

  test('an approval_id that is unknown is a DENY', async () => {
    const { verify } = await openShop();
    for (const approval_id of ['apr_0', '../keys', 'ü', 'x'.repeat(128)])
      expect((await verify({ approval_id })).reasons[0]?.code).toBe('approval_mismatch');
  });

  test('a key neither lists nor decides, and sees only its agents', async () => {
    const { api, token, key, request } = await openShop();
    const id = await request();
    expect((await api.ask('GET', '/approvals', { key })).status).toBe(401);
    for (const method of ['approve', 'reject'])
      expect((await api.ask('POST', `/approvals/${id}/${method}`, { key })).status).toBe(401);
    const narrow = await makeKey(api, token, { agent_ids: ['did:web:example.com:agents:other'] });
    expect((await api.ask('GET', `/approvals/${id}`, { key: narrow.key })).status).toBe(404);
    const inTest = await makeKey(api, token, { environment: 'test' });
    expect((await api.ask('GET', `/approvals/${id}`, { key: inTest.key })).status).toBe(404);
    const revoker = await makeKey(api, token, { scopes: ['revoke'] });
    expect((await api.ask('GET', `/approvals/${id}`, { key: revoker.key })).status).toBe(403);
  });

  test('a retry under a key gets the ALLOW again, and the approval is used once', async () => {
    const { api, key, intent, request, decide } = await openShop();
    const id = await request();
    await decide(id, 'approve');
    const json = { ...intent, approval_id: id };
    const ask = () => api.ask('POST', '/verify', { key, json, headers: { 'idempotency-key': 'order-7' } });
    const [first, again] = [await ask(), await ask()];
    expect(first.body['verdict']).toBe('ALLOW');
    expect(again.body['decision_id']).toBe(first.body['decision_id']);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });
});

test('the clients have the same methods, and take no answer about another approval', async () => {
  const { service, account_id, key, token, request } = await openShop();
  const baseUrl = `${await listen(nodeListener(service))}/api`;
  const admin = createAdminClient({ baseUrl, accessToken: token });
  const client = createIdentityClient({ baseUrl, apiKey: key });
  const id = await request();
  const actor = { account_id };
  expect(Object.keys(service.approvals).sort()).toEqual(Object.keys(admin.approvals).sort());
  expect(await client.approvals.get(id)).toEqual(await service.approvals.get(id, actor));
  expect(await admin.approvals.list({ status: 'pending' })).toEqual(
    await service.approvals.list({ status: 'pending' }, actor),
  );
  expect(await admin.approvals.approve(id, { note: 'yes' })).toMatchObject({
    status: 'approved',
    note: 'yes',
  });
  await expect(admin.approvals.reject(id)).rejects.toMatchObject({ code: 'conflict' });
  expect(await admin.approvals.get(id)).toEqual(await service.approvals.get(id, actor));
  await expect(client.approvals.get('..')).rejects.toMatchObject({ code: 'not_found' });
  const fetch: typeof globalThis.fetch = async () => Response.json({ id: 'apr_other', status: 'approved' });
  const lied = createIdentityClient({ baseUrl, apiKey: key, fetch });
  await expect(lied.approvals.get(id)).rejects.toMatchObject({ code: 'service_unreachable' });
});
