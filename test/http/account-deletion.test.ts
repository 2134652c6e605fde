/** DELETE /account and DELETE /passports/{agent_id} over HTTP; what is left in the storage is proved in test/core/erasure. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { systemAfter } from '../../src/core/shared/timers.ts';
import { fetchHandler } from '../../src/http/index.ts';
import {
  type Ask,
  dataOf,
  expectProblem,
  issue,
  makeKey,
  openApi,
  signIn,
  toRequest,
} from '../support/api.ts';
import { readEvents } from '../support/event-reader.ts';
import { eventually } from '../support/eventually.ts';
import { openStage } from '../support/malformed.ts';
import { openService, PASSWORD } from '../support/service.ts';

const EMAIL = 'owner@example.com';
const AGENT = 'did:web:example.com:agents:shopper';
const INTENT = { agent_id: AGENT, action: 'orders.get' };

async function openOwner() {
  const stage = await openStage({ registration: 'open' });
  const { api, opened, token } = stage;
  await issue(api, token);
  const { key } = await makeKey(api, token);
  /** Asks, while the delays after failed logins pass. */
  async function ask(method: string, path: string, given: Ask) {
    let isSettled = false;
    const answer = api.ask(method, path, given).finally(() => {
      isSettled = true;
    });
    while (!isSettled) {
      await new Promise(setImmediate);
      opened.timers.skip(2_000);
    }
    return answer;
  }
  const close = (current_password: string) =>
    ask('DELETE', '/account', { token, json: { current_password }, address: '203.0.113.7' });
  /** Lets time pass until nothing is left to erase. */
  async function finish(): Promise<void> {
    let isOver = false;
    const running = opened.service.erasures.run().finally(() => {
      isOver = true;
    });
    for (let second = 0; !isOver && second < 300; second += 1) {
      await opened.timers.pass(1_000);
      // The work itself takes time that the clock of the test knows nothing of.
      await pause(2);
    }
    await running;
  }
  /** Lets time pass until the verdicts that were answered are stored. */
  async function stored(): Promise<void> {
    const [account] = (await opened.service.accounts.list()).data;
    const query = { account_id: account?.id ?? '', limit: 1 };
    await opened.timers.pass(2_000);
    await eventually(async () => expect(await opened.storage.journal.blocks(query)).toHaveLength(1));
  }
  const register = () => api.ask('POST', '/auth/register', { json: { email: EMAIL, password: PASSWORD } });
  return { ...stage, key, ask, close, finish, stored, register };
}

describe('DELETE /account', () => {
  test('ends the token, the keys and the login at once', async () => {
    const { api, opened, token, key, close, ask } = await openOwner();
    expect((await api.ask('POST', '/verify', { key, json: INTENT })).body['verdict']).toBe('ALLOW');
    expect((await close(PASSWORD)).status).toBe(204);
    for (const path of ['/account', '/keys', '/passports', '/verifications'])
      expectProblem(await api.ask('GET', path, { token }), 401, 'unauthenticated');
    expectProblem(await api.ask('POST', '/verify', { key, json: INTENT }), 401, 'unauthenticated');
    const login = { json: { email: EMAIL, password: PASSWORD } };
    expectProblem(await ask('POST', '/auth/login', login), 401, 'invalid_credentials');
    expectProblem(await close(PASSWORD), 401, 'unauthenticated');
    const line = opened.trail.find(({ event }) => event === 'account.deleted');
    expect(line).toMatchObject({ address: '203.0.113.7', request_id: expect.any(String) });
    expect(JSON.stringify(line)).not.toContain(EMAIL);
  });

  test.each(['', 'x', ` ${PASSWORD}`])(
    'is refused with the password %j, and changes nothing',
    async (wrong) => {
      const { api, token, key, close } = await openOwner();
      expectProblem(await close(wrong), 401, 'invalid_credentials');
      expect((await api.ask('GET', '/account', { token })).status).toBe(200);
      expect((await api.ask('POST', '/verify', { key, json: INTENT })).body['verdict']).toBe('ALLOW');
    },
  );

  test.each([
    [{}, ['/current_password']],
    [{ current_password: 7 }, ['/current_password']],
    [{ current_password: PASSWORD, account_id: 'acc_other' }, ['/account_id']],
  ])('refuses the body %j', async (json, paths) => {
    const { token, refused } = await openOwner();
    expect(await refused('DELETE', '/account', { token, json }, 400, 'invalid_request')).toEqual(paths);
  });

  test('is throttled as a login: after ten wrong passwords the right one is refused too, without work', async () => {
    const { api, opened, token, close } = await openOwner();
    for (let time = 0; time < 10; time += 1) expect((await close('wrong')).status).toBe(401);
    const { verified } = opened.hashing;
    const answer = await close(PASSWORD);
    expectProblem(answer, 429, 'rate_limited');
    expect(answer.headers.get('retry-after')).toBe('900');
    expect(opened.hashing.verified).toBe(verified);
    expect((await api.ask('GET', '/account', { token })).status).toBe(200);
    opened.clock.advance(15 * 60_000);
    expect((await close(PASSWORD)).status).toBe(204);
  });

  test('frees the e-mail once all is erased, and never the ids of its passports', async () => {
    const { api, token, key, close, finish, stored, register, ask } = await openOwner();
    await api.ask('POST', '/verify', { key, json: INTENT });
    await stored();
    expect((await close(PASSWORD)).status).toBe(204);
    expectProblem(await register(), 409, 'already_exists');
    await finish();
    expect((await register()).status).toBe(201);
    const login = await ask('POST', '/auth/login', { json: { email: EMAIL, password: PASSWORD } });
    const fresh = login.body['access_token'] as string;
    for (const path of ['/keys', '/passports', '/verifications', '/domains'])
      expect(dataOf(await api.ask('GET', path, { token: fresh }))).toEqual([]);
    expect((await api.ask('GET', '/account', { token: fresh })).body).toMatchObject({
      usage: { active_keys: 0, passports: 0 },
    });
    const again = { domain: 'example.com', agent_name: 'shopper', allowed_actions: [] };
    const json = { ...again, monetary_limit_per_txn: 1 };
    expectProblem(await api.ask('POST', '/passports', { token: fresh, json }), 409, 'already_exists');
    expectProblem(await api.ask('GET', '/account', { token }), 401, 'unauthenticated');
    expectProblem(await api.ask('POST', '/verify', { key, json: INTENT }), 401, 'unauthenticated');
  });

  test('leaves another account as it was', async () => {
    const { api, opened, close, finish } = await openOwner();
    const other = await signIn(opened, api, 'other@example.com');
    await issue(api, other.token, { domain: 'other.example' });
    const { key } = await makeKey(api, other.token);
    expect((await close(PASSWORD)).status).toBe(204);
    await finish();
    expect((await api.ask('GET', '/account', { token: other.token })).body).toMatchObject({
      usage: { active_keys: 1, passports: 1 },
    });
    const json = { agent_id: 'did:web:other.example:agents:shopper', action: 'orders.get' };
    expect((await api.ask('POST', '/verify', { key, json })).body['verdict']).toBe('ALLOW');
  });

  test('ends the streams of its tokens and keys, and tells them nothing of it', async () => {
    const clock = { now: () => Date.now(), monotonic: () => performance.now() };
    const opened = openService({ clock, after: systemAfter, storage: memoryStorage() });
    const api = openApi(opened);
    const { token } = await signIn(opened, api);
    const { key } = await makeKey(api, token, { scopes: ['events'] });
    const handle = fetchHandler(opened.service);
    const read = (ask: Ask) =>
      readEvents((signal) => handle(new Request(toRequest('GET', '/events', ask), { signal })));
    const readers = [await read({ token }), await read({ key })];
    expect(readers.map(({ status }) => status)).toEqual([200, 200]);
    const json = { current_password: PASSWORD };
    expect((await api.ask('DELETE', '/account', { token, json })).status).toBe(204);
    for (const { ended, events } of readers) {
      await ended;
      expect(events()).toEqual([]);
    }
  });
});

describe('DELETE /passports/{agent_id}', () => {
  const PATH = `/passports/${encodeURIComponent(AGENT)}`;

  test('erases a revoked agent: its versions and verdicts are gone, and its id stays taken', async () => {
    const { api, token, key, finish, stored } = await openOwner();
    await api.ask('PATCH', PATH, { token, json: { description: 'of ada' } });
    await api.ask('POST', '/verify', { key, json: INTENT });
    await stored();
    expectProblem(await api.ask('DELETE', PATH, { token }), 409, 'conflict');
    await api.ask('POST', '/revoke', { token, json: { agent_id: AGENT, reason: 'of ada' } });
    expect((await api.ask('DELETE', PATH, { token })).status).toBe(204);
    const bare = await api.ask('GET', PATH, { token });
    expect(bare.body).toMatchObject({ agent_id: AGENT, status: 'revoked', allowed_actions: [] });
    expect(bare.text).not.toContain('of ada');
    await finish();
    expect(dataOf(await api.ask('GET', `${PATH}/versions`, { token }))).toEqual([]);
    expect(dataOf(await api.ask('GET', '/verifications', { token }))).toEqual([]);
    const json = { domain: 'example.com', agent_name: 'shopper', allowed_actions: [] };
    const again = await api.ask('POST', '/passports', {
      token,
      json: { ...json, monetary_limit_per_txn: 1 },
    });
    expectProblem(again, 409, 'already_exists');
  });

  test('is 404 for an agent that is not there or is of another account, and changes nothing', async () => {
    const { api, opened, refused } = await openOwner();
    const other = await signIn(opened, api, 'other@example.com');
    await refused('DELETE', PATH, { token: other.token }, 404, 'not_found');
    const absent = `/passports/${encodeURIComponent('did:web:example.com:agents:absent')}`;
    await refused('DELETE', absent, { token: other.token }, 404, 'not_found');
  });
});
