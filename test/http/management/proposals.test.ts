/** A management key with `passports:propose`: what narrows applies at once, what widens waits for another person. */
import { expect, test } from 'vitest';
import { expectProblem } from '../../support/api.ts';
import { openTeam, pathOf } from './team.ts';

async function openProposer() {
  const team = await openTeam();
  const { api, token, join, keyOf, ask, agent_id } = team;
  const [maker, approver] = [await join('admin'), await join('approver')];
  await api.ask('PATCH', pathOf(agent_id), { token, json: { currency: 'EUR', monetary_limit_per_txn: 100 } });
  const key = await keyOf(['passports:propose'], {}, maker);
  const patch = (json: object, headers: Record<string, string> = {}) =>
    ask(key, 'PATCH', pathOf(agent_id), json, headers);
  const approve = (who: string, id: unknown) => api.ask('POST', `/approvals/${id}/approve`, { token: who });
  return { ...team, maker, approver, key, patch, approve };
}

test('a change that narrows applies at once, in the name of the key', async () => {
  const { patch, service, account_id, agent_id } = await openProposer();
  expect((await patch({ monetary_limit_per_txn: 50 })).status).toBe(200);
  const { data } = await service.passports.versions(agent_id, {}, { account_id });
  expect(data[0]?.changed_by).toMatch(/^key_/);
});

test('a change that widens waits for another person, for a day, and is applied once', async () => {
  const { patch, approve, maker, approver, clock, service, account_id } = await openProposer();
  const wider = { monetary_limit_per_txn: 500 };
  const asked = await patch(wider);
  expectProblem(asked, 403, 'second_person_required');
  const { approval_id, expires_at } = asked.body;
  expect(expires_at).toBe(clock.instant(86_400_000));
  const [requested] = (await service.audit.list({ type: 'approval.requested' }, { account_id })).data;
  expect(requested).toMatchObject({ by: expect.stringMatching(/^key_/), data: { id: approval_id } });
  expect((await patch(wider)).body['approval_id']).toBe(approval_id);
  expectProblem(await approve(maker, approval_id), 403, 'second_person_required');
  expectProblem(await patch(wider, { 'approval-id': String(approval_id) }), 403, 'second_person_required');
  const shown = await approve(approver, approval_id);
  expect(shown.body).toMatchObject({ status: 'approved', requested_by: expect.stringMatching(/^mem_/) });
  expect(shown.body['change']).not.toHaveProperty('is_proposal');
  const applied = await patch(wider, { 'approval-id': String(approval_id) });
  expect([applied.status, applied.body['monetary_limit_per_txn']]).toEqual([200, 500]);
  expectProblem(
    await patch({ monetary_limit_per_txn: 900 }, { 'approval-id': String(approval_id) }),
    404,
    'not_found',
  );
});

test('small steps that widen wait, each', async () => {
  const { patch } = await openProposer();
  for (const limit of [100.01, 101])
    expectProblem(await patch({ monetary_limit_per_txn: limit }), 403, 'second_person_required');
  expectProblem(
    await patch({ monetary_limit_per_txn: 50, allowed_actions: ['orders.*', 'refunds.create'] }),
    403,
    'second_person_required',
  );
});

test('If-Match and If-Narrower come first', async () => {
  const { patch } = await openProposer();
  const wider = { monetary_limit_per_txn: 500 };
  expectProblem(await patch(wider, { 'if-match': '"9"' }), 412, 'version_mismatch');
  expectProblem(await patch(wider, { 'if-narrower': 'true' }), 412, 'would_widen');
});

test('at most 10 proposals of an agent are open, apart from its approvals', async () => {
  const { patch, clock } = await openProposer();
  for (let limit = 200; limit < 210; limit += 1)
    expect((await patch({ monetary_limit_per_txn: limit })).body['approval_id']).toMatch(/^apr_/);
  expect((await patch({ monetary_limit_per_txn: 300 })).body).toMatchObject({
    approval_id: null,
    too_many: true,
  });
  clock.advance(86_400_001);
  expect((await patch({ monetary_limit_per_txn: 300 })).body['code']).not.toBe(undefined);
});

test('a key with passports:write widens at once, but not where the passport asks for people', async () => {
  const { keyOf, ask, agent_id, api, token } = await openProposer();
  const key = await keyOf(['passports:write']);
  expect((await ask(key, 'PATCH', pathOf(agent_id), { monetary_limit_per_txn: 500 })).status).toBe(200);
  await api.ask('PATCH', pathOf(agent_id), { token, json: { approval: { changes: true } } });
  expectProblem(
    await ask(key, 'PATCH', pathOf(agent_id), { monetary_limit_per_txn: 900 }),
    403,
    'second_person_required',
  );
});

test('a key without a person changes nothing where people count', async () => {
  const { service, account_id, ask, agent_id, expires_at } = await openProposer();
  const { key } = await service.keys.create(
    { name: 'ci', scopes: ['passports:propose'], expires_at },
    { account_id },
  );
  expect((await ask(key, 'PATCH', pathOf(agent_id), { monetary_limit_per_txn: 50 })).status).toBe(200);
  const refused = await ask(key, 'PATCH', pathOf(agent_id), { monetary_limit_per_txn: 500 });
  expectProblem(refused, 403, 'second_person_required');
  expect(refused.body['approval_id']).toBeNull();
});
