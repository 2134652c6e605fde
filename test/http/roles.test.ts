import { expect, test } from 'vitest';
import type { WholeService } from '../../src/capabilities.ts';
import { requireRole } from '../../src/core.ts';
import type { Credential, Endpoint, RoleEntry } from '../../src/http/index.ts';
import { endpoints, fetchHandler, ROLES } from '../../src/http/index.ts';
import type { Role } from '../../src/records.ts';
import { makeKey, toRequest } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';
import { dump } from '../support/storage-probe.ts';
import { bodiesAbout } from './isolation-bodies.ts';

const ALL: readonly Role[] = ['viewer', 'approver', 'editor', 'admin', 'owner'];
const EDITING: readonly Role[] = ['editor', 'admin', 'owner'];

/** The rights of the contract that are more than reading, by endpoint. */
const RIGHTS: readonly (readonly [endpoint: RegExp, may: readonly RoleEntry[]])[] = [
  [/^POST \/passports\/\{agent_id\}\/(try|replay)$/, ALL],
  [/^POST \/auth\/(logout|password)$/, ALL],
  [/^POST \/approvals\/\{id\}\/(approve|reject)$/, ['approver', 'admin', 'owner']],
  [/^POST \/(revoke|suspend)$/, ['approver', 'editor', 'admin', 'owner']],
  [/^POST \/reinstate$/, EDITING],
  [/^DELETE \/passports\b/, ['admin', 'owner']],
  [/^(POST|PATCH|DELETE) \/(passports|keys|domains|webhooks)\b/, EDITING],
  [/^POST \/spends\/\{decision_id\}\/(commit|extend|release)$/, EDITING],
  [/^POST \/subjects\/erase$/, ['admin', 'owner']],
  [/^DELETE \/account$/, ['owner']],
  [/^(POST|PATCH) \/members\b/, ['owner']],
  [/^DELETE \/members\/\{id\}/, ['owner', 'self']],
];

const withSessions = endpoints.filter(({ credential }) => ['session', 'either'].includes(credential));

function mayCall({ method, path }: Endpoint): readonly RoleEntry[] {
  const row = RIGHTS.find(([pattern]) => pattern.test(`${method} ${path}`));
  if (row !== undefined) return row[1];
  if (method === 'GET') return ALL;
  throw new Error(`${method} ${path} has no row in RIGHTS.`);
}

/** The service with sessions of this role. */
function withRole(service: WholeService, role: Role): WholeService {
  const authenticateSession = async (token: string) => ({
    ...(await service.authenticateSession(token)),
    role,
  });
  return { ...service, authenticateSession };
}

test('the column names the roles that the contract names', () => {
  for (const one of withSessions)
    expect({ path: one.path, role: one.role }).toEqual({ path: one.path, role: mayCall(one) });
  expect(endpoints.filter(({ role }) => role !== undefined)).toEqual(withSessions);
  expect(ROLES).toEqual(ALL);
});

test('every endpoint that takes a token lets exactly the roles of its column in', async () => {
  const { opened, api, token } = await openStage();
  const bodies = bodiesAbout('did:web:empty.example:agents:shopper');
  for (const role of ALL) {
    const handle = fetchHandler(withRole(opened.service, role));
    for (const one of withSessions) {
      const { method, path } = one;
      // These end the session or the account that the others need; the next test asks them.
      if (role === 'owner' && /^\/(account|auth)/.test(path)) continue;
      if (/^\/auth/.test(path)) continue;
      if (one.needs?.(opened.service) === false) continue;
      const before = await dump(opened.storage);
      const asked = { token, json: bodies[`${method} ${path}`] };
      const answer = await handle(toRequest(method, path.replaceAll(/[{}]/g, ''), asked));
      const type = answer.headers.get('content-type') ?? '';
      const body = type.includes('problem') ? await answer.json() : {};
      await answer.body?.cancel().catch(() => undefined);
      const cell = { role, method, path };
      const isIn = mayCall(one).includes(role);
      expect({ ...cell, isIn: body.code !== 'insufficient_role' }).toEqual({ ...cell, isIn });
      if (isIn) continue;
      expect({ ...cell, status: answer.status, roles: body.roles }).toEqual({
        ...{ ...cell, status: 403, roles: mayCall(one).filter((may) => may !== 'self') },
      });
      expect(await dump(opened.storage)).toBe(before);
    }
  }
  expect((await api.ask('GET', '/account', { token })).status).toBe(200);
});

test('every role changes its own password and ends its own session; only an owner deletes the account', async () => {
  for (const role of ALL) {
    const { opened, token } = await openStage();
    const handle = fetchHandler(withRole(opened.service, role));
    const bodies = bodiesAbout('');
    const statusOf = async (method: string, path: string) =>
      (await handle(toRequest(method, path, { token, json: bodies[`${method} ${path}`] }))).status;
    if (role !== 'owner') expect(await statusOf('DELETE', '/account')).toBe(403);
    expect(await statusOf('POST', '/auth/logout')).toBe(204);
  }
});

test('a role is asked after the token and before the body; a key has none', async () => {
  const { opened, api, token } = await openStage();
  const { key } = await makeKey(api, token);
  const handle = fetchHandler(withRole(opened.service, 'viewer'));
  const codeOf = async (ask: object) =>
    (await (await handle(toRequest('POST', '/revoke', { body: '{', ...ask }))).json()).code;
  expect(await codeOf({ token: 'x' })).toBe('unauthenticated');
  expect(await codeOf({ token })).toBe('insufficient_role');
  expect(await codeOf({ key })).toBe('invalid_json');
});

test('the description shows the roles, and the refusal where a role can be refused', async () => {
  const { api } = await openStage();
  const { body } = await api.ask('GET', '/openapi.json');
  const paths = body['paths'] as Record<string, Record<string, Record<string, unknown>>>;
  for (const one of withSessions) {
    const described = paths[one.path]?.[one.method.toLowerCase()];
    if (described === undefined) continue;
    expect(described['x-roles']).toEqual(mayCall(one));
    const refusals = JSON.stringify(Object(described['responses'])['403'] ?? '');
    expect(refusals.includes('insufficient_role')).toBe(mayCall(one).length < ALL.length);
  }
  expect(paths['/verify']?.['post']).not.toHaveProperty('x-roles');
});

test('self is the member that the path names, and no other', () => {
  const viewer = { role: 'viewer', member_id: 'mem_a' } as const;
  requireRole(viewer, ['owner', 'self'], 'mem_a');
  for (const subject of ['mem_b', undefined])
    expect(() => requireRole(viewer, ['owner', 'self'], subject)).toThrow('This needs the role owner.');
  expect(() => requireRole(viewer, ['owner'], 'mem_a')).toThrow('This needs the role owner.');
});

test('an endpoint that takes a token and names no roles does not compile', () => {
  type Demands<Kind extends Credential> = Omit<Endpoint<Kind>, 'role'> extends Endpoint<Kind> ? false : true;
  const demands: readonly [Demands<'session'>, Demands<'either'>] = [true, true];
  const others: readonly [Demands<'none'>, Demands<'key'>] = [false, false];
  expect([...demands, ...others]).toEqual([true, true, false, false]);
});
