/** Users: an agent acts for the user of an assertion (ID-JAG). */
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { createTokenVerifier } from '../../src/tokens/index.ts';
import { dpopOf, ISSUER, makeKeyPair, RESOURCE } from './stage.ts';
import { GRANT, IDP, makeIssuerKey, openTrust, signUser } from './trust.ts';

const ACCOUNT = { account_id: 'acc_1' };
const REFUSED = { error: 'invalid_grant', error_description: 'The assertion is not accepted.' };
const UNNAMED = { resource: undefined };

test.each(['RS256', 'ES256', 'EdDSA'] as const)(
  'an agent acts for a user whose issuer signs with %s, at a resource that knows both',
  async (alg) => {
    const { user, service, agent_id, fetch } = await openTrust({ alg });
    const { status, body } = await user({}, { scope: 'orders.read' });
    expect([status, body]).toMatchObject([200, { token_type: 'Bearer', scope: 'orders.read' }]);
    expect(decodeJwt(`${body['access_token']}`)).toMatchObject({
      sub: 'ann',
      client_id: agent_id,
      act: { sub: agent_id },
      subject_issuer: IDP,
      aud: RESOURCE,
    });
    const [record] = (await service.verifications.list({}, ACCOUNT)).data;
    expect(record).toMatchObject({ verdict: 'ALLOW', agent_id, subject: 'ann', permit_audience: RESOURCE });
    const verifyToken = createTokenVerifier({
      issuers: [ISSUER],
      resource: RESOURCE,
      fetch: (url) => fetch(`${url}`),
    });
    const headers = new Headers({ authorization: `Bearer ${body['access_token']}` });
    expect(await verifyToken({ method: 'POST', url: RESOURCE, headers })).toMatchObject({
      agent_id,
      subject: 'ann',
      subject_issuer: IDP,
      scope: ['orders.read'],
    });
  },
);

test('introspection shows the user and the agent', async () => {
  const { user, service, fetch, agent_id } = await openTrust();
  const { body } = await user();
  const { key } = await service.keys.create({ name: 'mcp', scopes: ['verify'] }, ACCOUNT);
  const token = `${body['access_token']}`;
  const asked = { method: 'POST', body: new URLSearchParams({ token }), headers: { 'x-api-key': `${key}` } };
  const answer = await (await fetch(`${ISSUER}/introspect`, asked)).json();
  expect(answer).toMatchObject({ active: true, sub: 'ann', act: { sub: agent_id }, subject_issuer: IDP });
});

test('the resource of the assertion replaces an absent parameter, and equals one that is there', async () => {
  const { user } = await openTrust();
  const bare = await user({}, UNNAMED);
  expect([bare.status, decodeJwt(`${bare.body['access_token']}`).aud]).toEqual([200, RESOURCE]);
  expect((await user({ claims: { resource: undefined } })).status).toBe(200);
  expect((await user({ claims: { resource: [RESOURCE] } })).status).toBe(200);
  expect((await user({ claims: { resource: undefined } }, UNNAMED)).body['error']).toBe('invalid_target');
  expect((await user({ claims: { resource: 'https://mcp.example/other' } })).body).toEqual(REFUSED);
  expect((await user({ claims: { resource: 'mcp' } })).body).toEqual(REFUSED);
  expect((await user({ claims: { resource: [RESOURCE, RESOURCE] } })).body).toEqual(REFUSED);
});

test('the scope of the assertion bounds the scope', async () => {
  const { user } = await openTrust();
  const bounds = { claims: { scope: 'openid orders.read orders.list' } };
  const { body } = await user(bounds, { scope: 'orders.read orders.ship' });
  expect(body['scope']).toBe('orders.read');
  expect((await user(bounds, { scope: 'orders.ship' })).body['error']).toBe('invalid_scope');
  expect((await user(bounds)).body).not.toHaveProperty('scope');
  expect((await user({ claims: { scope: ['orders.read'] } })).body).toEqual(REFUSED);
});

test('cnf demands a proof by its key', async () => {
  const { user } = await openTrust();
  const [holder, other] = [await makeKeyPair('ES256'), await makeKeyPair()];
  const bound = { claims: { cnf: { jkt: holder.kid } } };
  expect((await user(bound)).body).toEqual(REFUSED);
  expect((await user(bound, {}, { dpop: await dpopOf(other) })).body).toEqual(REFUSED);
  const { body } = await user(bound, {}, { dpop: await dpopOf(holder) });
  expect(body).toMatchObject({ token_type: 'DPoP' });
  expect(decodeJwt(`${body['access_token']}`)['cnf']).toEqual({ jkt: holder.kid });
});

test('refuses a user that the passport does not name, and a key of another issuer', async () => {
  const { user, agent_id } = await openTrust({ entries: [{}, { subjects: ['ann', 'team-*'] }] });
  expect((await user()).status).toBe(200);
  expect((await user({ claims: { sub: 'team-1' } })).status).toBe(200);
  expect((await user({ claims: { sub: 'bob' } })).body).toEqual(REFUSED);
  const forged = await signUser(await makeIssuerKey(), agent_id);
  expect((await user({}, { assertion: forged })).body).toEqual(REFUSED);
});

test('needs the authentication of the agent, and accepts each assertion once', async () => {
  const { user, post, idp, agent_id } = await openTrust();
  const assertion = await signUser(idp, agent_id);
  expect((await post({ grant_type: GRANT, assertion, client_id: agent_id })).body['error']).toBe(
    'invalid_client',
  );
  const answers = await Promise.all(Array.from({ length: 10 }, () => user({}, { assertion })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status, body } of answers) if (status !== 200) expect(body).toMatchObject(REFUSED);
});

test('an agent with an API key acts for a user, in the environment of the key', async () => {
  const { post, idp, agent_id, service } = await openTrust();
  const asked = { name: 'x', scopes: ['token'], agent_ids: [agent_id], environment: 'test' } as const;
  const { key } = await service.keys.create(asked, ACCOUNT);
  const authorization = `Basic ${btoa(`${agent_id}:${key}`)}`;
  const { body } = await post(
    { grant_type: GRANT, assertion: await signUser(idp, agent_id) },
    { authorization },
  );
  expect(decodeJwt(`${body['access_token']}`)).toMatchObject({ sub: 'ann', aud: `test:${RESOURCE}` });
});
