/** The keys that a trusted issuer publishes, read from a real server. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type IssuerKey, makeIssuerKey, openTrust, signWorkload } from './trust.ts';

interface Published {
  readonly issuer: string;
  readonly requests: string[];
  keys: readonly object[];
  status: number;
  document: object;
}

/** Serves the documents of an issuer on this machine. */
async function publish(key: IssuerKey): Promise<Published> {
  const requests: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    requests.push(url);
    const body =
      url === '/keys' ? { keys: published.keys } : { jwks_uri: `${issuer}/keys`, ...published.document };
    response.writeHead(published.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const published: Published = { issuer, requests, keys: [key.jwk], status: 200, document: { issuer } };
  return published;
}

/** Opens an agent that trusts the issuer of these documents, and asks as its workload. */
async function open(more: object = {}) {
  const key = await makeIssuerKey();
  const site = await publish(key);
  const entry = { issuer: site.issuer, keys: undefined };
  const opened = await openTrust({ entries: [entry], more: { allowLocalhost: true, ...more } });
  const ask = async (by = key) =>
    opened.workload({}, { assertion: await signWorkload(by, { claims: { iss: site.issuer } }) });
  return { ...opened, site, ask };
}

test('reads the keys of an issuer once for many workloads', async () => {
  const { ask, site } = await open();
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask()));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect(site.requests).toEqual(['/.well-known/openid-configuration', '/keys']);
});

test('reads again for a key that it does not know, at most once in 10 s', async () => {
  const clock = { now: 0 };
  const { ask, site } = await open({
    clock: { now: Date.now, monotonic: () => performance.now() + clock.now },
  });
  expect((await ask()).status).toBe(200);
  const rotated = await makeIssuerKey('ES256', 'two');
  site.keys = [...site.keys, { kty: 'oct', k: 'eA', kid: 'two' }, rotated.jwk];
  expect((await ask(rotated)).status).toBe(400);
  expect(site.requests).toHaveLength(2);
  clock.now += 10_001;
  expect((await ask(rotated)).status).toBe(200);
  const unknown = await makeIssuerKey('ES256', 'three');
  for (let asked = 0; asked < 5; asked += 1) expect((await ask(unknown)).body['error']).toBe('invalid_grant');
  expect(site.requests).toHaveLength(4);
});

test('answers 503 while the keys cannot be read, and 200 after that', async () => {
  const clock = { now: 0 };
  const { ask, site } = await open({
    clock: { now: Date.now, monotonic: () => performance.now() + clock.now },
  });
  site.status = 500;
  for (let asked = 0; asked < 3; asked += 1) {
    expect(await ask()).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } });
  }
  expect(site.requests).toHaveLength(1);
  site.status = 200;
  clock.now += 1_001;
  expect((await ask()).status).toBe(200);
});

test.each<[string, (site: Published) => object]>([
  ['another issuer', ({ issuer }) => ({ issuer: `${issuer}/` })],
  ['no address of keys', ({ issuer }) => ({ issuer, jwks_uri: null })],
  ['keys on another machine', ({ issuer }) => ({ issuer, jwks_uri: 'https://evil.example/keys' })],
  ['keys at another port', ({ issuer }) => ({ issuer, jwks_uri: 'http://127.0.0.1:1/keys' })],
  ['keys in a file', ({ issuer }) => ({ issuer, jwks_uri: 'file:///etc/passwd' })],
])('reads no keys from a document with %s', async (_, documentOf) => {
  const { ask, site } = await open();
  site.document = documentOf(site);
  expect((await ask()).status).toBe(503);
  expect(site.requests).toEqual(['/.well-known/openid-configuration']);
});

test('connects to no address that is not public', async () => {
  const { workload, cluster } = await openTrust({
    entries: [{ issuer: 'https://127.0.0.1:8443', keys: undefined }],
  });
  const assertion = await signWorkload(cluster, { claims: { iss: 'https://127.0.0.1:8443' } });
  expect(await workload({}, { assertion })).toMatchObject({ status: 503 });
});
