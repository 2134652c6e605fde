/** Discovery (certification, section 6): over TLS, at the well-known place of the decision point. */
import { readFileSync } from 'node:fs';
import { createServer, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { didRouter, identityRouter } from '../../../adapters/express/index.ts';
import type { WholeService } from '../../../src/capabilities.ts';
import { nodeListener } from '../../../src/http/index.ts';
import { didHandler, didListener } from '../../../src/identity/index.ts';
import { makeCertificate } from '../../support/certificate.ts';
import { openFolder } from '../../support/process.ts';
import { listenExpress } from '../../support/servers.ts';
import { openService } from '../../support/service.ts';

const PATH = '/.well-known/authzen-configuration/api';

interface Read {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly text: string;
}

/** A TLS listener whose service knows its own address. */
async function openTls(make: (publicUrl: string) => WholeService) {
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const { ca, cert, key } = makeCertificate(folder, ['DNS:localhost']);
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  const service = make(`${origin}/api`);
  const api = nodeListener(service);
  const documents = didListener(service);
  server.on('request', (request, response) => {
    void (request.url?.startsWith('/api/') ? api : documents)(request, response);
  });
  const read = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    new Promise<Read>((resolve, reject) => {
      const options = { ca: readFileSync(ca), headers, servername: 'localhost' };
      get(url, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece) => {
          text += piece;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode, type: response.headers['content-type'], text }),
        );
      }).on('error', reject);
    });
  return { origin, read };
}

test('the metadata stands at the well-known place, and names the endpoints that are served', async () => {
  const { origin, read } = await openTls((publicUrl) => {
    return openService({ authzen: {}, identity: { publicUrl } }).service;
  });
  for (const headers of [{}, { host: 'evil.example', 'x-forwarded-host': 'evil.example' }]) {
    const { status, type, text } = await read(`${origin}${PATH}`, headers);
    expect([status, type]).toEqual([200, 'application/json']);
    expect(JSON.parse(text)).toEqual({
      policy_decision_point: `${origin}/api`,
      access_evaluation_endpoint: `${origin}/api/access/v1/evaluation`,
      access_evaluations_endpoint: `${origin}/api/access/v1/evaluations`,
    });
  }
  const { access_evaluation_endpoint } = JSON.parse((await read(`${origin}${PATH}`)).text);
  // It is there: asked by GET, it says that it takes another method.
  expect((await read(access_evaluation_endpoint)).status).toBe(405);
  expect((await read(`${origin}/.well-known/authzen-configuration`)).status).toBe(404);
});

test('there is no metadata without AuthZEN, and none without an https address that is public', async () => {
  const without = [
    openService({ authzen: {}, identity: {} }),
    openService({ authzen: {}, identity: { publicUrl: 'http://localhost:3000/api' } }),
    openService(),
  ];
  for (const { service } of without) {
    const handle = didHandler(service);
    for (const path of [PATH, '/.well-known/authzen-configuration']) {
      expect(await handle(new Request(`https://id.example.net${path}`))).toBeUndefined();
    }
  }
});

test('the place follows the path of the address, and Express serves it beside the API', async () => {
  const { service } = openService({ authzen: {}, identity: { publicUrl: 'https://id.example.net/' } });
  const origin = await listenExpress((app) => {
    app.use('/api', identityRouter(service));
    app.use(didRouter(service));
  });
  const root = await fetch(`${origin}/.well-known/authzen-configuration`);
  expect([root.status, await root.json()]).toEqual([
    200,
    {
      policy_decision_point: 'https://id.example.net',
      access_evaluation_endpoint: 'https://id.example.net/access/v1/evaluation',
      access_evaluations_endpoint: 'https://id.example.net/access/v1/evaluations',
    },
  ]);
  const etag = root.headers.get('etag') ?? '';
  const again = await fetch(root.url, { headers: { 'if-none-match': etag } });
  expect([again.status, root.headers.get('cache-control')]).toEqual([304, 'public, max-age=300']);
  expect((await fetch(root.url, { method: 'POST' })).status).toBe(405);
});
