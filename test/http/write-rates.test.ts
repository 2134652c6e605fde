import { describe, expect, test } from 'vitest';
import { importBySteps } from '../../adapters/cli/backend/remote.ts';
import { createAdminClient } from '../../src/client.ts';
import { endpoints } from '../../src/http/endpoints.ts';
import { fetchHandler } from '../../src/http/index.ts';
import { type Answer, expectProblem, issue, makeKey, PASSPORT, signIn } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';
import { MINUTE } from '../support/service.ts';

const fields = ({ headers }: Answer) => [headers.get('ratelimit'), headers.get('ratelimit-policy')];

const openRated = (writes: number | null, options: Parameters<typeof openStage>[0] = {}) =>
  openStage({ plans: { starter: { writes_per_minute: writes } }, ...options });

describe('the writes of an account', () => {
  test('are as many a minute as its plan allows, and every answer says what is left', async () => {
    const { opened, api, token } = await openRated(5);
    opened.clock.advance(18_500);
    const { key } = await makeKey(api, token);
    const agent = await issue(api, token);
    const path = `/passports/${agent}`;
    const patched = await api.ask('PATCH', path, { token, json: { description: 'a' } });
    expect(fields(patched)).toEqual(['"write";r=2;t=42', '"write";q=5;w=60']);
    // With a key as with a session, and also where nothing comes of it.
    expect(fields(await api.ask('POST', '/suspend', { key, json: { agent_id: agent } }))[0]).toContain('r=1');
    expect(fields(await api.ask('POST', '/passports', { token, json: {} }))[0]).toContain('r=0');
    const refused = await api.ask('PATCH', path, { token, json: { description: 'b' } });
    expectProblem(refused, 429, 'rate_limited');
    expect(refused.body['detail']).toMatch(
      /^The plan starter allows 5 writes per minute\. .* agent-identity account plan acc_\w+ <plan>$/,
    );
    expect(refused.headers.get('retry-after')).toBe('42');
    expect(fields(refused)).toEqual(['"write";r=0;t=42', '"write";q=5;w=60']);
    expect((await api.ask('GET', path, { token })).body['description']).toBe('a');
    opened.clock.advance(MINUTE);
    expect((await api.ask('PATCH', path, { token, json: { description: 'b' } })).status).toBe(200);
  });

  test('over the plan are in the service log once per minute, with the command that changes the plan', async () => {
    const { opened, api, token } = await openRated(1);
    const agent = await issue(api, token);
    const patch = () => api.ask('PATCH', `/passports/${agent}`, { token, json: { description: 'a' } });
    for (let time = 0; time < 3; time += 1) await patch();
    opened.clock.advance(MINUTE);
    for (let time = 0; time < 3; time += 1) await patch();
    const lines = opened.logs.filter(({ event }) => event === 'plan_rate_reached');
    expect(lines).toMatchObject([
      {
        level: 'warn',
        plan: 'starter',
        message: expect.stringContaining('agent-identity account plan acc_'),
      },
      { level: 'warn', plan: 'starter', message: expect.stringContaining('1 writes per minute') },
    ]);
  });

  test('that take something away are never limited, nor are reads, verdicts and other accounts', async () => {
    const { opened, api, token } = await openRated(2);
    const { key, id } = await makeKey(api, token);
    const agent = await issue(api, token);
    expectProblem(await api.ask('POST', '/keys', { token, json: { name: 'b' } }), 429, 'rate_limited');
    const verdict = await api.ask('POST', '/verify', { key, json: { agent_id: agent, action: 'a' } });
    expect([verdict.status, fields(verdict)[1]]).toEqual([200, '"verify";q=6000;w=60']);
    expect((await api.ask('POST', '/revoke', { key, json: { agent_id: agent } })).status).toBe(200);
    expect((await api.ask('DELETE', `/keys/${id}`, { token })).status).toBe(204);
    expect((await api.ask('GET', '/passports', { token })).status).toBe(200);
    const other = await signIn(opened, api, 'other@example.com');
    expect((await api.ask('POST', '/keys', { token: other.token, json: { name: 'a' } })).status).toBe(201);
  });

  test('are not limited in process, nor with rateLimits off', async () => {
    const { opened, api, token } = await openRated(1);
    const { account_id } = await opened.service.authenticateSession(token);
    for (let count = 0; count < 3; count += 1)
      await opened.service.keys.create({ name: 'a' }, { account_id, plan: 'starter' });
    await makeKey(api, token);
    const lifted = await openRated(1, { rateLimits: 'off' });
    for (let count = 0; count < 3; count += 1) await makeKey(lifted.api, lifted.token);
  });

  test('have the number of the plan where the application replaces another one', async () => {
    const { api, token } = await openStage({ plans: { starter: { keys: 3 } } });
    const { limits } = (await api.ask('GET', '/account', { token })).body;
    const others = { passports: 1_000, verifications_per_minute: 6_000, writes_per_minute: 1_200 };
    expect(limits).toEqual({ keys: 3, ...others });
  });

  test('are counted by every endpoint that writes, but for those that take away, decide or have a limit', () => {
    const uncounted = endpoints
      .filter(({ method, credential }) => method !== 'GET' && credential !== 'none' && credential !== 'key')
      .filter(({ writes, method }) => writes !== true && method !== 'DELETE')
      .map(({ path }) => path);
    expect(uncounted.sort()).toEqual(
      [
        ...['/auth/logout', '/auth/password', '/passports/{agent_id}/try', '/passports/{agent_id}/sign'],
        '/passports/{agent_id}/replay',
        ...['/approvals/{id}/approve', '/approvals/{id}/reject'],
        ...['/spends/{decision_id}/commit', '/spends/{decision_id}/extend'],
        ...['/spends/{decision_id}/release', '/revoke'],
      ].sort(),
    );
  });
});

test('an import over HTTP waits where the account has written too much, and goes on', async () => {
  const { opened, api, token } = await openRated(2);
  const { service, clock } = opened;
  const handle = fetchHandler(service);
  const statuses: number[] = [];
  clock.advance(MINUTE - 500);
  const admin = createAdminClient({
    baseUrl: 'http://127.0.0.1/api',
    accessToken: token,
    async fetch(input, init) {
      const answer = await handle(new Request(input, init));
      statuses.push(answer.status);
      // It says to come again in a second.
      if (answer.status === 429) clock.advance(MINUTE);
      return answer;
    },
  });
  const passports = ['a', 'b', 'c'].map((agent_name) => ({
    input: { ...PASSPORT, agent_name },
    standing: { status: 'active' as const },
    hasChildren: false,
  }));
  const issued = await importBySteps(admin, passports);
  expect(issued).toMatchObject(passports.map(({ input }) => input));
  expect(statuses).toEqual([201, 201, 429, 201]);
  expect((await api.ask('GET', '/passports', { token })).body['data']).toHaveLength(3);
});
