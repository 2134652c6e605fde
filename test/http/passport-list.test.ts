import { expect, test } from 'vitest';
import { type Api, dataOf, expectProblem, issue, openApi, signIn } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';
import { MINUTE, openService } from '../support/service.ts';

const idsOf = (answer: Parameters<typeof dataOf>[0]) => dataOf(answer).map(({ agent_id }) => agent_id);

async function readAll(
  api: Api,
  token: string,
  query: string,
  between?: () => Promise<unknown>,
): Promise<unknown[]> {
  const ids: unknown[] = [];
  let cursor: unknown = null;
  do {
    const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(String(cursor))}`;
    const page = await api.ask('GET', `/passports?${query}${more}`, { token });
    expect(page.status).toBe(200);
    expect(page.body['has_more']).toBe(page.body['next_cursor'] !== null);
    ids.push(...idsOf(page));
    cursor = page.body['next_cursor'];
    await between?.();
  } while (cursor !== null);
  return ids;
}

test('an empty list is one empty page', async () => {
  const { api, token } = await openStage();
  const { body } = await api.ask('GET', '/passports', { token });
  expect(body).toEqual({ data: [], has_more: false, next_cursor: null });
});

test('the newest come first, fifty to a page', async () => {
  const { opened, api, token } = await openStage();
  const issued: string[] = [];
  for (let index = 0; index < 51; index += 1) {
    opened.clock.advance(1);
    issued.unshift(await issue(api, token, { agent_name: `a${index}` }));
  }
  const page = await api.ask('GET', '/passports', { token });
  expect(idsOf(page)).toEqual(issued.slice(0, 50));
  expect(page.body['has_more']).toBe(true);
  expect(await readAll(api, token, 'limit=50')).toEqual(issued);
  expect(await readAll(api, token, 'limit=51')).toEqual(issued);
  const exact = await api.ask('GET', '/passports?limit=51', { token });
  expect([exact.body['has_more'], exact.body['next_cursor']]).toEqual([false, null]);
});

test.each([1, 2, 3, 7, 100])(
  'pages of %i hold everything from before the first page exactly once, whatever is issued and changed meanwhile',
  async (limit) => {
    const { opened, api, token } = await openStage();
    const before: string[] = [];
    // All in one millisecond, so that only the id orders them.
    for (let index = 0; index < 12; index += 1)
      before.push(await issue(api, token, { agent_name: `m${index}` }));
    let count = 0;
    const seen = await readAll(api, token, `limit=${limit}`, async () => {
      if (count > 20) return;
      for (const prefix of ['a', 'm', 'z']) await issue(api, token, { agent_name: `${prefix}-new${count}` });
      await api.ask('PATCH', `/passports/${before[count % 12]}`, {
        token,
        json: { description: `${count}` },
      });
      opened.clock.advance(count % 2);
      count += 1;
    });
    const old = seen.filter((id) => before.includes(String(id)));
    expect(old.sort()).toEqual(before.sort());
    expect(new Set(seen).size).toBe(seen.length);
  },
);

test('filters by status now and by domain', async () => {
  const { opened, api, token } = await openStage();
  const until = opened.clock.instant(MINUTE);
  const active = await issue(api, token, { agent_name: 'active' });
  const revoked = await issue(api, token, { agent_name: 'revoked' });
  const suspended = await issue(api, token, { agent_name: 'suspended' });
  const lapsing = await issue(api, token, { agent_name: 'lapsing' });
  const expiring = await issue(api, token, {
    agent_name: 'expiring',
    domain: 'other.example',
    expires_at: until,
  });
  await api.ask('POST', '/revoke', { token, json: { agent_id: revoked } });
  await api.ask('POST', '/suspend', { token, json: { agent_id: suspended } });
  await api.ask('POST', '/suspend', { token, json: { agent_id: lapsing, until } });
  const list = async (query: string) => (await readAll(api, token, `limit=1&${query}`)).sort();

  expect(await list('status=active')).toEqual([active, expiring].sort());
  expect(await list('status=suspended')).toEqual([lapsing, suspended].sort());
  expect(await list('status=revoked')).toEqual([revoked]);
  expect(await list('status=expired')).toEqual([]);
  expect(await list('domain=other.example')).toEqual([expiring]);
  expect(await list('domain=none.example')).toEqual([]);
  expect(await list('domain=example.com&status=active')).toEqual([active]);
  opened.clock.advance(MINUTE);
  expect(await list('status=active')).toEqual([active, lapsing].sort());
  expect(await list('status=suspended')).toEqual([suspended]);
  expect(await list('status=expired')).toEqual([expiring]);
});

test('a rare status is found behind many others', async () => {
  const { opened, api, token } = await openStage();
  const { account_id } = await opened.service.authenticateSession(token);
  const issueOne = (agent_name: string, expires_at = '2027-01-01T00:00:00Z') => {
    const input = {
      domain: 'example.com',
      agent_name,
      allowed_actions: [],
      monetary_limit_per_txn: 0,
      expires_at,
    };
    return opened.service.passports.create(input, { account_id });
  };
  await issueOne('first', opened.clock.instant(1));
  opened.clock.advance(1);
  for (let index = 0; index < 650; index += 1) await issueOne(`a${index}`);
  expect(await readAll(api, token, 'status=expired')).toEqual(['did:web:example.com:agents:first']);
  expect(await readAll(api, token, 'status=active')).toHaveLength(650);
});

test('a cursor fits only the query, the account and the list that it came from', async () => {
  const { opened, api, token } = await openStage();
  const other = await signIn(opened, api, 'other@example.com');
  for (const agent_name of ['a', 'b', 'c']) await issue(api, token, { agent_name });
  const page = await api.ask('GET', '/passports?limit=1&status=active', { token });
  const cursor = String(page.body['next_cursor']);
  const ask = (path: string, as = token) => api.ask('GET', path, { token: as });
  const enc = encodeURIComponent(cursor);
  expect((await ask(`/passports?status=active&cursor=${enc}`)).status).toBe(200);
  expect((await ask(`/passports?status=active&limit=100&cursor=${enc}`)).status).toBe(200);
  const others = [
    `/passports?cursor=${enc}`,
    `/passports?status=revoked&cursor=${enc}`,
    `/keys?cursor=${enc}`,
  ];
  for (const path of [...others, `/passports?status=active&domain=example.com&cursor=${enc}`]) {
    expect(expectProblem(await ask(path), 400, 'invalid_request')).toEqual(['/cursor']);
  }
  expectProblem(await ask(`/passports?status=active&cursor=${enc}`, other.token), 400, 'invalid_request');
});

test('a cursor that was tampered with, or that another service made, is refused', async () => {
  const { api, token } = await openStage();
  for (const agent_name of ['a', 'b']) await issue(api, token, { agent_name });
  const page = await api.ask('GET', '/passports?limit=1', { token });
  const cursor = String(page.body['next_cursor']);
  const ask = (text: string) => api.ask('GET', `/passports?cursor=${encodeURIComponent(text)}`, { token });
  expect((await ask(cursor)).status).toBe(200);
  for (let at = 0; at < cursor.length; at += 1) {
    const other = cursor[at] === 'A' ? 'B' : 'A';
    expectProblem(await ask(cursor.slice(0, at) + other + cursor.slice(at + 1)), 400, 'invalid_request');
  }
  for (const text of [cursor.slice(0, -1), `${cursor}A`, ` ${cursor}`, `${cursor}.`, '.', 'bnVsbA.', '😀']) {
    expectProblem(await ask(text), 400, 'invalid_request');
  }

  const elsewhere = openService({ session: { secret: 'a-quite-different-s3cret-of-32-bytes+' } });
  const theirs = openApi(elsewhere);
  const { token: theirToken } = await signIn(elsewhere, theirs);
  const refusal = await theirs.ask('GET', `/passports?cursor=${encodeURIComponent(cursor)}`, {
    token: theirToken,
  });
  expectProblem(refusal, 400, 'invalid_request');
});

test('lists the passports of a set, which PATCH names and removes', async () => {
  const { api, token } = await openStage();
  const [mine, other] = [
    await issue(api, token, { agent_name: 'mine', managed_by: 'prod' }),
    await issue(api, token, { agent_name: 'other' }),
  ];
  expect(await readAll(api, token, 'managed_by=prod')).toEqual([mine]);
  const path = `/passports/${encodeURIComponent(other)}`;
  const named = await api.ask('PATCH', path, { token, json: { managed_by: 'prod' } });
  expect(named.body).toMatchObject({ managed_by: 'prod', version: 2 });
  expect(await readAll(api, token, 'managed_by=prod')).toEqual([other, mine]);
  const freed = await api.ask('PATCH', path, { token, json: { managed_by: null } });
  expect(freed.body).not.toHaveProperty('managed_by');
  for (const wrong of ['Prod', '-a', 'a'.repeat(65), 'a b', '__proto__']) {
    expectProblem(
      await api.ask('PATCH', path, { token, json: { managed_by: wrong } }),
      400,
      'invalid_request',
    );
    const query = `managed_by=${encodeURIComponent(wrong)}`;
    expectProblem(await api.ask('GET', `/passports?${query}`, { token }), 400, 'invalid_request');
  }
});

test('suspends and reinstates only the version that If-Match names', async () => {
  const { api, token } = await openStage();
  const agent_id = await issue(api, token);
  const send = (path: string, version: number) =>
    api.ask('POST', path, { token, json: { agent_id }, headers: { 'if-match': `"${version}"` } });
  expectProblem(await send('/suspend', 2), 412, 'version_mismatch');
  expect((await send('/suspend', 1)).status).toBe(200);
  expectProblem(await send('/reinstate', 1), 412, 'version_mismatch');
  expect((await send('/reinstate', 2)).body).toMatchObject({ status: 'active' });
});
