/** A management key that is bound to agents or domains sees and makes nothing beyond them. */
import { expect, test } from 'vitest';
import { dataOf, expectProblem, issue, PASSPORT, text } from '../../support/api.ts';
import { openTeam, pathOf } from './team.ts';

async function openBound() {
  const team = await openTeam();
  const { api, token, service, account_id } = team;
  const inside = await issue(api, token, { domain: 'inside.example', agent_name: 'one' });
  const outside = await issue(api, token, { domain: 'outside.example', agent_name: 'one' });
  const child = await issue(api, token, {
    domain: 'inside.example',
    agent_name: 'child',
    parent_agent_id: outside,
  });
  const keys = {
    inside: (await service.keys.create({ name: 'in', agent_ids: [inside] }, { account_id })).id,
    outside: (await service.keys.create({ name: 'out', agent_ids: [outside] }, { account_id })).id,
    whole: (await service.keys.create({ name: 'all' }, { account_id })).id,
  };
  const scopes = ['passports:write', 'keys:write', 'approvals:read', 'revoke'] as const;
  const key = await team.keyOf(scopes, { domains: ['inside.example'] });
  return {
    ...team,
    inside,
    outside,
    child,
    keys,
    key,
    byAgent: await team.keyOf(scopes, { agent_ids: [inside] }),
  };
}

test('every other agent is 404, and in no list', async () => {
  const { key, byAgent, ask, inside, outside, child } = await openBound();
  for (const bound of [key, byAgent]) {
    expect((await ask(bound, 'GET', pathOf(inside))).status).toBe(200);
    for (const [method, path, json] of [
      ['GET', ''],
      ['GET', '/versions'],
      ['GET', '/budgets'],
      ['GET', '/effective'],
      ['PATCH', '', {}],
      ['POST', '/replay', {}],
      ['POST', '/try', { intent: { agent_id: outside, action: 'orders.get' } }],
    ] as const)
      expectProblem(await ask(bound, method, `${pathOf(outside)}${path}`, json), 404, 'not_found');
    expectProblem(await ask(bound, 'POST', '/suspend', { agent_id: outside }), 404, 'not_found');
    expectProblem(await ask(bound, 'POST', '/revoke', { agent_id: outside }), 404, 'not_found');
  }
  const listed = async (bound: string) =>
    dataOf(await ask(bound, 'GET', '/passports')).map(({ agent_id }) => agent_id);
  expect(new Set(await listed(key))).toEqual(new Set([child, inside]));
  expect(await listed(byAgent)).toEqual([inside]);
  for (const bound of [key, byAgent])
    expect(dataOf(await ask(bound, 'GET', '/domains'))).toMatchObject([{ domain: 'inside.example' }]);
  expect((await ask(key, 'POST', '/suspend', { agent_id: inside })).status).toBe(200);
});

test('effective and replay are 404 where they read an agent beyond the bounds', async () => {
  const { key, ask, child } = await openBound();
  expect((await ask(key, 'GET', pathOf(child))).status).toBe(200);
  expectProblem(await ask(key, 'GET', `${pathOf(child)}/effective`), 404, 'not_found');
  expectProblem(await ask(key, 'POST', `${pathOf(child)}/replay`, {}), 404, 'not_found');
});

test('it creates only agents within its bounds, under parents within them', async () => {
  const { key, byAgent, ask, inside, outside } = await openBound();
  const of = (more: object) => ({ ...PASSPORT, domain: 'inside.example', agent_name: 'new', ...more });
  expectProblem(
    await ask(key, 'POST', '/passports', of({ domain: 'outside.example' })),
    403,
    'insufficient_scope',
  );
  expectProblem(
    await ask(key, 'POST', '/passports', of({ domain: 'never.example' })),
    403,
    'insufficient_scope',
  );
  expectProblem(await ask(byAgent, 'POST', '/passports', of({})), 403, 'insufficient_scope');
  const refused = await ask(key, 'POST', '/passports', of({ parent_agent_id: outside }));
  expect(expectProblem(refused, 400, 'invalid_request')).toEqual(['/parent_agent_id']);
  expect((await ask(key, 'POST', '/passports', of({ parent_agent_id: inside }))).status).toBe(201);
});

test('an unbound key creates no agent of a domain that the account has not claimed', async () => {
  const { keyOf, ask } = await openBound();
  const json = { ...PASSPORT, domain: 'never.example', agent_name: 'new' };
  expectProblem(
    await ask(await keyOf(['passports:write']), 'POST', '/passports', json),
    403,
    'insufficient_scope',
  );
});

test('it sees and makes only keys for its agents', async () => {
  const { key, ask, keys, inside, outside } = await openBound();
  expect((await ask(key, 'GET', `/keys/${keys.inside}`)).status).toBe(200);
  for (const id of [keys.outside, keys.whole]) {
    expectProblem(await ask(key, 'GET', `/keys/${id}`), 404, 'not_found');
    expectProblem(await ask(key, 'DELETE', `/keys/${id}`), 404, 'not_found');
    expectProblem(await ask(key, 'POST', `/keys/${id}/rotate`, {}), 404, 'not_found');
  }
  const own = text(await ask(key, 'GET', '/account'), 'id');
  expect(own).toMatch(/^acc_/);
  const listed = dataOf(await ask(key, 'GET', '/keys')).map(({ id }) => id);
  expect(listed).toContain(keys.inside);
  expect(listed).not.toContain(keys.outside);
  expect(listed).not.toContain(keys.whole);
  for (const agent_ids of [undefined, [outside], [inside, outside]])
    expectProblem(
      await ask(key, 'POST', '/keys', { name: 'x', scopes: ['verify'], agent_ids }),
      403,
      'insufficient_scope',
    );
  expect(
    (await ask(key, 'POST', '/keys', { name: 'x', scopes: ['verify'], agent_ids: [inside] })).status,
  ).toBe(201);
  expectProblem(
    await ask(key, 'PATCH', `/keys/${keys.inside}`, { agent_ids: null }),
    403,
    'insufficient_scope',
  );
});

test('it sees only approvals of its agents', async () => {
  const { key, ask, inside, outside, service, account_id } = await openBound();
  const ids: Record<string, string> = {};
  for (const agent_id of [inside, outside]) {
    await service.passports.update(agent_id, { approval: { actions: ['orders.put'] } }, { account_id });
    const { reasons } = await service.verify({ agent_id, action: 'orders.put' });
    ids[agent_id] = `${reasons[0]?.['approval_id']}`;
  }
  expect(dataOf(await ask(key, 'GET', '/approvals')).map(({ id }) => id)).toEqual([ids[inside]]);
  expect((await ask(key, 'GET', `/approvals/${ids[inside]}`)).status).toBe(200);
  expectProblem(await ask(key, 'GET', `/approvals/${ids[outside]}`), 404, 'not_found');
});

test('an idempotency key tells a bound key nothing about the requests of others', async () => {
  const { key, ask, api, token } = await openBound();
  const [headers, other, third] = ['one', 'two', 'three'].map((name) => ({ 'idempotency-key': name }));
  const passport = { ...PASSPORT, domain: 'outside.example', agent_name: 'new' };
  expect(
    (await api.ask('POST', '/passports', { token, json: passport, headers: { ...headers } })).status,
  ).toBe(201);
  expectProblem(await ask(key, 'POST', '/passports', passport, headers), 403, 'insufficient_scope');
  const strong = { name: 'strong', scopes: ['refund'] };
  const made = await api.ask('POST', '/keys', { token, json: strong, headers: { ...other } });
  expectProblem(await ask(key, 'POST', '/keys', strong, other), 403, 'insufficient_scope');
  const rotate = `/keys/${made.body['id']}/rotate`;
  expect((await api.ask('POST', rotate, { token, json: {}, headers: { ...third } })).status).toBe(201);
  expectProblem(await ask(key, 'POST', rotate, {}, third), 404, 'not_found');
});
