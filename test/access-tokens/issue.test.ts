import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { accessTokens } from '../../src/access-tokens/index.ts';
import { identity } from '../../src/identity/index.ts';
import {
  type AgentKeyPair,
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

test('needs no kid if the agent has one key of the algorithm', async () => {
  const { ask, issue, fetch } = await openAgent();
  expect((await ask({}, { header: { kid: undefined } })).response.status).toBe(200);
  const keys = [await makeKeyPair(), await makeKeyPair()];
  const { agent_id } = await issue(keys);
  const assertion = await assertionOf(agent_id, keys[0] as AgentKeyPair, { header: { kid: undefined } });
  expect((await fetch(TOKEN_URL, { method: 'POST', body: formOf(assertion) })).status).toBe(400);
});

test('ignores unknown and empty parameters', async () => {
  const { ask } = await openAgent();
  expect((await ask({ x: '1', scope: '' })).response.status).toBe(200);
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
  const { ask } = await openAgent({ proof: 'identity' });
  expect((await ask()).body).toMatchObject({ error: 'invalid_dpop_proof' });
  const holder = await makeKeyPair('ES256');
  const { body } = await ask({}, { dpop: await dpopOf(holder) });
  expect(body).toMatchObject({ token_type: 'DPoP' });
  expect(decodeJwt(String(body['access_token']))['cnf']).toEqual({ jkt: holder.kid });
  expect(decodeProtectedHeader(String(body['access_token']))).toMatchObject({ typ: 'at+jwt' });
});

test('refuses an account that has not the right to sign for the domain', async () => {
  const { ask, service } = await openAgent({}, { registration: 'open' });
  const { body } = await ask();
  expect(body).toMatchObject({ error: 'unauthorized_client' });
  const [record] = (await service.verifications.list({}, { account_id: 'acc_1' })).data;
  expect(record?.reasons).toMatchObject([{ code: 'token_unavailable', problem: 'domain' }]);
});

test('needs a public URL, and serves nothing where it is not listed', async () => {
  const open = (capabilities: readonly unknown[]) => () => openIssuer(undefined, { capabilities });
  expect(open([accessTokens()])).toThrow(/^access-tokens needs identity\(\): list it/);
  expect(open([accessTokens(), identity()])).toThrow(/accessTokens\(\) needs identity\(\{ publicUrl \}\)/);
  const { fetch } = openIssuer(undefined, { capabilities: [identity()] });
  expect((await fetch(TOKEN_URL, { method: 'POST', body: new URLSearchParams() })).status).toBe(404);
});
