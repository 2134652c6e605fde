import type express from 'express';
import { describe, expect, test } from 'vitest';
import { didRouter } from '../../../adapters/express/index.ts';
import { didListener } from '../../../src/identity/index.ts';
import { ED25519_KEYS, P256_KEYS } from '../../support/agent-keys.ts';
import { listen, listenExpress } from '../../support/servers.ts';
import { HOUR, SECRET } from '../../support/service.ts';
import { openDidStage, PASSPORT, PUBLIC_URL } from './stage.ts';

const AGENT = '/agents/shopper/did.json';
const KEYS = '/agents/shopper/jwks.json';
const DOMAIN = '/.well-known/did.json';
const [ed25519] = ED25519_KEYS;
const [p256] = P256_KEYS;
const SHOPPER = { domain: 'shop.example', agent_name: 'shopper', ...PASSPORT, public_keys: [ed25519, p256] };
const did = 'did:web:shop.example:agents:shopper';

async function openShop(options: Parameters<typeof openDidStage>[0] = {}) {
  const stage = openDidStage(options);
  const account_id = await stage.account('ann@example.com');
  await stage.service.passports.create(SHOPPER, { account_id });
  const read = async (path: string, init?: RequestInit) => {
    const answer = await stage.ask('shop.example', path, init);
    return { ...answer, body: answer?.text ? JSON.parse(answer.text) : undefined };
  };
  return { ...stage, account_id, read };
}

test('the document of an agent holds its keys, each twice, and nothing of what it may do', async () => {
  const { read } = await openShop();
  const { status, headers, body } = await read(AGENT);
  expect(status).toBe(200);
  const ids = [ed25519, p256].map(({ kid }) => `${did}#${kid}`);
  const twins = body.verificationMethod.slice(2).map(({ id }: { id: string }) => id);
  expect(body).toEqual({
    '@context': [
      'https://www.w3.org/ns/did/v1',
      'https://w3id.org/security/jwk/v1',
      'https://w3id.org/security/multikey/v1',
    ],
    id: did,
    controller: 'did:web:shop.example',
    verificationMethod: [
      { id: ids[0], type: 'JsonWebKey', controller: did, publicKeyJwk: { ...ed25519, use: 'sig' } },
      { id: ids[1], type: 'JsonWebKey', controller: did, publicKeyJwk: { ...p256, use: 'sig' } },
      { id: twins[0], type: 'Multikey', controller: did, publicKeyMultibase: twins[0].split('#')[1] },
      { id: twins[1], type: 'Multikey', controller: did, publicKeyMultibase: twins[1].split('#')[1] },
    ],
    authentication: [...ids, ...twins],
    assertionMethod: [...ids, ...twins],
    service: [{ id: `${did}#verify`, type: 'AgentIdentityVerify', serviceEndpoint: PUBLIC_URL }],
  });
  expect(twins).toEqual([expect.stringMatching(/#z6Mk/), expect.stringMatching(/#zDn/)]);
  expect(Object.fromEntries(headers ?? [])).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'public, max-age=300',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    vary: 'accept',
  });
});

test('the JWK set of an agent holds its keys while they count', async () => {
  const { service, account_id, read } = await openShop();
  const { headers, body } = await read(KEYS);
  expect(body).toEqual({
    keys: [
      { ...ed25519, use: 'sig' },
      { ...p256, use: 'sig' },
    ],
  });
  expect(headers?.get('content-type')).toBe('application/jwk-set+json');
  await service.suspend({ agent_id: did }, { account_id });
  expect((await read(KEYS)).body).toEqual({ keys: [] });
});

test('the document of a domain asserts by the keys of the service, and authenticates by none', async () => {
  const { service, read } = await openShop();
  const { status, body } = await read(DOMAIN);
  const [{ nbf: _, ...key } = { nbf: 0, kid: '' }] = (await service.signing.jwks()).keys;
  expect(status).toBe(200);
  expect(body).toMatchObject({ id: 'did:web:shop.example', authentication: [] });
  expect(body).not.toHaveProperty('controller');
  expect(body.verificationMethod[0]).toMatchObject({
    id: `did:web:shop.example#${key.kid}`,
    publicKeyJwk: key,
  });
  expect(body.assertionMethod).toEqual(body.verificationMethod.map(({ id }: { id: string }) => id));
});

describe('the state of a passport', () => {
  const used = { authentication: [], assertionMethod: [] };

  test('suspended and reinstated', async () => {
    const { service, account_id, read } = await openShop();
    const before = await read(AGENT);
    await service.suspend({ agent_id: did }, { account_id });
    const during = await read(AGENT);
    expect([during.status, during.body]).toEqual([200, { ...before.body, ...used }]);
    expect(during.headers?.get('etag')).not.toBe(before.headers?.get('etag'));
    await service.reinstate({ agent_id: did }, { account_id });
    expect((await read(AGENT)).body).toEqual(before.body);
  });

  test('not yet valid, valid, expired', async () => {
    const { service, clock, account_id, ask } = await openShop();
    const times = { not_before: clock.instant(HOUR), expires_at: clock.instant(2 * HOUR) };
    await service.passports.create({ ...SHOPPER, ...times, agent_name: 'timed' }, { account_id });
    const states: number[] = [];
    for (let hour = 0; hour < 3; hour += 1) {
      const { status, text } = (await ask('shop.example', '/agents/timed/did.json')) ?? expect.fail();
      const { verificationMethod, authentication, assertionMethod } = JSON.parse(text);
      expect([status, verificationMethod.length, assertionMethod]).toEqual([200, 4, authentication]);
      states.push(authentication.length);
      clock.advance(HOUR);
    }
    expect(states).toEqual([0, 4, 0]);
  });

  test('revoked', async () => {
    const { service, account_id, read } = await openShop();
    await service.revoke({ agent_id: did }, { account_id });
    for (const path of [AGENT, KEYS]) {
      const { status, headers, body } = await read(path);
      expect([status, headers?.get('content-type')]).toEqual([410, 'application/problem+json']);
      expect(body).toMatchObject({ status: 410, code: 'not_found' });
    }
  });

  test('without keys', async () => {
    const { service, account_id, ask } = await openShop();
    const { public_keys: _, ...plain } = SHOPPER;
    await service.passports.create({ ...plain, agent_name: 'bare' }, { account_id });
    const { status, text } = (await ask('shop.example', '/agents/bare/did.json')) ?? expect.fail();
    expect([status, JSON.parse(text)]).toMatchObject([200, { verificationMethod: [], ...used }]);
  });
});

test('a change is seen, and a document that did not change is not sent again', async () => {
  const { service, account_id, read } = await openShop();
  const { headers } = await read(AGENT);
  const etag = headers?.get('etag') ?? '';
  expect(etag).toMatch(/^"[\x21\x23-\x7e]+"$/);
  for (const value of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const known = await read(AGENT, { headers: { 'if-none-match': value } });
    expect([known.status, known.text, known.headers?.get('etag')]).toEqual([304, '', etag]);
    expect(known.headers?.get('cache-control')).toBe('public, max-age=300');
  }
  await service.passports.update(did, { public_keys: [p256] }, { account_id });
  const changed = await read(AGENT, { headers: { 'if-none-match': etag } });
  expect([changed.status, changed.body.verificationMethod.length]).toEqual([200, 2]);
  expect(changed.headers?.get('etag')).not.toBe(etag);
});

test('the type is that of DID documents where it is asked for', async () => {
  const { read } = await openShop();
  for (const accept of ['application/did+json', 'text/html, Application/DID+JSON;q=0.9']) {
    const { headers } = await read(AGENT, { headers: { accept } });
    expect(headers?.get('content-type')).toBe('application/did+json');
  }
  const { headers } = await read(AGENT, { headers: { accept: 'application/did+ld+json, */*' } });
  expect(headers?.get('content-type')).toBe('application/json');
});

test('HEAD is answered as GET, other methods and other paths are not', async () => {
  const { ask, read } = await openShop();
  const got = await read(AGENT);
  const head = await read(AGENT, { method: 'HEAD' });
  expect([head.status, head.text, head.headers?.get('etag')]).toEqual([200, '', got.headers?.get('etag')]);
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const { status, headers, body } = await read(AGENT, { method });
    expect([status, headers?.get('allow'), body.code]).toEqual([405, 'GET, HEAD', 'method_not_allowed']);
  }
  for (const path of [
    '/',
    '/did.json',
    '/agents/did.json',
    '/agents/a/b/did.json',
    '/agents/shopper/x.json',
  ]) {
    expect(await ask('shop.example', path)).toBeUndefined();
  }
});

test('each host has its own agents, and what it does not have is not found', async () => {
  const { service, account, account_id, ask } = await openShop();
  const other = await account('bob@example.com');
  await service.passports.create({ ...SHOPPER, domain: 'other.example%3A8443' }, { account_id: other });
  const idAt = async (host: string, path = AGENT): Promise<string | number | undefined> => {
    const { status, text } = (await ask(host, path)) ?? expect.fail();
    return status === 200 ? JSON.parse(text).id : status;
  };
  expect(await idAt('shop.example')).toBe(did);
  expect(await idAt('SHOP.example:443')).toBe(did);
  expect(await idAt('other.example:8443')).toBe('did:web:other.example%3A8443:agents:shopper');
  expect(await idAt('other.example:8443', DOMAIN)).toBe('did:web:other.example%3A8443');
  // The domain is claimed without a port, and a port of it has a document of its own.
  expect(await idAt('other.example', DOMAIN)).toBe('did:web:other.example');
  for (const host of [
    'other.example',
    'other.example:8444',
    'shop.example:8443',
    'a.shop.example',
    '127.0.0.1',
  ])
    expect(await idAt(host)).toBe(404);
  for (const host of ['nobody.example', 'localhost:3000', '[::1]:80'])
    expect(await idAt(host, DOMAIN)).toBe(404);
  expect(await idAt('shop.example', '/agents/nobody/did.json')).toBe(404);
  expect(await idAt('shop.example', '/agents/SHOPPER/did.json')).toBe(404);
  // An application that serves one account shows only its documents.
  const only = { account_id };
  expect((await ask('shop.example', AGENT, {}, only))?.status).toBe(200);
  expect((await ask('shop.example', DOMAIN, {}, only))?.status).toBe(200);
  expect((await ask('other.example:8443', AGENT, {}, only))?.status).toBe(404);
  expect((await ask('other.example:8443', DOMAIN, {}, only))?.status).toBe(404);
});

test('a passport of an account that lost its domain does not resolve', async () => {
  const { service, account, clock, read } = await openShop();
  expect((await read(AGENT)).status).toBe(200);
  await service.domains.transfer('shop.example', { account_id: await account('bob@example.com') });
  clock.advance(1_000);
  expect((await read(AGENT)).status).toBe(404);
});

test('without claims of domains agents resolve, and domains do not; without an address no document names it', async () => {
  const { read } = await openShop({ domainProof: 'off' });
  expect([(await read(AGENT)).status, (await read(DOMAIN)).status]).toEqual([200, 404]);
  const plain = openDidStage({ identity: { secret: SECRET } });
  const account_id = await plain.account('ann@example.com');
  await plain.service.passports.create(SHOPPER, { account_id });
  const agent = await plain.ask('shop.example', AGENT);
  expect([agent?.status, (await plain.ask('shop.example', DOMAIN))?.status]).toEqual([200, 200]);
  expect(agent?.text).not.toContain('serviceEndpoint');
});

test('a forwarded host counts only behind proxies of the application', async () => {
  const { ask } = await openShop();
  const forwarded = { headers: { 'x-forwarded-host': 'made-up.example, shop.example' } };
  expect((await ask('internal.example', AGENT, forwarded))?.status).toBe(404);
  expect((await ask('internal.example', AGENT, forwarded, { trustProxy: 1 }))?.status).toBe(200);
  expect((await ask('internal.example', AGENT, forwarded, { trustProxy: 2 }))?.status).toBe(404);
  expect((await ask('shop.example', AGENT, {}, { trustProxy: 1 }))?.status).toBe(200);
});

test('takes the time that third parties keep a document from the option, from 0 to a day', async () => {
  const { read } = await openShop({ identity: { didMaxAgeSeconds: 0 } });
  expect((await read(AGENT)).headers?.get('cache-control')).toBe('public, max-age=0');
  for (const didMaxAgeSeconds of [-1, 1.5, 86_401, Number.NaN, '300' as never]) {
    expect(() => openDidStage({ identity: { didMaxAgeSeconds } })).toThrow(/didMaxAgeSeconds/);
  }
});

test('leaves other paths to the application over node:http and Express', async () => {
  const { service } = await openShop();
  const serve = didListener(service);
  const alone = await listen((request, response) => void serve(request, response));
  const before = await listen((request, response) => {
    void serve(request, response, () => response.end('mine'));
  });
  const mounted = await listenExpress((app: express.Express) => {
    app.use(didRouter(service));
    app.use((_request, response) => void response.end('mine'));
  });
  const get = async (origin: string, path: string, method = 'GET') => {
    const { hostname, port } = new URL(origin);
    const { request } = await import('node:http');
    return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      request({ hostname, port, path, method, headers: { host: 'shop.example' } }, async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk as Buffer);
        resolve({ status: answer.statusCode, text: `${Buffer.concat(chunks)}` });
      })
        .on('error', reject)
        .end();
    });
  };
  for (const origin of [alone, before, mounted]) {
    const { status, text } = await get(origin, `${AGENT}?x=1`);
    expect([status, JSON.parse(text).id]).toEqual([200, did]);
    expect(await get(origin, AGENT, 'HEAD')).toEqual({ status: 200, text: '' });
    expect((await get(origin, AGENT, 'POST')).status).toBe(405);
  }
  expect((await get(alone, '/elsewhere')).status).toBe(404);
  expect(await get(before, '/elsewhere')).toEqual({ status: 200, text: 'mine' });
  expect(await get(mounted, '/elsewhere')).toEqual({ status: 200, text: 'mine' });
});
