import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MAX_LINES } from '../../src/core/shared/bounded-log.ts';
import { SECURITY_EVENTS } from '../../src/core/shared/security-log.ts';
import { createApiKey } from '../../src/credential/api-key.ts';
import { secureRandom } from '../../src/platform/index.ts';
import { issue, makeKey } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';
import { MINUTE, PASSWORD } from '../support/service.ts';

const EMAIL = 'owner@example.com';
const FRESH = 'Noch-Ein-Kennwort-8';
const FROM = { address: '203.0.113.7', headers: { 'x-request-id': 'order-7' } } as const;
const INTENT = { agent_id: 'did:web:example.com:agents:shopper', action: 'orders.get' };

async function openTrail() {
  const stage = await openStage({ registration: 'open' });
  const { opened, api } = stage;
  const [{ account_id = '' } = {}] = opened.trail as readonly { account_id?: string }[];
  const login = (email: string, password: string) =>
    api.ask('POST', '/auth/login', { json: { email, password }, ...FROM });
  const last = () => opened.trail.at(-1);
  return { ...stage, account_id, login, last };
}

describe('a login', () => {
  test('that fails names the account, where it came from and the request', async () => {
    const { account_id, login, last } = await openTrail();
    await login(EMAIL.toUpperCase(), 'wrong');
    expect(last()).toEqual({
      level: 'warn',
      event: 'account.login_failed',
      message: 'A login was refused: the e-mail or the password is wrong.',
      account_id,
      address: FROM.address,
      request_id: 'order-7',
    });
  });

  test('of an e-mail without an account shows a keyed hash of it: the same for the same e-mail, never itself', async () => {
    const { opened, login } = await openTrail();
    // As it happens to who types into the wrong field.
    opened.secrets.add('Mein-Passwort-im-falschen-Feld');
    for (const email of [
      'Mein-Passwort-im-falschen-Feld',
      'MEIN-Passwort-im-falschen-Feld',
      'eve@example.com',
    ])
      await login(email, 'wrong');
    const hashes = opened.trail.flatMap(({ email_hash }) => email_hash ?? []);
    expect(hashes).toEqual([hashes[0], hashes[0], expect.stringMatching(/^[\w-]{12}$/)]);
    expect(hashes[2]).not.toBe(hashes[0]);
    expect(JSON.stringify(opened.trail)).not.toMatch(/eve@|passwort-im/i);
  });

  test('that is throttled names the account as well', async () => {
    const { opened, account_id, login, last } = await openTrail();
    for (let time = 0; time < 10; time += 1) {
      const answer = login(EMAIL, 'wrong');
      await new Promise(setImmediate);
      opened.timers.skip(2_000);
      await answer;
    }
    expect((await login(EMAIL, PASSWORD)).status).toBe(429);
    expect(last()).toMatchObject({
      level: 'warn',
      event: 'account.login_throttled',
      account_id,
      address: FROM.address,
    });
  });

  test('that succeeds leaves no line', async () => {
    const { opened, login } = await openTrail();
    const { length } = opened.trail;
    expect((await login(EMAIL, PASSWORD)).status).toBe(200);
    expect(opened.trail).toHaveLength(length);
  });
});

describe('an API key that is refused', () => {
  const refusals = {
    unknown: async () => createApiKey('live', secureRandom).key,
    malformed: async () => 'ais_live_abcd and some text of another',
  } as const;

  test.each(Object.entries(refusals))('is named by its start: %s', async (reason, make) => {
    const { opened, api, last } = await openTrail();
    const key = await make();
    opened.secrets.add(key);
    await api.ask('POST', '/verify', { key, json: INTENT, ...FROM });
    const start = key.slice(0, 13);
    expect(last()).toMatchObject({
      level: 'warn',
      event: 'key.refused',
      reason,
      start,
      request_id: 'order-7',
    });
    expect(last()).not.toHaveProperty('key_id');
  });

  test('is not shown at all where it does not look like one of ours', async () => {
    const { api, last } = await openTrail();
    for (const key of ['a secret of another service', 'ais_live_', 'ais_live_a-b/c']) {
      await api.ask('POST', '/verify', { key, json: INTENT });
      expect(last()).toMatchObject({ event: 'key.refused', reason: 'malformed' });
      expect(last()).not.toHaveProperty('start');
    }
  });

  test('is named by its id and account where it was one, with the reason', async () => {
    const { opened, api, token, account_id, last } = await openTrail();
    const ends = await makeKey(api, token, { expires_at: opened.clock.instant(MINUTE) });
    const revoked = await makeKey(api, token);
    const kept = await makeKey(api, token);
    await api.ask('DELETE', `/keys/${revoked.id}`, { token });
    opened.clock.advance(MINUTE);
    const refused = async ({ key, id }: { readonly key: string; readonly id: string }, reason: string) => {
      expect((await api.ask('POST', '/verify', { key, json: INTENT })).status).toBe(401);
      expect(last()).toMatchObject({
        event: 'key.refused',
        account_id,
        key_id: id,
        start: key.slice(0, 13),
        reason,
      });
    };
    await refused(ends, 'expired');
    await refused(revoked, 'revoked');
    await opened.service.accounts.disable(EMAIL);
    await refused(kept, 'account_disabled');
  });

  test('by the thousand leaves a bounded number of lines, and one that counts the others', async () => {
    const { opened, api } = await openTrail();
    for (let time = 0; time < MAX_LINES + 40; time += 1) {
      await api.ask('POST', '/verify', { key: 'none', json: INTENT });
    }
    expect(opened.trail.filter(({ event }) => event === 'key.refused')).toHaveLength(MAX_LINES);
    await opened.timers.pass(MINUTE);
    expect(opened.logs).toMatchObject([
      { event: 'log_suppressed', of: 'key.refused malformed', suppressed: 40 },
    ]);
  });
});

test('logins that are refused for want of a place leave a bounded number of lines', async () => {
  let isStuck = false;
  const verify = () => (isStuck ? new Promise<never>(() => undefined) : Promise.resolve(true));
  const passwordHasher = { hash: async () => 'x', verify, verifyNothing: verify as () => Promise<never> };
  const { opened, api } = await openStage({ passwordHasher });
  isStuck = true;
  const refused: number[] = [];
  for (let time = 0; time < 65 + MAX_LINES + 40; time += 1) {
    const json = { email: `a${time}@example.com`, password: PASSWORD };
    api
      .ask('POST', '/auth/login', { json, address: `10.${time}.0.1` })
      .then(({ status }) => refused.push(status));
  }
  await expect.poll(() => refused).toEqual(Array.from({ length: MAX_LINES + 40 }, () => 503));
  const lines = opened.logs.filter(({ event, code }) => event === 'request_failed' && code === 'overloaded');
  expect(lines).toHaveLength(MAX_LINES);
  await opened.service.close();
  expect(opened.logs.at(-1)).toMatchObject({ of: 'request_failed overloaded', suppressed: 40 });
});

describe('a change', () => {
  test('of a key, a passport, a domain or an account is one line, with who made it', async () => {
    const { opened, api, token, account_id } = await openTrail();
    const from = opened.trail.length;
    const by = account_id.replace('acc_', 'mem_');
    const { id, key } = await makeKey(api, token, { scopes: ['verify', 'revoke', 'reinstate'] });
    await api.ask('PATCH', `/keys/${id}`, { token, json: { name: 'b' } });
    await api.ask('PATCH', `/keys/${id}`, { token, json: { name: 'b' } });
    const agent_id = await issue(api, token);
    await issue(api, token, { agent_name: 'second' });
    await api.ask('PATCH', `/passports/${agent_id}`, { token, json: { monetary_limit_per_txn: 7 } });
    for (const path of ['/suspend', '/reinstate', '/revoke', '/revoke']) {
      await api.ask('POST', path, { key, json: { agent_id }, ...FROM });
    }
    const rotated = await api.ask('POST', `/keys/${id}/rotate`, { token, json: { grace_seconds: 60 } });
    for (const _ of [1, 2]) await api.ask('DELETE', `/keys/${rotated.body['id']}`, { token });
    const passwords = { current_password: PASSWORD, new_password: FRESH };
    opened.secrets.add(FRESH);
    await api.ask('POST', '/auth/password', { token, json: passwords, ...FROM });
    const start = key.slice(0, 13);
    const second = 'did:web:example.com:agents:second';
    const mine = { account_id, by };
    const keyed = { account_id, by: id, agent_id, request_id: 'order-7' };
    expect(opened.trail.slice(from)).toMatchObject([
      { event: 'key.created', ...mine, key_id: id, start },
      { event: 'key.updated', ...mine, key_id: id, start },
      { event: 'domain.claimed', ...mine, domain: 'example.com' },
      { event: 'passport.created', ...mine, agent_id, version: 1 },
      { event: 'passport.created', ...mine, agent_id: second },
      { event: 'passport.updated', ...mine, agent_id, version: 2 },
      { event: 'passport.suspended', ...keyed, version: 3 },
      { event: 'passport.reinstated', ...keyed, version: 4 },
      { event: 'passport.revoked', ...keyed, version: 5 },
      {
        event: 'key.rotated',
        ...mine,
        key_id: rotated.body['id'],
        replaces: id,
        until: opened.clock.instant(MINUTE),
      },
      { event: 'key.revoked', ...mine, key_id: rotated.body['id'] },
      { event: 'account.password_changed', ...mine, address: FROM.address, request_id: 'order-7' },
    ]);
    for (const line of opened.trail.slice(from)) expect(line).toHaveProperty('request_id');
  });

  test('by the operator says so', async () => {
    const { opened, api, token, account_id } = await openTrail();
    await issue(api, token);
    const other = await opened.service.accounts.create({ email: 'b@example.com', password: PASSWORD });
    const from = opened.trail.length;
    const { accounts, domains } = opened.service;
    await accounts.setPlan(EMAIL, 'team');
    await accounts.setPlan(EMAIL, 'team');
    await accounts.disable(EMAIL);
    await accounts.enable(EMAIL);
    await accounts.setPassword({ email: EMAIL, password: PASSWORD });
    await domains.transfer('example.com', { account_id: other.id });
    await domains.release('example.com');
    await opened.service.keys.create({ name: 'k' }, { account_id, operator: true });
    const by = 'operator';
    const domain = 'example.com';
    expect(opened.trail.slice(from)).toMatchObject([
      { event: 'account.plan_changed', account_id, by, plan: 'team' },
      { event: 'account.disabled', account_id, by },
      { event: 'account.enabled', account_id, by },
      { event: 'account.password_changed', account_id, by },
      { event: 'domain.transferred', account_id, to_account_id: other.id, by, domain },
      { event: 'domain.released', account_id: other.id, by, domain },
      { event: 'key.created', account_id, by },
    ]);
  });

  test('of a registration names the new account itself', async () => {
    const { opened, api, last } = await openTrail();
    const json = { email: 'new@example.com', password: PASSWORD };
    const { body } = await api.ask('POST', '/auth/register', { json, ...FROM });
    const origin = { address: FROM.address, request_id: 'order-7' };
    expect(last()).toMatchObject({
      event: 'account.created',
      account_id: body['id'],
      by: body['id'],
      ...origin,
    });
    expect(JSON.stringify(opened.trail)).not.toContain('new@example.com');
    for (let time = 1; time < 50; time += 1) await api.ask('POST', '/auth/register', { json, ...FROM });
    expect((await api.ask('POST', '/auth/register', { json, ...FROM })).status).toBe(429);
    expect(last()).toMatchObject({ event: 'account.registration_throttled', ...origin });
  });

  test('that is asked for again under its idempotency key is one line', async () => {
    const { opened, api, token } = await openTrail();
    const from = opened.trail.length;
    const headers = { 'idempotency-key': 'a' };
    for (const _ of [1, 2]) await api.ask('POST', '/keys', { token, json: { name: 'k' }, headers });
    expect(opened.trail.slice(from)).toMatchObject([{ event: 'key.created' }]);
  });
});

test('the documentation lists every event with its level, and no other', () => {
  const page = readFileSync(new URL('../../src/core/README.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (`[a-z_]+\.[a-z_]+`[^|]*) \|/gm)];
  const listed = rows.flatMap(([, names = '']) =>
    [...names.matchAll(/`([^`]+)`( \(warn\))?/g)].map(([, name, mark]) => [name, mark ? 'warn' : 'info']),
  );
  const events = Object.entries(SECURITY_EVENTS).map(([name, [level]]) => [name, level]);
  expect(listed.sort()).toEqual(events.sort());
});
