/** Which management keys can be, and which keys they make. */
import { expect, test } from 'vitest';
import { expectProblem, text } from '../../support/api.ts';
import { openTeam, pathOf } from './team.ts';

const DAY_MS = 24 * 60 * 60_000;

test.each([
  [{ scopes: ['passports:read', 'verify'] }, '/scopes'],
  [{ scopes: ['keys:write', 'events'] }, '/scopes'],
  [{ environment: 'test' }, '/environment'],
  [{ expires_at: undefined }, '/expires_at'],
  [{ expires_at: new Date(Date.parse('2026-11-20T12:00:00Z') + 401 * DAY_MS).toISOString() }, '/expires_at'],
  [{ domains: ['example.com'], scopes: ['audit:read'] }, '/scopes'],
  [{ agent_ids: ['did:web:example.com:agents:a'], scopes: ['webhooks:write'] }, '/scopes'],
  [{ domains: ['no domain'] }, '/domains/0'],
  [{ domains: [] }, '/domains'],
  [{ scopes: ['verify'], domains: ['example.com'] }, '/domains'],
])('POST /keys refuses %j', async (more, path) => {
  const { makeKey } = await openTeam();
  expect(expectProblem(await makeKey(['passports:read'], more), 400, 'invalid_request')).toEqual([path]);
});

test('a management key begins with ais_manage_, and shows its person', async () => {
  const { makeKey, api, token } = await openTeam();
  const { body, status } = await makeKey(['passports:write', 'revoke']);
  expect(status).toBe(201);
  expect(body['key']).toMatch(/^ais_manage_[0-9A-Za-z]{49}$/);
  expect(body['start']).toBe(text({ body } as never, 'key').slice(0, 15));
  const shown = await api.ask('GET', `/keys/${body['id']}`, { token });
  expect(shown.body).toMatchObject({ person: shown.body['created_by'], domains: null });
  const listed = await api.ask('GET', `/keys?created_by=${shown.body['person']}`, { token });
  expect(listed.body['data']).toHaveLength(1);
});

test('PATCH makes no key one of the other kind', async () => {
  const { makeKey, api, token } = await openTeam();
  const { body } = await makeKey(['passports:read']);
  for (const json of [
    { scopes: ['verify'] },
    { scopes: ['revoke'] },
    { scopes: ['passports:read', 'verify'] },
  ])
    expectProblem(await api.ask('PATCH', `/keys/${body['id']}`, { token, json }), 400, 'invalid_request');
  const changed = await api.ask('PATCH', `/keys/${body['id']}`, {
    token,
    json: { domains: ['example.com'] },
  });
  expect(changed.body['domains']).toEqual(['example.com']);
  const widened = { token, json: { scopes: ['audit:read'] } };
  expectProblem(await api.ask('PATCH', `/keys/${body['id']}`, widened), 400, 'invalid_request');
});

test('the key acts with the role of its person, as it is now', async () => {
  const { join, keyOf, ask, agent_id, service, account_id, api } = await openTeam();
  const editor = await join('editor');
  const { member } = (await api.ask('GET', '/account', { token: editor })).body as { member: { id: string } };
  const key = await keyOf(['passports:write'], {}, editor);
  const patch = () => ask(key, 'PATCH', pathOf(agent_id), { description: `${Math.random()}` });
  expect((await patch()).status).toBe(200);
  await service.members.update(member.id, { role: 'viewer' }, { account_id });
  expectProblem(await patch(), 403, 'insufficient_role');
  expect((await ask(key, 'GET', pathOf(agent_id))).status).toBe(200);
  await service.members.remove(member.id, {}, { account_id });
  expectProblem(await ask(key, 'GET', pathOf(agent_id)), 401, 'unauthenticated');
});

test('keys:write issues keys for agents alone, which have its person', async () => {
  const { keyOf, ask, account_id, service } = await openTeam();
  const key = await keyOf(['keys:write']);
  const made = await ask(key, 'POST', '/keys', { name: 'agent', scopes: ['verify', 'permit'] });
  expect(made.status).toBe(201);
  const { person, created_by } = await service.keys.get(text(made, 'id'), { account_id });
  expect([person, created_by]).toEqual([expect.stringMatching(/^mem_/), expect.stringMatching(/^key_/)]);
  for (const scopes of [['sign'], ['verify', 'refund'], ['decide'], ['passports:read']])
    expectProblem(
      await ask(key, 'POST', '/keys', { name: 'x', scopes, expires_at: '2026-12-01T00:00:00Z' }),
      403,
      'insufficient_scope',
    );
  expect((await ask(key, 'PATCH', `/keys/${text(made, 'id')}`, { name: 'other' })).status).toBe(200);
  expectProblem(
    await ask(key, 'PATCH', `/keys/${text(made, 'id')}`, { scopes: ['sign'] }),
    403,
    'insufficient_scope',
  );
  expect((await ask(key, 'POST', `/keys/${text(made, 'id')}/rotate`, {})).status).toBe(201);
  const strong = await service.keys.create({ name: 'strong', scopes: ['refund'] }, { account_id });
  for (const [method, path] of [
    ['PATCH', ''],
    ['POST', '/rotate'],
    ['DELETE', ''],
  ] as const)
    expectProblem(
      await ask(key, method, `/keys/${strong.id}${path}`, method === 'DELETE' ? undefined : {}),
      403,
      'insufficient_scope',
    );
});

test('it rotates itself, with its end; only a member sets another end', async () => {
  const { makeKey, ask, api, token, expires_at, clock } = await openTeam();
  const { body } = await makeKey(['keys:write']);
  const own = `/keys/${body['id']}/rotate`;
  const later = clock.instant(300 * DAY_MS);
  expectProblem(await ask(String(body['key']), 'POST', own, { expires_at: later }), 400, 'invalid_request');
  const next = await ask(String(body['key']), 'POST', own, {});
  expect([next.status, next.body['expires_at'], next.body['scopes']]).toEqual([
    201,
    expires_at,
    ['keys:write'],
  ]);
  expectProblem(await ask(String(body['key']), 'GET', '/keys'), 401, 'unauthenticated');
  expect((await ask(text(next, 'key'), 'GET', '/keys')).status).toBe(200);
  const renewed = await api.ask('POST', `/keys/${next.body['id']}/rotate`, {
    token,
    json: { expires_at: later },
  });
  expect([renewed.status, renewed.body['expires_at']]).toEqual([201, later]);
});

test('revoke_keys revokes the keys behind a member as well', async () => {
  const { join, keyOf, ask, service, account_id, api } = await openTeam();
  const editor = await join('editor');
  const { member } = (await api.ask('GET', '/account', { token: editor })).body as { member: { id: string } };
  const made = await ask(await keyOf(['keys:write'], {}, editor), 'POST', '/keys', {
    name: 'agent',
    scopes: ['verify'],
  });
  await service.members.remove(member.id, { revoke_keys: true }, { account_id });
  expect((await service.keys.get(text(made, 'id'), { account_id })).status).toBe('revoked');
});
