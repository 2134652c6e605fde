/** Small promises of the wire that are easily broken. */
import { expect, test } from 'vitest';
import { fetchHandler } from '../../src/http/index.ts';
import { expectProblem, issue, openApi, signIn } from '../support/api.ts';
import { openLocalService, openService } from '../support/service.ts';

const AGENT = 'did:web:example.com:agents:shopper';

async function open() {
  const opened = openService();
  const api = openApi(opened);
  const { token } = await signIn(opened, api);
  return { ...opened, api, token };
}

test.each([
  '2030-01-01T00:00:00.1Z',
  '2030-01-01T00:00:00.1000000001Z',
  `2030-01-01T00:00:00.1${'9'.repeat(30)}Z`,
])('an instant may have any number of fraction digits: %s', async (expires_at) => {
  const { api, token } = await open();
  const passport = { domain: 'example.com', agent_name: 'a', allowed_actions: [], monetary_limit_per_txn: 1 };
  const { status, body } = await api.ask('POST', '/passports', { token, json: { ...passport, expires_at } });
  expect(status).toBe(201);
  expect(String(body['expires_at'])).toMatch(/^2030-01-01T00:00:00\.1\d\dZ$/);
});

test.each(['"1",', ', "1"', ' ,\t"7", ,"1",'])('If-Match may have empty elements: %j', async (header) => {
  const { api, token } = await open();
  await issue(api, token);
  const ask = { token, json: { description: 'a' }, headers: { 'if-match': header } };
  expect((await api.ask('PATCH', `/passports/${AGENT}`, ask)).status).toBe(200);
});

test.each([',', ' , ,', '"1" "2"'])('If-Match without a tag is refused: %j', async (header) => {
  const { api, token } = await open();
  await issue(api, token);
  const ask = { token, json: { description: 'a' }, headers: { 'if-match': header } };
  expectProblem(await api.ask('PATCH', `/passports/${AGENT}`, ask), 400, 'invalid_request');
});

test.each([
  ...['"a,b"', '"1,2"', ',"1,"', 'W/"1,1"', '"\xe4"'].map((header) => [header, 412] as const),
  ...['"a,b", "1"', '"," ,"1"'].map((header) => [header, 200] as const),
  ...['"a,b', 'a,b"', '"1"W/"2"', 'W/ "1"', '"1"\xa0', '"a b"'].map((header) => [header, 400] as const),
])('a comma within a tag of If-Match is part of it: %j is %i', async (header, status) => {
  const { api, token } = await open();
  await issue(api, token);
  const ask = { token, json: { description: 'a' }, headers: { 'if-match': header } };
  expect((await api.ask('PATCH', `/passports/${AGENT}`, ask)).status).toBe(status);
});

test.each([
  '/analytics?to=9999-12-31T23:59:59Z',
  '/analytics?to=9999-12-31T23:59:59.999Z&from=9999-12-31T23:00:00Z&interval=minute',
  '/analytics?to=9999-12-31T23:59:59Z&from=9999-12-01T00:00:00Z&interval=day',
  '/analytics?from=0000-01-01T00:00:00Z&to=0000-01-01T00:00:01Z',
])('analytics answers at both ends of time: %s', async (path) => {
  const { api, token } = await open();
  expect((await api.ask('GET', path, { token })).status).toBe(200);
});

test.each([
  ...['agent_id', 'verdict', 'reason', 'environment', 'from', 'to', 'limit', 'cursor'].map(
    (name) => ['/verifications', name] as const,
  ),
  ...['agent_id', 'from', 'to', 'interval', 'environment'].map((name) => ['/analytics', name] as const),
  ...['status', 'domain', 'limit', 'cursor'].map((name) => ['/passports', name] as const),
  ...['limit', 'cursor'].map((name) => ['/keys', name] as const),
])('%s refuses an empty %s', async (path, name) => {
  const { api, token } = await open();
  const answer = await api.ask('GET', `${path}?${name}=`, { token });
  expect(expectProblem(answer, 400, 'invalid_request')).toEqual([`/${name}`]);
});

test('in process an empty agent_id stands for no agent either, and a cursor of null is the first page', async () => {
  const { service } = openLocalService();
  const refused = { code: 'invalid_request' };
  await expect(service.analytics({ agent_id: '' })).rejects.toMatchObject(refused);
  await expect(service.verifications.list({ agent_id: '' })).rejects.toMatchObject(refused);
  await expect(service.verifications.csv({ agent_id: '' })).rejects.toMatchObject(refused);
  for (const list of [service.passports.list, service.keys.list, service.verifications.list])
    expect((await list({ cursor: null })).data).toEqual([]);
});

test('two idempotency keys are refused by the fetch handler, too', async () => {
  const { service, token } = await open();
  const headers = new Headers({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });
  for (const key of ['a', 'b']) headers.append('idempotency-key', key);
  const asked = { method: 'POST', headers, body: JSON.stringify({ name: 'a' }) };
  const answer = await fetchHandler(service)(new Request('http://localhost/api/keys', asked));
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('Send Idempotency-Key once.');
});
