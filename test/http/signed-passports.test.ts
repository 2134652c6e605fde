import { expect, test } from 'vitest';
import { createAdminClient, createIdentityClient } from '../../src/client.ts';
import { endpoints } from '../../src/http/endpoints.ts';
import { fetchHandler } from '../../src/http/index.ts';
import { openApiDocument } from '../../src/http/openapi.ts';
import { openLocalService, openService, PASSWORD, SECRET } from '../support/service.ts';
import { AGENT, claimsOf, openSigningService, PUBLIC_URL, shopper } from '../support/signing.ts';

const EMAIL = 'a@example.com';

/** A service with one account, its passport, and keys. */
async function openSigned() {
  const { service, clock, secrets } = openService({ identity: { publicUrl: PUBLIC_URL } });
  const { id } = await service.accounts.create({ email: EMAIL, password: PASSWORD });
  const actor = { account_id: id };
  await service.passports.create(shopper(), actor);
  const handle = fetchHandler(service);
  const fetch: typeof globalThis.fetch = async (input, init) => handle(new Request(input, init));
  const keyWith = async (fields: object) => {
    const { key } = await service.keys.create({ name: 'k', ...fields }, actor);
    secrets.add(key);
    return key;
  };
  const post = (path: string, headers: Readonly<Record<string, string>>, body?: object) =>
    handle(
      new Request(`${PUBLIC_URL}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  return { service, clock, secrets, handle, fetch, keyWith, post };
}

const SIGN = `/passports/${encodeURIComponent(AGENT)}/sign`;

test('a session and a key with the scope have a passport signed; no other key', async () => {
  const { keyWith, post, fetch, clock } = await openSigned();
  const signs = await keyWith({ scopes: ['sign'] });
  const answer = await post(SIGN, { 'x-api-key': signs }, { ttl_seconds: 600 });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const { token, kid, expires_at, ...others } = await answer.json();
  expect([others, expires_at]).toEqual([{}, clock.instant(600_000)]);
  expect(claimsOf(token)['sub']).toBe(AGENT);
  expect(kid).toMatch(/^[\w-]{43}$/);
  expect((await post(SIGN, { 'x-api-key': signs })).status).toBe(200);
  const plain = await keyWith({});
  expect((await (await post(SIGN, { 'x-api-key': plain })).json()).code).toBe('insufficient_scope');
  const narrow = await keyWith({ scopes: ['sign'], agent_ids: [`${AGENT}2`] });
  expect((await post(SIGN, { 'x-api-key': narrow })).status).toBe(404);
  expect((await post(SIGN, {})).status).toBe(401);

  const admin = createAdminClient({ baseUrl: PUBLIC_URL, email: EMAIL, password: PASSWORD, fetch });
  expect(claimsOf((await admin.passports.sign(AGENT)).token)['exp']).toBe(clock.now() / 1_000 + 3_600);
  const client = createIdentityClient({ baseUrl: PUBLIC_URL, apiKey: signs, fetch });
  expect((await client.sign(AGENT, { ttl_seconds: 60 })).expires_at).toBe(clock.instant(60_000));
  await expect(client.sign(`${AGENT}2`)).rejects.toMatchObject({ code: 'not_found' });
  await expect(client.sign(AGENT, { ttl_seconds: 1 })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('the scope is never given without being asked for, nor to a test key', async () => {
  const { service } = await openSigned();
  const { data } = await service.accounts.list({ limit: 1 });
  const actor = { account_id: data[0]?.id ?? '' };
  expect((await service.keys.create({ name: 'k' }, actor)).scopes).toEqual(['verify', 'revoke']);
  const asked = { name: 'k', environment: 'test', scopes: ['verify', 'sign'] } as const;
  await expect(service.keys.create(asked, actor)).rejects.toMatchObject({ code: 'invalid_request' });
});

test('without a public URL neither signing nor lists exist', async () => {
  const { service } = openLocalService({ identity: { secret: SECRET } });
  const handle = fetchHandler(service);
  for (const [method, path] of [
    ['POST', SIGN],
    ['GET', `/status/sl_${'0'.repeat(22)}`],
  ] as const) {
    expect((await handle(new Request(`${PUBLIC_URL}${path}`, { method }))).status).toBe(404);
  }
});

test('a status list is public, cacheable and revalidated', async () => {
  const { service, clock } = openSigningService();
  await service.passports.create(shopper());
  const { token } = await service.passports.sign(AGENT);
  const { uri } = (claimsOf(token)['status'] as { status_list: { uri: string } }).status_list;
  const handle = fetchHandler(service);
  const ask = (query = '', headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    handle(new Request(`${uri}${query}`, { method, headers }));
  const answer = await ask();
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/statuslist+jwt',
    'cache-control': 'public, max-age=60',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    age: '0',
  });
  expect(claimsOf(await answer.text())['sub']).toBe(uri);
  const etag = answer.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  clock.advance(30_000);
  const known = await ask('', { 'if-none-match': etag });
  expect([known.status, await known.text(), known.headers.get('age')]).toEqual([304, '', '30']);
  clock.advance(30_000);
  const next = await ask('', { 'if-none-match': etag });
  expect([next.status, next.headers.get('age')]).toEqual([200, '0']);
  const head = await ask('', {}, 'HEAD');
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await ask('', {}, 'POST')).status).toBe(405);
});

test('a list of the past is not offered, and an unknown list is not found', async () => {
  const { service, logs } = openSigningService();
  const handle = fetchHandler(service);
  const ask = async (path: string) => {
    const answer = await handle(new Request(`${PUBLIC_URL}/status/${path}`));
    return [answer.status, (await answer.json()).code];
  };
  const unknown = `sl_${'0'.repeat(22)}`;
  expect(await ask(`${unknown}?time=1686920170`)).toEqual([501, 'not_implemented']);
  expect(await ask(`${unknown}?time=`)).toEqual([501, 'not_implemented']);
  expect(logs.filter(({ level }) => level === 'error')).toEqual([]);
  for (const path of [unknown, 'x', '%2e%2e', encodeURIComponent(AGENT)]) {
    expect(await ask(path)).toEqual([404, 'not_found']);
  }
});

test('the OpenAPI document has both', () => {
  const { paths } = openApiDocument(endpoints) as { paths: Record<string, object> };
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(['/passports/{agent_id}/sign', '/status/{list_id}']),
  );
});
