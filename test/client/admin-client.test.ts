import { describe, expect, test } from 'vitest';
import { createAdminClient } from '../../src/client.ts';
import { firstMemberId } from '../../src/core/shared/people.ts';
import { PASSPORT } from '../support/api.ts';
import { listen } from '../support/servers.ts';
import { HOUR, PASSWORD } from '../support/service.ts';
import { AGENT, openVerdictStage } from '../support/verdict-stage.ts';
import { fragile } from './lost-answers.ts';

const NEW_PASSWORD = 'Ein-Neues-Kennwort-8';

/** An account with one passport and one key, managed from elsewhere. */
async function openAdmin() {
  const stage = await openVerdictStage();
  stage.opened.secrets.add(NEW_PASSWORD);
  const { service, clock } = stage.opened;
  const api = fragile(service);
  const baseUrl = `${await listen(api.listener)}/api`;
  const { account_id } = await service.authenticateSession(stage.token);
  const email = 'owner@example.com';
  const credentials = { email, password: PASSWORD };
  const admin = createAdminClient({ baseUrl, ...credentials });
  const logins = () => api.seen.filter((request) => request === 'POST /api/auth/login').length;
  return { ...stage, ...api, account_id, email, service, clock, baseUrl, credentials, admin, logins };
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe('the admin client', () => {
  test('has the methods of the service in process, with its records', async () => {
    const { admin, service, account_id, key_id } = await openAdmin();
    const actor = { account_id };
    for (const room of ['keys', 'passports', 'domains', 'verifications'] as const) {
      expect(Object.keys(service[room])).toEqual(expect.arrayContaining(Object.keys(admin[room])));
    }
    expect(Object.keys(service)).toEqual(expect.arrayContaining(Object.keys(admin)));
    await service.verify({ agent_id: AGENT, action: 'orders.get' });
    expect(await admin.passports.get(AGENT)).toEqual(await service.passports.get(AGENT, actor));
    expect(await admin.passports.effective(AGENT)).toEqual(await service.passports.effective(AGENT, actor));
    expect((await admin.passports.list({ parent_agent_id: AGENT })).data).toEqual([]);
    expect(await admin.passports.list()).toEqual(await service.passports.list({}, actor));
    expect(await admin.passports.versions(AGENT)).toEqual(await service.passports.versions(AGENT, {}, actor));
    expect(await admin.keys.get(key_id)).toEqual(await service.keys.get(key_id, actor));
    expect(await admin.keys.list()).toEqual(await service.keys.list({}, actor));
    expect(await admin.account()).toEqual(
      await service.account({ ...actor, member_id: firstMemberId(actor.account_id) }),
    );
    expect(await admin.analytics()).toEqual(await service.analytics({}, actor));
    const { data } = await service.verifications.list({ agent_id: AGENT, verdict: 'ALLOW' }, actor);
    expect((await admin.verifications.list({ agent_id: AGENT, verdict: 'ALLOW' })).data).toEqual(data);
    expect(data).toHaveLength(1);
  });

  test('makes, changes and ends keys and passports', async () => {
    const { admin } = await openAdmin();
    const made = await admin.keys.create({ name: 'till', scopes: ['verify'] });
    expect(made.key).toMatch(/^ais_live_/);
    expect(await admin.keys.update(made.id, { name: 'shop' })).toMatchObject({ id: made.id, name: 'shop' });
    const rotated = await admin.keys.rotate(made.id, { grace_seconds: 60 });
    expect(rotated).toMatchObject({ replaces: made.id, key: expect.stringMatching(/^ais_live_/) });
    expect(await admin.keys.revoke(rotated.id)).toBeUndefined();
    expect(await admin.keys.get(rotated.id)).toMatchObject({ status: 'revoked' });
    const { agent_id } = await admin.passports.create({ ...PASSPORT, agent_name: 'other' });
    expect(await admin.passports.update(agent_id, { currency: 'EUR' }, { ifVersion: [1] })).toMatchObject({
      currency: 'EUR',
      version: 2,
    });
    for (const ifVersion of [[1], [], [1, 3], [Number.NaN]]) {
      await expect(admin.passports.update(agent_id, { currency: null }, { ifVersion })).rejects.toMatchObject(
        {
          code: 'version_mismatch',
        },
      );
    }
    expect(await admin.passports.update(agent_id, { currency: null }, { ifVersion: [1, 2] })).toMatchObject({
      version: 3,
    });
    expect(await admin.suspend({ agent_id, reason: 'r' })).toMatchObject({
      status: 'suspended',
      reason: 'r',
    });
    expect(await admin.reinstate({ agent_id })).toEqual({ agent_id, status: 'active' });
    expect(await admin.revoke({ agent_id })).toMatchObject({ status: 'revoked' });
  });

  test('goes through the pages of a list by for await', async () => {
    const { admin } = await openAdmin();
    for (const agent_name of ['a', 'b', 'c', 'd']) await admin.passports.create({ ...PASSPORT, agent_name });
    const sizes: number[] = [];
    const names: string[] = [];
    for await (const page of admin.passports.list({ limit: 2, domain: 'example.com' })) {
      sizes.push(page.data.length);
      names.push(...page.data.map(({ agent_name }) => agent_name));
    }
    expect(sizes).toEqual([2, 2, 1]);
    expect(names.sort()).toEqual(['a', 'b', 'c', 'd', 'shopper']);
    for await (const page of admin.keys.list({ limit: 1 })) expect(page.active_count).toBe(1);
    const broken = admin.passports.list({ cursor: 'nonsense' });
    await expect(broken[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('streams the CSV of the service, and ends with its reader', async () => {
    const { admin, service, account_id, seen } = await openAdmin();
    await service.verify({ agent_id: AGENT, action: 'orders.get' });
    const whole = await textOf(await service.verifications.csv({}, { account_id }));
    expect(await textOf(await admin.verifications.csv())).toBe(whole);
    for await (const piece of await admin.verifications.csv({ verdict: 'ALLOW' })) {
      expect(piece).toMatch(/^decision_id,/);
      break;
    }
    expect(seen.at(-1)).toBe('GET /api/verifications?verdict=ALLOW');
    await expect(admin.verifications.csv({ from: 'yesterday' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('asks about ids as they are, and for nothing else', async () => {
    const { admin, seen, logins } = await openAdmin();
    for (const id of ['', '.', '..', '../account', 'a/b', '%2e%2e', '?x', '#x', '\ud800', undefined]) {
      const given = id as string;
      for (const call of [
        () => admin.keys.get(given),
        () => admin.passports.get(given),
        () => admin.keys.revoke(given),
        () => admin.passports.versions(given),
      ]) {
        await expect(call()).rejects.toMatchObject({ code: 'not_found' });
      }
    }
    expect(
      seen.filter((request) =>
        /(?:GET|DELETE) \/api\/(?:keys|passports)\/[^/?]+(?:\/versions)?$/.test(request),
      ),
    ).toHaveLength(seen.length - logins());
  });
});

describe('its session', () => {
  test('is opened once for all calls under way, when it is needed', async () => {
    const { admin, logins } = await openAdmin();
    expect(logins()).toBe(0);
    await Promise.all([admin.account(), admin.keys.list(), admin.passports.list()]);
    expect(logins()).toBe(1);
  });

  test('is opened once again when its token has ended, for all calls under way', async () => {
    const { admin, clock, logins, baseUrl } = await openAdmin();
    await admin.account();
    clock.advance(2 * HOUR);
    const outcomes = await Promise.all([admin.account(), admin.keys.list(), admin.passports.list()]);
    expect(outcomes).toHaveLength(3);
    expect(logins()).toBe(2);
    const given = createAdminClient({ baseUrl, accessToken: 'no.token.atall' });
    await expect(given.account()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(logins()).toBe(2);
  });

  test('that cannot be opened is an error for each, and tried again by the next call', async () => {
    const { admin, service, email, logins } = await openAdmin();
    await service.accounts.setPassword({ email, password: NEW_PASSWORD });
    const outcomes = await Promise.allSettled([admin.account(), admin.keys.list()]);
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual([
      'invalid_credentials',
      'invalid_credentials',
    ]);
    expect(logins()).toBe(1);
    await service.accounts.setPassword({ email, password: PASSWORD });
    expect(await admin.account()).toMatchObject({ email });
  });

  test('is not ended by one of the calls that share its opening', async () => {
    const { admin, email } = await openAdmin();
    const giveUp = new AbortController();
    const given = admin.account({ signal: giveUp.signal });
    const other = admin.account();
    giveUp.abort(new Error('no more'));
    await expect(given).rejects.toThrow('no more');
    await expect(admin.keys.list({}, { signal: giveUp.signal })).rejects.toThrow('no more');
    expect(await other).toMatchObject({ email });
  });

  test('follows a change of the password, and ends by logout', async () => {
    const { admin, credentials, email, logins, baseUrl } = await openAdmin();
    await admin.logout();
    expect(logins()).toBe(0);
    await admin.changePassword({ current_password: PASSWORD, new_password: NEW_PASSWORD });
    expect(await admin.account()).toMatchObject({ email });
    await admin.logout();
    expect(await admin.account()).toMatchObject({ email });
    expect(logins()).toBe(3);
    const late = createAdminClient({ baseUrl, ...credentials });
    await expect(late.account()).rejects.toMatchObject({ code: 'invalid_credentials' });
  });

  test('ends with every other by logout everywhere, also where it had not begun', async () => {
    const { admin, baseUrl, token, credentials, email } = await openAdmin();
    const other = createAdminClient({ baseUrl, accessToken: token });
    await other.account();
    const stolen = createAdminClient({ baseUrl, ...credentials });
    await stolen.logout({ everywhere: true });
    await expect(other.account()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await admin.account()).toMatchObject({ email });
  });

  test('of a token that was given is ended by logout for good', async () => {
    const { baseUrl, token } = await openAdmin();
    const admin = createAdminClient({ baseUrl, accessToken: token });
    expect(await admin.account()).toMatchObject({ plan: 'starter' });
    await admin.logout();
    await admin.logout();
    await expect(admin.account()).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

test('tries an intent by a patch that is not stored', async () => {
  const { admin } = await openAdmin();
  const intent = { agent_id: AGENT, action: 'payments.create', parameters: { amount: 50 } };
  expect(await admin.passports.try(AGENT, { intent })).toEqual({ verdict: 'ALLOW', reasons: [] });
  const patch = { allowed_actions: [] };
  expect(await admin.passports.try(AGENT, { intent, patch })).toMatchObject({
    verdict: 'DENY',
    reasons: [{ code: 'action_not_allowed' }],
  });
  expect(await admin.passports.get(AGENT)).toMatchObject({ version: 1 });
  const trial = admin.passports.try(AGENT, { intent, patch: { currency: 'xx' } });
  await expect(trial).rejects.toMatchObject({ details: { errors: [{ path: '/patch/currency' }] } });
});

describe('a connection that breaks', () => {
  test('is one more try of a read', async () => {
    const { admin, next, seen } = await openAdmin();
    await admin.account();
    next('halved');
    expect(await admin.passports.get(AGENT)).toMatchObject({ version: 1 });
    expect(seen).toHaveLength(2);
  });

  test('makes one passport, not two', async () => {
    const { admin, next, seen } = await openAdmin();
    await admin.account();
    next('lost');
    expect(await admin.passports.create({ ...PASSPORT, agent_name: 'other' })).toMatchObject({ version: 1 });
    expect(seen).toEqual(['POST /api/passports', 'POST /api/passports']);
    expect((await admin.passports.list()).data).toHaveLength(2);
  });

  test('makes one key, and says which when its secret is lost', async () => {
    const { admin, next, seen } = await openAdmin();
    await admin.account();
    next('lost');
    const error = await admin.keys.create({ name: 'till' }).catch((thrown: unknown) => thrown);
    expect(seen).toEqual(['POST /api/keys', 'POST /api/keys']);
    const tills = (await admin.keys.list()).data.filter(({ name }) => name === 'till');
    expect(tills).toHaveLength(1);
    const id = `${tills[0]?.id}`;
    expect(error).toMatchObject({ code: 'service_unreachable', details: { id } });
    const made = await admin.keys.rotate(id);
    expect(made.key).toMatch(/^ais_live_/);
    // Under a key of the caller, who may have the secret already, that is no error.
    const options = { idempotencyKey: 'till 2' };
    expect(await admin.keys.create({ name: 'till 2' }, options)).toHaveProperty('key');
    expect(await admin.keys.create({ name: 'till 2' }, options)).not.toHaveProperty('key');
    await expect(admin.keys.create({ name: 'x' }, { idempotencyKey: 'ü\n' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('is no second try of a change', async () => {
    const { admin, next, seen, key_id } = await openAdmin();
    await admin.account();
    for (const change of [
      () => admin.keys.update(key_id, { name: 'x' }),
      () => admin.passports.update(AGENT, { currency: 'EUR' }),
      () => admin.suspend({ agent_id: AGENT }),
      () => admin.keys.revoke(key_id),
    ]) {
      next('lost');
      await expect(change()).rejects.toMatchObject({ code: 'service_unreachable' });
      expect(seen).toHaveLength(1);
    }
  });

  test('in the middle of a CSV is an error', async () => {
    const origin = await listen((request, response) => {
      if (request.method === 'POST') return response.end('{"access_token":"x"}');
      response.writeHead(200, { 'content-type': 'text/csv' });
      return response.write('decision_id\r\n', () => request.socket.destroy());
    });
    const email = 'ada@example.com';
    const far = createAdminClient({ baseUrl: `${origin}/api`, email, password: PASSWORD });
    await expect(textOf(await far.verifications.csv())).rejects.toMatchObject({
      code: 'service_unreachable',
      message: `No answer from ${origin}/api: the answer broke off in the middle.`,
    });
  });
});
