/** What each scope of a management key allows, at every endpoint. */
import { expect, test } from 'vitest';
import { MANAGEMENT_SCOPES } from '../../../src/base/values/scopes.ts';
import { endpoints } from '../../../src/http/endpoints.ts';
import type { Scope } from '../../../src/records.ts';
import { expectProblem } from '../../support/api.ts';
import { openTeam, pathOf } from './team.ts';

const transport = { refusal: () => undefined, post: async () => ({ status: 204, retryAfter: null }) };
const OPTIONS = { webhooks: { transport, sends: false }, rateLimits: 'off' } as const;

/** The table of contract/operate.md, with what each scope includes. */
const READ_PASSPORTS = [
  'GET /passports',
  'GET /passports/{agent_id}',
  'GET /passports/{agent_id}/versions',
  'GET /passports/{agent_id}/budgets',
  'GET /passports/{agent_id}/effective',
  'POST /passports/{agent_id}/try',
  'POST /passports/{agent_id}/replay',
  'GET /domains',
];
const PROPOSE = [...READ_PASSPORTS, 'PATCH /passports/{agent_id}'];
const READ_KEYS = ['GET /keys', 'GET /keys/{id}'];
const READ_WEBHOOKS = ['GET /webhooks', 'GET /webhooks/{id}', 'GET /webhooks/{id}/deliveries'];
const ALLOWED: { readonly [Name in Scope]?: readonly string[] } = {
  'passports:read': READ_PASSPORTS,
  'passports:propose': PROPOSE,
  'passports:write': [...PROPOSE, 'POST /passports'],
  'keys:read': READ_KEYS,
  'keys:write': [
    ...READ_KEYS,
    'POST /keys',
    'PATCH /keys/{id}',
    'POST /keys/{id}/rotate',
    'DELETE /keys/{id}',
  ],
  'approvals:read': ['GET /approvals', 'GET /approvals/{id}'],
  'verifications:read': ['GET /verifications', 'GET /events'],
  'audit:read': ['GET /audit', 'GET /events'],
  'analytics:read': ['GET /analytics'],
  'webhooks:read': READ_WEBHOOKS,
  'webhooks:write': [
    ...READ_WEBHOOKS,
    'POST /webhooks',
    'PATCH /webhooks/{id}',
    'DELETE /webhooks/{id}',
    'POST /webhooks/{id}/rotate',
    'POST /webhooks/{id}/test',
    'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver',
  ],
  revoke: ['POST /revoke', 'POST /suspend'],
  reinstate: ['POST /reinstate'],
};

test.each([...MANAGEMENT_SCOPES, 'revoke', 'reinstate'] as const)(
  'a management key with %s may call what the contract lists, and nothing else',
  async (scope) => {
    const { service, keyOf, ask } = await openTeam(OPTIONS);
    const scopes: readonly Scope[] = /^re/.test(scope) ? ['keys:read', scope] : [scope];
    const key = await keyOf(scopes);
    const allowed = new Set([
      'GET /account',
      ...(ALLOWED[scope] ?? []),
      ...(scopes.includes('keys:read') ? READ_KEYS : []),
    ]);
    for (const { method, path, credential, needs } of endpoints) {
      if (credential === 'none' || needs?.(service) === false || path === '/events') continue;
      const { status, body } = await ask(
        key,
        method,
        path.replaceAll(/\{\w+\}/g, 'nothing'),
        method === 'GET' ? undefined : {},
      );
      const name = `${method} ${path}`;
      const { code } = body as { readonly code?: string };
      if (credential === 'key') expect([name, status]).toEqual([name, 401]);
      else if (allowed.has(name)) expect([name, code]).not.toEqual([name, 'insufficient_scope']);
      else expect([name, status, code]).toEqual([name, 403, 'insufficient_scope']);
    }
  },
);

test('GET /account shows the key in the place of the member', async () => {
  const { keyOf, ask, token, api } = await openTeam();
  const { body, status } = await ask(await keyOf(['audit:read']), 'GET', '/account');
  const { body: own } = await api.ask('GET', '/account', { token });
  expect(status).toBe(200);
  expect(body).not.toHaveProperty('member');
  expect(body['key']).toMatchObject({ scopes: ['audit:read'], person: (own['member'] as { id: string }).id });
});

test('a key of the other kind counts as absent, and a management key with a token is two credentials', async () => {
  const { api, token, agent_id, keyOf } = await openTeam();
  const made = await api.ask('POST', '/keys', { token, json: { name: 'shop' } });
  const verdictKey = String(made.body['key']);
  expectProblem(await api.ask('GET', '/passports', { key: verdictKey }), 401, 'unauthenticated');
  expect((await api.ask('GET', '/passports', { key: verdictKey, token })).status).toBe(200);
  const key = await keyOf(['passports:read']);
  expectProblem(await api.ask('GET', pathOf(agent_id), { key, token }), 400, 'invalid_request');
  expect((await api.ask('GET', pathOf(agent_id), { key })).status).toBe(200);
});

test('a management key gets no verdict, without a read of the storage', async () => {
  const { api, agent_id, keyOf, storage } = await openTeam();
  const key = await keyOf(['passports:write']);
  let reads = 0;
  const { get } = storage;
  Object.assign(storage, {
    get: (...input: Parameters<typeof get>) => {
      reads += 1;
      return get(...input);
    },
  });
  expectProblem(
    await api.ask('POST', '/verify', { key, json: { agent_id, action: 'orders.get' } }),
    401,
    'unauthenticated',
  );
  expect(reads).toBe(0);
});

test('each request counts as a write of the plan', async () => {
  const { ask, keyOf } = await openTeam({ plans: { starter: { writes_per_minute: 5 } } });
  const key = await keyOf(['passports:read']);
  const statuses: number[] = [];
  for (let at = 0; at < 6; at += 1) statuses.push((await ask(key, 'GET', '/passports')).status);
  expect(statuses.at(-1)).toBe(429);
});
