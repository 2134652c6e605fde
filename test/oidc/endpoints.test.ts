/** The endpoints of a sign-in, over two nodes and a real issuer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openidProvider } from '../../adapters/oidc/index.ts';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { fetchHandler } from '../../src/http/index.ts';
import { type Issuer, startIssuer } from '../support/oidc-issuer.mjs';
import { PASSWORD } from '../support/service.ts';
import { dump } from '../support/storage-probe.ts';
import { believing, openNode } from './stage.ts';

type Json = Readonly<Record<string, string>>;
type Post = (path: string, body?: object) => Promise<{ readonly status: number; readonly body: Json }>;

let issuer: Issuer;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.close());

/** Asks a handler as a page does. */
function posting(handle: (request: Request) => Promise<Response>): Post {
  return async (path, body) => {
    const init = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await handle(new Request(`https://id.example/api${path}`, { method: 'POST', ...init }));
    return { status: answer.status, body: (await answer.json()) as Json };
  };
}

test('a person begins on one node and ends on another; nothing of it is in a log, an event or the storage', async () => {
  const { browse, close: _, ...options } = issuer;
  const storage = memoryStorage();
  const provider = openidProvider(options);
  const [one, two] = [openNode({ provider }, storage), openNode({ provider }, storage)];
  const [first, second] = [posting(fetchHandler(one.service)), posting(fetchHandler(two.service))];
  // The issuer says that everyone has the e-mail of Ann.
  const { id: account_id } = await one.service.accounts.create({
    email: 'boss@example.com',
    password: PASSWORD,
  });
  const { link } = await one.service.members.invite({ role: 'viewer' }, { account_id });

  async function begin() {
    const { status, body } = await first('/auth/oidc/start');
    expect(status).toBe(200);
    const { url = '', transaction = '' } = body;
    return { transaction, response: await browse(url), url };
  }
  const { url: _url, ...withoutUrl } = await begin();
  const refused = await second('/auth/oidc/finish', withoutUrl);
  expect(refused).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
  const { url, ...invited } = await begin();
  const ended = await second('/auth/oidc/finish', { ...invited, link: link.token });
  expect(ended).toMatchObject({ status: 200, body: { token_type: 'bearer' } });
  const token = ended.body['access_token'] ?? '';
  expect(await one.service.authenticateSession(token)).toMatchObject({ account_id, role: 'viewer' });
  // The code was used, and the link as well.
  for (const again of [invited, { ...invited, link: link.token }])
    expect((await first('/auth/oidc/finish', again)).status).toBeGreaterThanOrEqual(400);

  const query = new URLSearchParams(invited.response);
  const [payload = ''] = invited.transaction.split('.');
  const [, sealed = ''] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [number, string];
  const hidden: readonly unknown[] = [
    ...[query.get('code'), query.get('state'), link.token, token, invited.transaction],
    ...Object.values(JSON.parse(sealed) as Json),
    ...[new URL(url).searchParams.get('nonce'), issuer.clientSecret],
  ];
  const kept = JSON.stringify([one.logs, two.logs, await dump(storage)]);
  for (const text of hidden) {
    expect(String(text).length).toBeGreaterThan(8);
    expect(kept).not.toContain(text);
  }
});

test('a response of one byte more than 8 KiB and a wrong field are 400, and name no value', async () => {
  const post = posting(fetchHandler(openNode().service));
  const { transaction = '' } = (await post('/auth/oidc/start')).body;
  const { status, body } = await post('/auth/oidc/finish', { transaction, response: 'a'.repeat(8_193) });
  expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path: '/response' }] } });
  expect(JSON.stringify(body)).not.toContain('aaaa');
  for (const wrong of [
    { transaction },
    { transaction: 7, response: '' },
    { transaction, response: '', link: null },
    { transaction, response: '', code: 'x' },
  ])
    expect((await post('/auth/oidc/finish', wrong)).status).toBe(400);
});

test('has no such endpoints without the option, or if an application signs people in', async () => {
  const authenticate = () => null;
  const { service } = openNode();
  for (const handle of [
    fetchHandler(openNode({ provider: believing }).service, { authenticate }),
    fetchHandler({ ...service, serving: { ...service.serving, oidcLabel: undefined } }),
  ]) {
    const post = posting(handle);
    for (const path of ['/auth/oidc/start', '/auth/oidc/finish'])
      expect((await post(path, {})).status).toBe(404);
  }
  const { serving } = openNode({ label: 'Keycloak' }).service;
  expect([service.serving.oidcLabel, serving.oidcLabel]).toEqual(['single sign-on', 'Keycloak']);
});
