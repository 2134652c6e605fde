import { type JWTPayload, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { createTokenVerifier, type TokenVerifierOptions } from '../../src/tokens/index.ts';
import {
  type AgentKeyPair,
  assertionOf,
  dpopOf,
  formOf,
  ISSUER,
  makeKeyPair,
  openIssuer,
  RESOURCE,
  TOKEN_URL,
} from '../access-tokens/stage.ts';

const METADATA_URL = 'https://mcp.example/.well-known/oauth-protected-resource/mcp';

/** A key of an issuer, and a function that signs tokens with it. */
async function openSigner(more: Partial<TokenVerifierOptions> = {}) {
  const key = await makeKeyPair();
  const verifyToken = createTokenVerifier({
    issuers: [ISSUER],
    resource: RESOURCE,
    keys: { keys: [key.jwk] },
    ...more,
  });
  const now = Math.floor(Date.now() / 1_000);
  const agent = 'did:web:example.com:agents:a';
  const base = {
    iss: ISSUER,
    aud: RESOURCE,
    sub: agent,
    client_id: agent,
    iat: now,
    exp: now + 300,
    jti: 'dec_1',
  };
  const sign = (claims: JWTPayload = {}, header: object = {}, signer: AgentKeyPair = key) =>
    new SignJWT(JSON.parse(JSON.stringify({ ...base, ...claims })))
      .setProtectedHeader(
        JSON.parse(JSON.stringify({ alg: 'EdDSA', kid: key.kid, typ: 'at+jwt', ...header })),
      )
      .sign(signer.privateKey);
  const ask = (authorization: string | undefined, headers: Record<string, string> = {}, scope?: string) =>
    verifyToken(
      new Request(RESOURCE, { headers: { ...headers, ...(authorization && { authorization }) } }),
      scope === undefined ? {} : { scope },
    );
  return { verifyToken, key, sign, ask, now, agent };
}

const refusalOf = async (answer: unknown) => {
  expect(answer).toBeInstanceOf(Response);
  const response = answer as Response;
  return [response.status, response.headers.get('www-authenticate')] as const;
};

test('accepts a token of the service, with the keys at the address of its issuer', async () => {
  const { fetch, issue } = openIssuer();
  const key = await makeKeyPair('ES256');
  const { agent_id } = await issue([key]);
  const body = formOf(await assertionOf(agent_id, key), { scope: 'orders.read orders.list' });
  const { access_token } = await (await fetch(TOKEN_URL, { method: 'POST', body })).json();
  const urls: string[] = [];
  const verifyToken = createTokenVerifier({
    issuers: [ISSUER],
    resource: RESOURCE,
    fetch: (async (url: string) => {
      urls.push(url);
      return fetch(url);
    }) as typeof globalThis.fetch,
  });
  const request = new Request(RESOURCE, { headers: { authorization: `Bearer ${access_token}` } });
  expect(await verifyToken(request, { scope: 'orders.read' })).toEqual({
    agent_id,
    subject: null,
    subject_issuer: null,
    scope: ['orders.read', 'orders.list'],
    expires_at: expect.any(Number),
    jti: expect.stringMatching(/^dec_/),
    jkt: null,
    issuer: ISSUER,
  });
  await verifyToken(request);
  expect(urls).toEqual([`${ISSUER}/jwks.json`]);
});

test('answers a request without a token with the address of its metadata, and no error', async () => {
  const { ask } = await openSigner();
  for (const authorization of [undefined, 'Basic eDp5', 'Bearer']) {
    const [status, challenge] = await refusalOf(await ask(authorization, {}, 'orders.read'));
    expect([status, challenge]).toEqual([
      401,
      `Bearer resource_metadata="${METADATA_URL}", scope="orders.read", DPoP algs="EdDSA ES256"`,
    ]);
  }
});

const at = Math.floor(Date.now() / 1_000);
test.each<[string, JWTPayload, object]>([
  ['another issuer', { iss: `${ISSUER}.evil` }, {}],
  ['the issuer of another domain', { iss: 'https://id.example.com/api/issuers/evil.example' }, {}],
  [
    'an agent of another domain',
    { client_id: 'did:web:evil.example:agents:a', sub: 'did:web:evil.example:agents:a' },
    {},
  ],
  ['another resource', { aud: 'https://mcp.example' }, {}],
  ['a slash at the end', { aud: `${RESOURCE}/` }, {}],
  ['a list of resources', { aud: [RESOURCE] }, {}],
  ['a resource in test', { aud: `test:${RESOURCE}` }, {}],
  ['another subject', { sub: 'did:web:example.com:agents:b' }, {}],
  ['no client_id', { client_id: undefined }, {}],
  ['an end in the past', { iat: at - 400, exp: at - 100 }, {}],
  ['a begin in the future', { iat: at + 60, exp: at + 120 }, {}],
  ['a life of 301 s', { iat: at, exp: at + 301 }, {}],
  ['no end', { exp: undefined as unknown as number }, {}],
  ['a begin of its own', { nbf: at }, {}],
  ['no jti', { jti: undefined as unknown as string }, {}],
  ['a scope that is a list', { scope: ['orders.read'] as never }, {}],
  ['a binding with another member', { cnf: { jkt: 'x'.repeat(43), kid: 'x' } }, {}],
  ['a user without an actor', { sub: 'user-1' }, {}],
  [
    'an actor of another agent',
    { sub: 'u', subject_issuer: 'https://u', act: { sub: 'did:web:example.com:agents:b' } },
    {},
  ],
  ['another type', {}, { typ: 'JWT' }],
  ['the type of a permit', {}, { typ: 'agent-permit+jwt' }],
  ['a key in the header', {}, { jwk: {} }],
  ['a critical header', {}, { crit: ['x'], x: 1 }],
  ['another kid', {}, { kid: 'n3hVptYdC3_yZN9LmcnhwEZo-Z-eFX-y4SP6YP2ggfI' }],
])('refuses a token with %s', async (_, claims, header) => {
  const { ask, sign } = await openSigner();
  const [status, challenge] = await refusalOf(await ask(`Bearer ${await signed(sign, claims, header)}`));
  expect([status, challenge]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
});

/** Signs; `jose` refuses to write some headers, which are then put into the text by hand. */
async function signed(
  sign: Awaited<ReturnType<typeof openSigner>>['sign'],
  claims: JWTPayload,
  header: object,
): Promise<string> {
  if (!('crit' in header)) return sign(claims, header);
  const [head = '', ...rest] = (await sign(claims)).split('.');
  const whole = { ...JSON.parse(Buffer.from(head, 'base64url').toString()), ...header };
  return [Buffer.from(JSON.stringify(whole)).toString('base64url'), ...rest].join('.');
}

test('refuses a signature of another key, two tokens and a token in the query', async () => {
  const { ask, sign, verifyToken } = await openSigner();
  const other = await makeKeyPair();
  expect((await refusalOf(await ask(`Bearer ${await sign({}, {}, other)}`)))[0]).toBe(401);
  const token = await sign();
  expect((await refusalOf(await ask(`Bearer ${token}, Bearer ${token}`)))[0]).toBe(401);
  const query = await verifyToken(new Request(`${RESOURCE}?access_token=${token}`));
  expect((await refusalOf(query))[1]).not.toContain('error=');
});

test('demands the granted actions', async () => {
  const { ask, sign } = await openSigner();
  const token = await sign({ scope: 'orders.read' });
  expect(await ask(`Bearer ${token}`, {}, 'orders.read')).toMatchObject({ scope: ['orders.read'] });
  const [status, challenge] = await refusalOf(await ask(`Bearer ${token}`, {}, 'orders.read orders.cancel'));
  expect([status, challenge]).toEqual([403, expect.stringContaining('error="insufficient_scope"')]);
  expect(challenge).toContain('scope="orders.read orders.cancel"');
});

test('names the user and the agent of a token for a user', async () => {
  const { ask, sign, agent } = await openSigner();
  const user = { sub: 'user-1', subject_issuer: 'https://login.example', act: { sub: agent } };
  expect(await ask(`Bearer ${await sign(user)}`)).toMatchObject({
    agent_id: agent,
    subject: 'user-1',
    subject_issuer: 'https://login.example',
  });
});

test('demands a proof of the key of a bound token, and accepts each proof once', async () => {
  const { ask, sign } = await openSigner();
  const holder = await makeKeyPair('ES256');
  const token = await sign({ cnf: { jkt: holder.kid } });
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)));
  const ath = Buffer.from(digest).toString('base64url');
  const right = { htm: 'GET', htu: RESOURCE, ath };
  const dpop = await dpopOf(holder, { claims: right });
  expect(await ask(`DPoP ${token}`, { dpop })).toMatchObject({ jkt: holder.kid });
  const refused = async (headers: Record<string, string>, scheme = 'DPoP') =>
    (await refusalOf(await ask(`${scheme} ${token}`, headers)))[1];
  expect(await refused({ dpop })).toContain('invalid_dpop_proof');
  expect(await refused({})).toContain('invalid_dpop_proof');
  expect(await refused({ dpop: await dpopOf(holder, { claims: right }) }, 'Bearer')).toContain(
    'invalid_token',
  );
  const wrong = [
    { ...right, ath: undefined },
    { ...right, ath: 'x'.repeat(43) },
    { ...right, htm: 'POST' },
    { ...right, htu: 'https://mcp.example/other' },
    { ...right, htu: `${RESOURCE}?x` },
  ];
  for (const claims of wrong) {
    const proof = await dpopOf(holder, { claims: claims as JWTPayload });
    expect(await refused({ dpop: proof })).toContain('invalid_dpop_proof');
  }
  expect(await refused({ dpop: await dpopOf(await makeKeyPair('ES256'), { claims: right }) })).toContain(
    'invalid_dpop_proof',
  );
  const unbound = await sign();
  expect((await refusalOf(await ask(`DPoP ${unbound}`, { dpop })))[1]).toContain('invalid_token');
});

test('takes bound tokens only with bearer: false', async () => {
  const { ask, sign, verifyToken } = await openSigner({ bearer: false });
  expect((await refusalOf(await ask(`Bearer ${await sign()}`)))[0]).toBe(401);
  const metadata = await verifyToken.metadata(new Request(METADATA_URL))?.json();
  expect(metadata).toMatchObject({ dpop_bound_access_tokens_required: true });
});

test.each<[string, () => boolean | Promise<boolean>, number]>([
  ['true', () => true, 200],
  ['false', () => false, 401],
  ['another value', () => 'true' as never, 401],
  ['a promise of false', async () => false, 401],
  ['an error', () => Promise.reject(new Error('late')), 503],
])('asks whether the agent may still act: %s', async (_, live, expected) => {
  const { ask, sign } = await openSigner({ live });
  const answer = await ask(`Bearer ${await sign()}`);
  expect(answer instanceof Response ? answer.status : 200).toBe(expected);
  if (expected === 503) expect((answer as Response).headers.get('retry-after')).toBe('1');
});

test('answers 503 if the keys of the issuer cannot be read', async () => {
  const fetch = (async () => new Response('', { status: 500 })) as typeof globalThis.fetch;
  const { sign } = await openSigner();
  const verifyToken = createTokenVerifier({ issuers: [ISSUER], resource: RESOURCE, fetch });
  const answer = await verifyToken(
    new Request(RESOURCE, { headers: { authorization: `Bearer ${await sign()}` } }),
  );
  expect((answer as Response).status).toBe(503);
});

test('serves its metadata at its address alone', async () => {
  const { verifyToken } = await openSigner({ scopes_supported: ['orders.read'] });
  expect(await verifyToken.metadata(new Request(METADATA_URL))?.json()).toEqual({
    resource: RESOURCE,
    authorization_servers: [ISSUER],
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: ['EdDSA', 'Ed25519', 'ES256'],
    scopes_supported: ['orders.read'],
  });
  expect(
    verifyToken.metadata(new Request('https://mcp.example/.well-known/oauth-protected-resource')),
  ).toBeUndefined();
});

test('hands a token to the MCP SDK in its form, or the error of the caller', async () => {
  class Refused extends Error {}
  const { verifyToken, sign, agent } = await openSigner({ toError: (message) => new Refused(message) });
  expect(await verifyToken.verifyAccessToken(await sign({ scope: 'orders.read' }))).toMatchObject({
    clientId: agent,
    scopes: ['orders.read'],
    expiresAt: expect.any(Number),
    extra: { agent_id: agent, subject: null },
  });
  await expect(verifyToken.verifyAccessToken('x.y.z')).rejects.toBeInstanceOf(Refused);
});

test.each<[string, object]>([
  ['no issuer', { issuers: [] }],
  [
    '17 issuers',
    { issuers: Array.from({ length: 17 }, (_, i) => `https://a.example/issuers/b${i}.example`) },
  ],
  ['an issuer without a domain', { issuers: ['https://id.example.com/api'] }],
  ['an issuer over http', { issuers: ['http://id.example.com/issuers/example.com'] }],
  ['a resource with a query', { resource: `${RESOURCE}?x` }],
  ['an unknown option', { audience: RESOURCE }],
  ['another environment', { environment: 'prod' }],
  ['a live that is no function', { live: true }],
])('refuses %s', (_, wrong) => {
  const options = { issuers: [ISSUER], resource: RESOURCE, ...wrong };
  expect(() => createTokenVerifier(options as TokenVerifierOptions)).toThrow(
    expect.objectContaining({ code: 'invalid_configuration' }),
  );
});
