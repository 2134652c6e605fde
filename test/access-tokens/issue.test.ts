import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import {
  type AgentKeyPair,
  type AssertionParts,
  assertionOf,
  dpopOf,
  formOf,
  ISSUER,
  makeKeyPair,
  openAgent,
  openIssuer,
  PUBLIC_URL,
  RESOURCE,
  TOKEN_URL,
} from './stage.ts';

test.each(['EdDSA', 'ES256'] as const)(
  'gives an agent with a key of %s a token that jose accepts',
  async (alg) => {
    const { issue, fetch, service } = openIssuer();
    const key = await makeKeyPair(alg);
    const { agent_id } = await issue([key]);
    const body = formOf(await assertionOf(agent_id, key), { scope: 'orders.read' });
    const response = await fetch(TOKEN_URL, { method: 'POST', body });
    expect([response.status, response.headers.get('cache-control'), response.headers.get('pragma')]).toEqual([
      ...[200, 'no-store', 'no-cache'],
    ]);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    const answer = await response.json();
    expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 300, scope: 'orders.read' });
    const metadata = await (
      await fetch('https://elsewhere.example/.well-known/oauth-authorization-server/api/issuers/example.com')
    ).json();
    const keys = createLocalJWKSet(await (await fetch(metadata.jwks_uri)).json());
    const { payload, protectedHeader } = await jwtVerify(answer.access_token, keys, {
      issuer: metadata.issuer,
      audience: RESOURCE,
      typ: 'at+jwt',
    });
    expect(Object.keys(protectedHeader).sort()).toEqual(['alg', 'kid', 'typ']);
    const [record] = (await service.verifications.list({}, { account_id: 'acc_1' })).data;
    expect(payload).toEqual({
      iss: ISSUER,
      aud: RESOURCE,
      sub: agent_id,
      client_id: agent_id,
      iat: expect.any(Number),
      exp: (payload.iat ?? 0) + 300,
      jti: record?.decision_id,
      scope: 'orders.read',
    });
    expect(record).toMatchObject({
      verdict: 'ALLOW',
      action: 'oauth:token',
      target: 'did:web:mcp.example',
      permit_audience: RESOURCE,
      proof_kid: key.kid,
      environment: 'live',
    });
  },
);

test('serves metadata that both generations of the MCP SDK need, for claimed domains alone', async () => {
  const { fetch, issue } = openIssuer();
  const url = 'https://id.example.com/.well-known/oauth-authorization-server/api/issuers/example.com';
  await issue([await makeKeyPair()]);
  expect((await fetch(url.replace(/example\.com$/, 'example.org'))).status).toBe(404);
  expect((await fetch(`${PUBLIC_URL}/issuers/example.org/jwks.json`)).status).toBe(404);
  const response = await fetch(url, { headers: { host: 'evil.example' } });
  expect([
    response.headers.get('cache-control'),
    response.headers.get('access-control-allow-origin'),
  ]).toEqual([...['public, max-age=300', '*']]);
  expect(await response.json()).toMatchObject({
    issuer: ISSUER,
    token_endpoint: TOKEN_URL,
    jwks_uri: `${ISSUER}/jwks.json`,
    authorization_endpoint: `${ISSUER}/authorize`,
    response_types_supported: [],
    grant_types_supported: ['client_credentials', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_basic'],
    introspection_endpoint: `${ISSUER}/introspect`,
  });
  expect((await fetch(`${ISSUER}/authorize`)).status).toBe(404);
});

test('accepts an assertion once', async () => {
  const { fetch, agent_id, key } = await openAgent();
  const body = formOf(await assertionOf(agent_id, key)).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => fetch(TOKEN_URL, { method: 'POST', body, headers })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 400)]);
});

test.each<[string, AssertionParts]>([
  ['another audience', { claims: { aud: PUBLIC_URL } }],
  ['the token endpoint as audience', { claims: { aud: TOKEN_URL } }],
  ['a list of audiences', { claims: { aud: [ISSUER] } }],
  ['another subject', { claims: { sub: 'did:web:example.com:agents:nobody' } }],
  ['another issuer', { claims: { iss: 'did:web:example.com:agents:nobody' } }],
  ['no jti', { claims: { jti: undefined as unknown as string } }],
  ['an empty jti', { claims: { jti: '' } }],
  ['a jti of 257 characters', { claims: { jti: 'x'.repeat(257) } }],
  ['no end', { claims: { exp: undefined as unknown as number } }],
  ['an end in the past', { claims: { exp: Math.floor(Date.now() / 1_000) - 10 } }],
  ['an end that is too far', { claims: { exp: Math.floor(Date.now() / 1_000) + 400 } }],
  ['a begin in the future', { claims: { nbf: Math.floor(Date.now() / 1_000) + 30 } }],
  ['an iat in the future', { claims: { iat: Math.floor(Date.now() / 1_000) + 30 } }],
  ['another type', { header: { typ: 'at+jwt' } }],
  ['another kid', { header: { kid: 'n3hVptYdC3_yZN9LmcnhwEZo-Z-eFX-y4SP6YP2ggfI' } }],
  ['a key in the header', { header: { jwk: {} } }],
])('refuses an assertion with %s as a client that is not authenticated', async (_, parts) => {
  const { ask, service } = await openAgent();
  const { response, body, assertion } = await ask({}, parts);
  expect([response.status, body]).toEqual([
    400,
    { error: 'invalid_client', error_description: 'The agent is not authenticated.' },
  ]);
  expect(JSON.stringify(body)).not.toContain(assertion);
  expect((await service.verifications.list({}, { account_id: 'acc_1' })).data).toEqual([]);
});

test('refuses a signature of a key that the passport does not have', async () => {
  const { ask } = await openAgent();
  const other = await makeKeyPair();
  expect((await ask({}, { key: other })).body['error']).toBe('invalid_client');
});

test('needs no kid if the agent has one key of the algorithm', async () => {
  const { ask, issue, fetch } = await openAgent();
  expect((await ask({}, { header: { kid: undefined } })).response.status).toBe(200);
  const keys = [await makeKeyPair(), await makeKeyPair()];
  const { agent_id } = await issue(keys);
  const assertion = await assertionOf(agent_id, keys[0] as AgentKeyPair, { header: { kid: undefined } });
  expect((await fetch(TOKEN_URL, { method: 'POST', body: formOf(assertion) })).status).toBe(400);
});

test.each<[string, Record<string, string | undefined>, string]>([
  ['no grant', { grant_type: undefined }, 'invalid_request'],
  ['another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
  ['no resource', { resource: undefined }, 'invalid_target'],
  ['a resource over http', { resource: 'http://mcp.example/mcp' }, 'invalid_target'],
  ['a resource with a query', { resource: 'https://mcp.example/mcp?x=1' }, 'invalid_target'],
  ['a resource with a fragment', { resource: 'https://mcp.example/mcp#' }, 'invalid_target'],
  ['a resource with credentials', { resource: 'https://a:b@mcp.example/mcp' }, 'invalid_target'],
  ['an IPv6 literal', { resource: 'https://[::1]/mcp' }, 'invalid_target'],
  ['a resource in upper case', { resource: 'https://MCP.example/mcp' }, 'invalid_target'],
  ['a default port', { resource: 'https://mcp.example:443/mcp' }, 'invalid_target'],
  ['a pattern as scope', { scope: 'orders.*' }, 'invalid_scope'],
  ['two spaces in the scope', { scope: 'orders.read  orders.list' }, 'invalid_scope'],
  ['an action that is not allowed', { scope: 'payments.create' }, 'invalid_scope'],
  ['another client_id', { client_id: 'did:web:example.com:agents:nobody' }, 'invalid_client'],
  ['no assertion', { client_assertion: undefined }, 'invalid_client'],
  ['another type of assertion', { client_assertion_type: 'x' }, 'invalid_client'],
])('refuses a form with %s', async (_, form, error) => {
  const { ask } = await openAgent();
  const { response, body } = await ask(form);
  expect([response.status, body['error']]).toEqual([400, error]);
});

test('refuses a repeated parameter, a broken escape, a NUL, another type and a long form', async () => {
  const { fetch, agent_id, key } = await openAgent();
  const form = formOf(await assertionOf(agent_id, key)).toString();
  const send = async (body: string, type = 'application/x-www-form-urlencoded') => {
    const response = await fetch(TOKEN_URL, { method: 'POST', body, headers: { 'content-type': type } });
    return [response.status, ((await response.json()) as { error: string }).error];
  };
  expect(await send(`${form}&resource=x`)).toEqual([400, 'invalid_request']);
  expect(await send(`${form}&x=%E0%A4`)).toEqual([400, 'invalid_request']);
  expect(await send(`${form}&x=%00`)).toEqual([400, 'invalid_request']);
  expect(await send(form, 'application/json')).toEqual([400, 'invalid_request']);
  expect(await send(`${form}&x=${'y'.repeat(17_000)}`)).toEqual([413, 'invalid_request']);
  expect(await send(`${form}&${Array.from({ length: 32 }, (_, i) => `p${i}=1`).join('&')}`)).toEqual([
    ...[400, 'invalid_request'],
  ]);
  // Unknown and empty parameters change nothing.
  expect((await send(`${form}&x=1&scope=`))[0]).toBe(200);
});

test('keeps an action out of the scope that a condition, a budget, an approval or an amount concerns', async () => {
  const { ask } = await openAgent({
    allowed_actions: ['oauth:token', 'orders.*', 'mail.send', 'jobs.run', 'files.read', 'payments.create'],
    conditions: [{ actions: ['mail.send'], at: '/to', in: ['ann@example.com'] }],
    budgets: [{ name: 'jobs', actions: ['jobs.run'], count: 5, window: 'day' }],
    approval: { actions: ['files.read'] },
    currency: 'EUR',
    monetary_actions: ['payments.create'],
  });
  const scope = 'mail.send jobs.run orders.read files.read payments.create orders.list';
  expect((await ask({ scope })).body).toMatchObject({ scope: 'orders.read orders.list' });
  expect((await ask({ scope: 'mail.send' })).body).toMatchObject({ error: 'invalid_scope' });
});

test('is a verdict: the passport, its state and those above decide', async () => {
  const { ask, service, agent_id } = await openAgent({ allowed_targets: ['did:web:mcp.example'] });
  expect((await ask()).response.status).toBe(200);
  expect((await ask({ resource: 'https://other.example' })).body).toMatchObject({
    error: 'invalid_target',
    error_description: 'The target is not allowed.',
    decision_id: expect.stringMatching(/^dec_/),
  });
  await service.suspend({ agent_id }, { account_id: 'acc_1' });
  expect((await ask()).body).toMatchObject({ error: 'unauthorized_client' });
});

test('does not ask a person for a token that needs an approval', async () => {
  const { ask, service } = await openAgent({ approval: { actions: ['oauth:token'] } });
  expect((await ask()).body).toMatchObject({
    error: 'unauthorized_client',
    error_description: 'A person must approve the intent.',
  });
  expect((await service.approvals.list({}, { account_id: 'acc_1' })).data).toEqual([]);
});

test('binds a token to the key of a DPoP proof', async () => {
  const { ask, key } = await openAgent({ proof: 'identity' });
  expect((await ask()).body).toMatchObject({ error: 'invalid_dpop_proof' });
  const holder = await makeKeyPair('ES256');
  const { body } = await ask({}, { dpop: await dpopOf(holder) });
  expect(body).toMatchObject({ token_type: 'DPoP' });
  expect(decodeJwt(String(body['access_token']))['cnf']).toEqual({ jkt: holder.kid });
  expect(decodeProtectedHeader(String(body['access_token']))).toMatchObject({ typ: 'at+jwt' });
  const wrong: AssertionParts[] = [
    { claims: { htm: 'GET' } },
    { claims: { htu: `${TOKEN_URL}?x=1` } },
    { claims: { htu: RESOURCE } },
    { claims: { iat: Math.floor(Date.now() / 1_000) - 70 } },
    { claims: { iat: Math.floor(Date.now() / 1_000) + 20 } },
    { claims: { jti: '' } },
    { header: { typ: 'JWT' } },
    { header: { kid: holder.kid } },
    { header: { jwk: key.jwk } },
  ];
  for (const parts of wrong) {
    expect((await ask({}, { dpop: await dpopOf(holder, parts) })).body).toMatchObject({
      error: 'invalid_dpop_proof',
    });
  }
});

test('refuses an agent whose passport demands a proof of each intent', async () => {
  const { ask } = await openAgent({ proof: 'intent' });
  const { body } = await ask({}, { dpop: await dpopOf(await makeKeyPair()) });
  expect(body).toMatchObject({ error: 'unauthorized_client', error_description: 'The proof is invalid.' });
});

test('refuses an account that has not the right to sign for the domain', async () => {
  const { ask, service } = await openAgent({}, { registration: 'open' });
  const { body } = await ask();
  expect(body).toMatchObject({ error: 'unauthorized_client' });
  const [record] = (await service.verifications.list({}, { account_id: 'acc_1' })).data;
  expect(record?.reasons).toMatchObject([{ code: 'token_unavailable', problem: 'domain' }]);
});

test('needs a public URL, and serves nothing where it is not listed', async () => {
  expect(() => openIssuer(undefined, { identity: {} })).toThrow(
    expect.objectContaining({ code: 'invalid_configuration' }),
  );
  const { fetch } = openIssuer(undefined, { capabilities: [] });
  expect((await fetch(TOKEN_URL, { method: 'POST', body: new URLSearchParams() })).status).toBe(404);
});
