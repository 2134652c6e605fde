import { exportJWK } from 'jose';
import { expect, test } from 'vitest';
import { agentTokens, createTokenVerifier } from '../../src/tokens/index.ts';
import { ISSUER, makeKeyPair, openIssuer, RESOURCE, TOKEN_URL } from '../access-tokens/stage.ts';

/** An agent with a key, and a resource that takes its tokens. */
async function openAgent(alg: 'EdDSA' | 'ES256' = 'EdDSA') {
  const { issue, fetch, service } = openIssuer();
  const pair = await makeKeyPair(alg);
  const { agent_id } = await issue([pair]);
  const key = { ...(await exportJWK(pair.privateKey)) } as never;
  const asked: string[] = [];
  const verifyToken = createTokenVerifier({
    issuers: [ISSUER],
    resource: RESOURCE,
    fetch: ((url: string) => fetch(url)) as never,
    live: service.isActive,
  });
  const web = (async (input: string | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    asked.push(`${request.method} ${request.url}`);
    if (request.url.startsWith('https://id.example.com/')) {
      const body = request.method === 'POST' ? { body: await request.text() } : {};
      return fetch(request.url, { method: request.method, headers: request.headers, ...body });
    }
    if (!request.url.startsWith('https://mcp.example/')) {
      return Response.json({ authorization: request.headers.get('authorization') });
    }
    const access = await verifyToken(request);
    return access instanceof Response ? access : Response.json(access);
  }) as typeof globalThis.fetch;
  const tokens = agentTokens({ issuer: ISSUER, agent_id, key, fetch: web });
  return { agent_id, key, tokens, asked, web, service };
}

test.each(['EdDSA', 'ES256'] as const)(
  'sends requests with a token that is bound to a key of %s',
  async (alg) => {
    const { agent_id, tokens, asked } = await openAgent(alg);
    const send = tokens.fetch(RESOURCE);
    for (const path of ['', '/tools', '/tools?x=1']) {
      expect(await (await send(`${RESOURCE}${path}`)).json()).toMatchObject({
        agent_id,
        jkt: expect.any(String),
      });
    }
    expect(asked.filter((one) => one === `POST ${TOKEN_URL}`)).toHaveLength(1);
  },
);

test('shares one request among callers at the same time', async () => {
  const { tokens, asked } = await openAgent();
  const all = await Promise.all(Array.from({ length: 20 }, () => tokens.token(RESOURCE, 'orders.read')));
  expect(new Set(all).size).toBe(1);
  expect(asked).toEqual([`POST ${TOKEN_URL}`]);
});

test.each(['https://other.example/mcp', 'https://mcp.example.evil/mcp', 'http://mcp.example/mcp'])(
  'sends no token to %s',
  async (url) => {
    const { tokens, asked } = await openAgent();
    const answer = await tokens.fetch(RESOURCE)(url);
    expect(await answer.json()).toEqual({ authorization: null });
    expect(asked).toEqual([`GET ${url}`]);
  },
);

test('sends no token beside the path of the resource', async () => {
  const { tokens } = await openAgent();
  const answer = await tokens.fetch(RESOURCE)('https://mcp.example/mcp-other');
  expect(answer.status).toBe(401);
});

test('says why an agent gets no token, and asks again the next time', async () => {
  const { tokens, service, agent_id } = await openAgent();
  await expect(tokens.token(RESOURCE, 'payments.create')).rejects.toMatchObject({
    code: 'token_refused',
    details: { error: 'invalid_scope' },
  });
  await service.suspend({ agent_id }, { account_id: 'acc_1' });
  await expect(tokens.token(RESOURCE)).rejects.toMatchObject({ details: { error: 'unauthorized_client' } });
  await service.reinstate({ agent_id }, { account_id: 'acc_1' });
  expect(await tokens.token(RESOURCE)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
});

test('ends with 401 for a revoked agent, after one more try', async () => {
  const { tokens, service, agent_id, asked } = await openAgent();
  const send = tokens.fetch(RESOURCE);
  expect((await send(RESOURCE)).status).toBe(200);
  await service.revoke({ agent_id }, { account_id: 'acc_1' });
  await expect(send(RESOURCE)).rejects.toMatchObject({ details: { error: 'unauthorized_client' } });
  expect(asked.filter((one) => one === `POST ${TOKEN_URL}`)).toHaveLength(2);
});

test('an issuer that does not answer is unreachable, and its failure is not kept', async () => {
  const { key, agent_id, web } = await openAgent();
  let isDown = true;
  const fetch = (async (input: string, init: RequestInit) => {
    if (isDown) throw new TypeError('fetch failed');
    return web(input, init);
  }) as typeof globalThis.fetch;
  const tokens = agentTokens({ issuer: ISSUER, agent_id, key, fetch, dpop: false });
  await expect(tokens.token(RESOURCE)).rejects.toMatchObject({ code: 'service_unreachable' });
  isDown = false;
  expect(await tokens.token(RESOURCE)).toEqual(expect.any(String));
});

test.each<[string, object]>([
  ['an issuer without a domain', { issuer: 'https://id.example.com/api' }],
  ['no key', { key: {} }],
  ['an unknown option', { audience: 'x' }],
])('refuses %s', async (_, wrong) => {
  const { key, agent_id } = await openAgent();
  const options = { issuer: ISSUER, agent_id, key, ...wrong };
  expect(() => agentTokens(options as never)).toThrow(
    expect.objectContaining({ code: 'invalid_configuration' }),
  );
});
