import { createRemoteJWKSet } from 'jose';
import { expect, test } from 'vitest';
import { fetchHandler, nodeListener } from '../../src/http/index.ts';
import { listen } from '../support/servers.ts';
import { openLocalService, SECRET } from '../support/service.ts';

const ask = (headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  new Request('http://host/api/jwks.json', { method, headers });

test('the JWK set is public, cacheable and revalidated', async () => {
  const { service } = openLocalService({ identity: { secret: SECRET } });
  const handle = fetchHandler(service);
  const answer = await handle(ask());
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/jwk-set+json',
    'cache-control': 'public, max-age=300',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  });
  expect(await answer.json()).toEqual(await service.signing.jwks());
  const etag = answer.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  for (const value of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const known = await handle(ask({ 'if-none-match': value }));
    expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', etag]);
    expect(known.headers.get('cache-control')).toBe('public, max-age=300');
  }
  expect((await handle(ask({ 'if-none-match': '"x"' }))).status).toBe(200);
  await service.signing.rotate();
  const changed = await handle(ask({ 'if-none-match': etag }));
  expect(changed.status).toBe(200);
  expect((await changed.json()).keys).toHaveLength(2);
  const head = await handle(ask({}, 'HEAD'));
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await handle(ask({}, 'POST'))).status).toBe(405);
});

test('it does not exist in a service that does not sign', async () => {
  const answer = await fetchHandler(openLocalService().service)(ask());
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
});

test('jose finds the key in the remote set, over node:http', async () => {
  const { service } = openLocalService({ identity: { secret: SECRET } });
  const origin = await listen(nodeListener(service));
  const [key] = (await service.signing.jwks()).keys;
  const find = createRemoteJWKSet(new URL(`${origin}/api/jwks.json`));
  const found = await find({ alg: 'EdDSA', kid: key?.kid ?? '' }, { payload: '', signature: '' });
  expect(found.type).toBe('public');
});
