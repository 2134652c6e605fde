/** A change that needs a second person, over HTTP: the header `Approval-Id`, the problem, and the clients. */
import { expect, test } from 'vitest';
import { createAdminClient } from '../../src/client.ts';
import { fetchHandler, nodeListener } from '../../src/http/index.ts';
import type { Role } from '../../src/records.ts';
import { dataOf, expectProblem, issue, makeKey, openApi, signIn } from '../support/api.ts';
import { listen } from '../support/servers.ts';
import { openService, PASSWORD } from '../support/service.ts';

const WIDER = { monetary_limit_per_txn: 5_000 };

async function openTeam() {
  const opened = openService();
  const api = openApi(opened);
  const { token, account_id } = await signIn(opened, api);
  const join = async (role: Role): Promise<string> => {
    const email = `${role}@example.com`;
    const { link } = await opened.service.members.invite({ role, email }, { account_id });
    return (await opened.service.acceptLink({ token: link.token, password: PASSWORD })).access_token;
  };
  const [editor, approver] = [await join('editor'), await join('approver')];
  const limits = { currency: 'EUR', monetary_limit_per_txn: 100, monetary_actions: ['payments.create'] };
  const agent_id = await issue(api, token, { ...limits, approval: { above: 50, changes: true } });
  const path = `/passports/${encodeURIComponent(agent_id)}`;
  const patch = (who: string, json: object, headers: Record<string, string> = {}) =>
    api.ask('PATCH', path, { token: who, json, headers });
  const approve = (who: string, id: string) => api.ask('POST', `/approvals/${id}/approve`, { token: who });
  return { ...opened, api, token, editor, approver, agent_id, path, patch, approve };
}

test('a change that widens is 403 with the approval that applies it', async () => {
  const { api, editor, approver, patch, approve, clock } = await openTeam();
  const refused = await patch(editor, WIDER);
  expectProblem(refused, 403, 'second_person_required');
  const { approval_id: id, expires_at } = refused.body as Record<string, string>;
  expect([id, expires_at]).toEqual([expect.stringMatching(/^apr_/), clock.instant(3_600_000)]);
  const shown = await api.ask('GET', `/approvals/${id}`, { token: approver });
  expect(shown.body).toMatchObject({ kind: 'change', change: { patch: WIDER, version: 1, result: 'wider' } });
  const headers = { 'approval-id': String(id) };
  expectProblem(await patch(editor, WIDER, headers), 403, 'second_person_required');
  expect((await approve(approver, String(id))).body).toMatchObject({ status: 'approved' });
  const applied = await patch(editor, WIDER, headers);
  expect([applied.status, applied.body['version']]).toEqual([200, 2]);
  expectProblem(await patch(editor, { monetary_limit_per_txn: 6_000 }, headers), 404, 'not_found');
});

test('the one who asked gets 403 with why its approval does not count', async () => {
  const { token, patch, approve } = await openTeam();
  const { approval_id } = (await patch(token, WIDER)).body as Record<string, string>;
  const own = await approve(token, String(approval_id));
  expectProblem(own, 403, 'second_person_required');
  expect(own.body['because']).toBe('requested');
});

test.each([['apr_1, apr_2'], [''], ['apr_1 apr_2'], ['apr_1,apr_1'], ['x'.repeat(129)]])(
  'Approval-Id of %j is refused',
  async (value) => {
    const { editor, patch } = await openTeam();
    expectProblem(await patch(editor, WIDER, { 'approval-id': value }), 400, 'invalid_request');
  },
);

test('Approval-Id that is sent twice is refused, whatever the binding', async () => {
  const { service, editor, path } = await openTeam();
  const handle = fetchHandler(service);
  const headers = new Headers({ authorization: `Bearer ${editor}`, 'content-type': 'application/json' });
  for (let times = 0; times < 2; times += 1) headers.append('approval-id', 'apr_1');
  const body = JSON.stringify({ monetary_limit_per_txn: 1 });
  const twice = new Request(`http://localhost/api${path}`, { method: 'PATCH', headers, body });
  expect((await handle(twice)).status).toBe(400);
});

test('Approval-Id of another kind, agent or account is 404, and nothing is changed or used', async () => {
  const { service, api, token, editor, approver, agent_id, path, patch, approve } = await openTeam();
  const { approval_id } = (await patch(editor, WIDER)).body as Record<string, string>;
  const change = String(approval_id);
  expect((await approve(approver, change)).status).toBe(200);

  const { key } = await makeKey(api, token);
  const json = { agent_id, action: 'payments.create', parameters: { amount: 60, currency: 'EUR' } };
  await api.ask('POST', '/verify', { key, json });
  const data = dataOf(await api.ask('GET', '/approvals?status=pending', { token }));
  const intent = String(data.find((one) => one['kind'] === 'intent')?.['id']);
  expect((await approve(approver, intent)).status).toBe(200);
  expectProblem(await patch(editor, WIDER, { 'approval-id': intent }), 404, 'not_found');

  const bound = { currency: 'EUR', monetary_limit_per_txn: 100, approval: { changes: true } };
  const apply = (who: string, id: string) =>
    api.ask('PATCH', `/passports/${encodeURIComponent(id)}`, {
      ...{ token: who, json: WIDER, headers: { 'approval-id': change } },
    });
  expectProblem(
    await apply(editor, await issue(api, token, { ...bound, agent_name: 'other' })),
    404,
    'not_found',
  );
  await service.accounts.create({ email: 'eve@example.com', password: PASSWORD });
  const eve = (await service.login({ email: 'eve@example.com', password: PASSWORD })).access_token;
  const theirs = await issue(api, eve, { ...bound, domain: 'eve.example' });
  for (const id of [theirs, agent_id]) expectProblem(await apply(eve, id), 404, 'not_found');

  for (const id of [change, intent])
    expect((await api.ask('GET', `/approvals/${id}`, { token })).body).toMatchObject({ status: 'approved' });
  expect((await api.ask('GET', path, { token })).body).toMatchObject({ version: 1 });
});

test('the admin client has the facts of the refusal, and applies the change with them', async () => {
  const { service, editor, approver, agent_id } = await openTeam();
  const baseUrl = `${await listen(nodeListener(service))}/api`;
  const as = (accessToken: string) => createAdminClient({ baseUrl, accessToken });
  const [mine, theirs] = [as(editor), as(approver)];
  const error = await mine.passports.update(agent_id, WIDER).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'second_person_required',
    details: { approval_id: expect.stringMatching(/^apr_/), expires_at: expect.any(String) },
  });
  const { approval_id: approvalId } = (error as { details: { approval_id: string } }).details;
  await theirs.approvals.approve(approvalId, { note: 'for the fair' });
  expect(await mine.passports.update(agent_id, WIDER, { approvalId })).toMatchObject({ version: 2 });
  expect(await theirs.approvals.get(approvalId)).toMatchObject({
    status: 'used',
    decisions: [{ note: 'for the fair' }],
  });
});
