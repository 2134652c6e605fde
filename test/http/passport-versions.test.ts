import { expect, test } from 'vitest';
import { dataOf, expectProblem, issue, makeKey, signIn } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';

test('the versions of a passport come whole, newest first, each with its author and its instant', async () => {
  const { opened, api, token } = await openStage();
  const { account_id } = await opened.service.authenticateSession(token);
  const agent = await issue(api, token);
  const shown = [(await api.ask('GET', `/passports/${agent}`, { token })).body];
  const { key, id } = await makeKey(api, token);
  const change = async (method: string, path: string, ask: object) => {
    opened.clock.advance(1_000);
    expect((await api.ask(method, path, ask)).status).toBe(200);
    shown.unshift((await api.ask('GET', `/passports/${agent}`, { token })).body);
  };
  await change('PATCH', `/passports/${agent}`, { token, json: { description: 'a', currency: 'EUR' } });
  await change('POST', '/suspend', { key, json: { agent_id: agent, until: opened.clock.instant(9_000) } });
  await change('PATCH', `/passports/${agent}`, { token, json: { description: null } });
  await change('POST', '/revoke', { key, json: { agent_id: agent, reason: 'b' } });
  // Nothing changed: no version.
  await api.ask('POST', '/revoke', { key, json: { agent_id: agent, reason: 'c' } });
  const person = account_id.replace('acc_', 'mem_');
  const authors = [id, person, id, person, person];
  const expected = shown.map((passport, index) => ({
    ...passport,
    changed_by: authors[index],
    changed_at: passport['updated_at'],
  }));
  const all = await api.ask('GET', `/passports/${agent}/versions`, { token });
  expect(all.body).toStrictEqual({ data: expected, has_more: false, next_cursor: null });
  expect(dataOf(all).map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);

  // What was suspended then is shown so for ever.
  opened.clock.advance(3_600_000 - 5_000);
  const later = await api.ask('GET', `/passports/${agent}/versions`, { token });
  expect(later.body).toStrictEqual(all.body);
});

test('pages of versions are complete, also of one instant, and their cursors fit no other passport', async () => {
  const { api, token } = await openStage();
  const [agent, other] = [await issue(api, token), await issue(api, token, { agent_name: 'other' })];
  for (let version = 2; version <= 12; version += 1) {
    await api.ask('PATCH', `/passports/${agent}`, { token, json: { description: `${version}` } });
  }
  const seen: unknown[] = [];
  let cursor = '';
  do {
    const page = await api.ask('GET', `/passports/${agent}/versions?limit=5${cursor}`, { token });
    seen.push(...dataOf(page).map(({ version }) => version));
    cursor = page.body['next_cursor'] === null ? '' : `&cursor=${page.body['next_cursor']}`;
    const path = `/passports/${other}/versions?limit=5${cursor}`;
    if (cursor !== '') expectProblem(await api.ask('GET', path, { token }), 400, 'invalid_request');
  } while (cursor !== '');
  expect(seen).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
});

test('the versions of a passport are those of its account', async () => {
  const { opened, api, token } = await openStage();
  const agent = await issue(api, token);
  const other = await signIn(opened, api, 'other@example.com');
  const paths = [agent, `${agent}x`].map((id) => `/passports/${id}/versions`);
  for (const path of paths)
    expectProblem(await api.ask('GET', path, { token: other.token }), 404, 'not_found');
});
