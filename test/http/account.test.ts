import { describe, expect, test } from 'vitest';
import { expectProblem, issue, makeKey, text } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';
import { PASSWORD } from '../support/service.ts';

const EMAIL = 'owner@example.com';
const FRESH = 'Ein-Anderes-Kennwort-8';
const INTENT = { agent_id: 'did:web:example.com:agents:shopper', action: 'orders.get' };

async function openAccount() {
  const stage = await openStage();
  stage.opened.secrets.add(FRESH);
  const { api, token } = stage;
  const change = (current_password: string, new_password = FRESH) =>
    api.ask('POST', '/auth/password', { token, json: { current_password, new_password } });
  const login = (password: string) => api.ask('POST', '/auth/login', { json: { email: EMAIL, password } });
  return { ...stage, change, login };
}

describe('GET /account', () => {
  test('shows what is used and what the plan allows', async () => {
    const { opened, api, token } = await openAccount();
    await issue(api, token);
    const { id } = await makeKey(api, token);
    await makeKey(api, token, { expires_at: opened.clock.instant(1_000) });
    await api.ask('POST', `/keys/${id}/rotate`, { token, json: { grace_seconds: 60 } });
    const { account_id } = await opened.service.authenticateSession(token);
    const shown = {
      id: account_id,
      email: EMAIL,
      external_id: null,
      name: null,
      plan: 'starter',
      created_at: opened.clock.instant(),
      usage: { active_keys: 2, passports: 1, members: 1 },
      member: { id: expect.stringMatching(/^mem_/), email: 'owner@example.com', name: null, role: 'owner' },
      limits: { keys: 20, passports: 1_000, verifications_per_minute: 6_000, writes_per_minute: 1_200 },
    };
    expect((await api.ask('GET', '/account', { token })).body).toStrictEqual(shown);
    opened.clock.advance(1_000);
    const later = await api.ask('GET', '/account', { token });
    expect(later.body['usage']).toEqual({ active_keys: 1, passports: 1, members: 1 });
  });

  test('shows no limit as null', async () => {
    const { opened, api, token } = await openAccount();
    await opened.service.accounts.setPlan(EMAIL, 'enterprise');
    expect((await api.ask('GET', '/account', { token })).body).toMatchObject({
      plan: 'enterprise',
      limits: { keys: null, passports: null, verifications_per_minute: null, writes_per_minute: null },
    });
  });
});

describe('a change of password', () => {
  test('ends every session, also the one it came by, and no API key', async () => {
    const { opened, api, token, change, login } = await openAccount();
    await issue(api, token);
    const { key } = await makeKey(api, token);
    const other = text(await login(PASSWORD), 'access_token');
    expect((await change(PASSWORD)).status).toBe(204);
    for (const dead of [token, other])
      expectProblem(await api.ask('GET', '/keys', { token: dead }), 401, 'unauthenticated');
    expectProblem(await login(PASSWORD), 401, 'invalid_credentials');
    expect((await login(FRESH)).status).toBe(200);
    expect((await api.ask('POST', '/verify', { key, json: INTENT })).body['verdict']).toBe('ALLOW');
    expect(opened.logs).toEqual([]);
  });

  test('is refused for a wrong current password, and changes nothing', async () => {
    const { api, token, change, login } = await openAccount();
    for (const wrong of ['', 'x', ` ${PASSWORD}`, FRESH])
      expectProblem(await change(wrong), 401, 'invalid_credentials');
    expect((await api.ask('GET', '/keys', { token })).status).toBe(200);
    expect((await login(PASSWORD)).status).toBe(200);
  });

  test.each(['', 'a'.repeat(11), 'a'.repeat(129)])('to %j is refused before any work', async (password) => {
    const { opened, token, refused } = await openAccount();
    const { verified } = opened.hashing;
    const json = { current_password: 'wrong', new_password: password };
    const paths = await refused('POST', '/auth/password', { token, json }, 400, 'invalid_request');
    expect([paths, opened.hashing.verified]).toEqual([['/new_password'], verified]);
  });

  test('many times at once has one winner', async () => {
    const { change } = await openAccount();
    const answers = await Promise.all(Array.from({ length: 5 }, () => change(PASSWORD)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    for (const { status } of answers) expect([204, 401]).toContain(status);
  });
});

describe('an account that is disabled', () => {
  test('has no login, no session and no key, with the old messages', async () => {
    const { opened, api, token, login } = await openAccount();
    const { key } = await makeKey(api, token);
    expect((await api.ask('POST', '/verify', { key, json: INTENT })).status).toBe(200);
    await opened.service.accounts.disable('OWNER@example.com');
    await opened.service.accounts.disable(EMAIL);
    expectProblem(await api.ask('GET', '/account', { token }), 401, 'unauthenticated');
    expectProblem(await api.ask('POST', '/verify', { key, json: INTENT }), 401, 'unauthenticated');
    expectProblem(await login(PASSWORD), 401, 'invalid_credentials');
  });

  test('that is enabled again has its login and its keys, and no session of before', async () => {
    const { opened, api, token, login } = await openAccount();
    const { key } = await makeKey(api, token);
    const { accounts } = opened.service;
    await accounts.disable(EMAIL);
    expect((await accounts.list()).data).toMatchObject([{ email: EMAIL, disabled: true }]);
    await accounts.enable('OWNER@example.com');
    await accounts.enable(EMAIL);
    expect((await accounts.list()).data).toMatchObject([{ email: EMAIL, disabled: false }]);
    expectProblem(await api.ask('GET', '/account', { token }), 401, 'unauthenticated');
    expect((await api.ask('POST', '/verify', { key, json: INTENT })).status).toBe(200);
    expect((await login(PASSWORD)).status).toBe(200);
  });

  test('is known to another node within a second', async () => {
    const { opened, api, token } = await openAccount();
    const { key } = await makeKey(api, token);
    const verify = async () => (await api.ask('POST', '/verify', { key, json: INTENT })).status;
    expect(await verify()).toBe(200);
    const [account] = await opened.storage.list('accounts', { where: {}, limit: 1 });
    if (account === undefined) throw new Error('There is no account.');
    const record = { ...account, version: account.version + 1, disabled_at: opened.clock.instant() };
    await opened.storage.write([{ op: 'replace', collection: 'accounts', record, version: account.version }]);
    opened.clock.advance(1_000);
    expect(await verify()).toBe(401);
  });

  test.each([
    ['setPlan', (accounts) => accounts.setPlan('nobody@example.com', 'team'), 'not_found'],
    ['disable', (accounts) => accounts.disable('nobody@example.com'), 'not_found'],
    ['enable', (accounts) => accounts.enable('nobody@example.com'), 'not_found'],
    ['setPlan to none', (accounts) => accounts.setPlan(EMAIL, 'gold' as 'team'), 'invalid_request'],
    [
      'setPlan to a name of Object',
      (accounts) => accounts.setPlan(EMAIL, 'constructor' as 'team'),
      'invalid_request',
    ],
  ] as [
    string,
    (accounts: import('../../src/index.ts').IdentityService['accounts']) => Promise<unknown>,
    string,
  ][])('%s refuses what is not there', async (_, call, code) => {
    const { opened } = await openAccount();
    await expect(call(opened.service.accounts)).rejects.toMatchObject({ code });
  });
});
