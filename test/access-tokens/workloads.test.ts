/** Workloads: each subject of a trusted issuer is a child agent. */
import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { type AssertionParts, assertionOf, RESOURCE } from './stage.ts';
import {
  CLUSTER,
  GRANT,
  IDP,
  makeIssuerKey,
  openTrust,
  POD,
  signedBy,
  signUser,
  signWorkload,
} from './trust.ts';

const ACCOUNT = { account_id: 'acc_1' };
const REFUSED = { error: 'invalid_grant', error_description: 'The assertion is not accepted.' };
const NAME = `w-${createHash('sha256').update(`${CLUSTER}\n${POD}`).digest('hex').slice(0, 40)}`;
const CHILD = `did:web:example.com:agents:${NAME}`;
const now = (): number => Math.floor(Date.now() / 1_000);

test.each(['RS256', 'PS256', 'ES256', 'EdDSA'] as const)(
  'a workload whose issuer signs with %s becomes a child agent with its first token',
  async (alg) => {
    const { workload, service, agent_id } = await openTrust({ alg, passport: { currency: 'EUR' } });
    const { status, body } = await workload({}, { scope: 'orders.read payments.create' });
    expect([status, body]).toMatchObject([
      200,
      { token_type: 'Bearer', expires_in: 300, scope: 'orders.read' },
    ]);
    const claims = decodeJwt(`${body['access_token']}`);
    expect(claims).toMatchObject({ sub: CHILD, client_id: CHILD, aud: RESOURCE });
    expect(claims).not.toHaveProperty('act');
    expect(await service.passports.get(CHILD, ACCOUNT)).toMatchObject({
      parent_agent_id: agent_id,
      allowed_actions: ['*'],
      monetary_limit_per_txn: 100,
      currency: 'EUR',
      metadata: { workload_issuer: CLUSTER, workload_subject: POD },
      version: 1,
    });
    expect(await service.passports.get(CHILD, ACCOUNT)).not.toHaveProperty('trusted_issuers');
    const [record] = (await service.verifications.list({}, ACCOUNT)).data;
    expect(record).toMatchObject({
      verdict: 'ALLOW',
      agent_id: CHILD,
      permit_audience: RESOURCE,
      subject: null,
    });
    const { data } = await service.audit.list({}, ACCOUNT);
    expect(data.map(({ type }) => type)).toContain('passport.created');
  },
);

test('a second assertion of the subject is for the same agent, and its parent narrows and ends it', async () => {
  const { workload, service, agent_id } = await openTrust();
  await workload();
  expect((await workload()).status).toBe(200);
  expect((await service.passports.list({}, ACCOUNT)).data).toHaveLength(2);
  await service.passports.update(agent_id, { denied_actions: ['orders.read'] }, ACCOUNT);
  expect((await workload({}, { scope: 'orders.read' })).body).toMatchObject({ error: 'invalid_scope' });
  await service.revoke({ agent_id }, ACCOUNT);
  expect((await workload()).body).toMatchObject({ error: 'unauthorized_client' });
});

test('a workload that is revoked gets no token, and no second agent', async () => {
  const { workload, service } = await openTrust();
  await workload();
  await service.revoke({ agent_id: CHILD }, ACCOUNT);
  expect((await workload()).body).toMatchObject({ error: 'unauthorized_client' });
  expect((await service.passports.list({}, ACCOUNT)).data).toHaveLength(2);
});

test('accepts an assertion once, or until its end where the passport says so', async () => {
  const once = await openTrust();
  const assertion = await signWorkload(once.cluster);
  const answers = await Promise.all(Array.from({ length: 20 }, () => once.workload({}, { assertion })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status, body } of answers) if (status !== 200) expect(body).toMatchObject(REFUSED);
  expect((await once.service.passports.list({}, ACCOUNT)).data).toHaveLength(2);

  const again = await openTrust({ entries: [{ reuse: true }] });
  const projected = await signWorkload(again.cluster);
  const all = await Promise.all(
    Array.from({ length: 20 }, () => again.workload({}, { assertion: projected })),
  );
  expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect((await again.service.passports.list({}, ACCOUNT)).data).toHaveLength(2);
});

test('makes at most max_agents agents, and none for a refused request', async () => {
  const { workload, service } = await openTrust({ entries: [{ max_agents: 3 }] });
  const asked = Array.from({ length: 12 }, (_, at) => workload({ claims: { sub: `${POD}-${at}` } }));
  const answers = await Promise.all(asked);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  const refused = answers.filter(({ status }) => status !== 200);
  for (const { body } of refused) {
    expect(body).toMatchObject({
      error: 'unauthorized_client',
      error_description: 'The access token cannot be issued.',
      decision_id: expect.stringMatching(/^dec_/),
    });
  }
  expect((await service.passports.list({}, ACCOUNT)).data).toHaveLength(4);
  const [record] = (await service.verifications.list({ verdict: 'DENY' }, ACCOUNT)).data;
  expect(record?.reasons).toMatchObject([{ code: 'token_unavailable', problem: 'agents' }]);
});

test('counts the agents of workloads against the plan', async () => {
  const plans = { starter: { passports: 2 } };
  const { service, post, cluster, agent_id } = await openTrust({
    more: { plans },
    account: async (issuer) => {
      const login = { email: 'ann@example.com', password: 'a long password of ann' };
      return (await issuer.service.accounts.create(login)).id;
    },
  });
  const ask = async (sub: string) =>
    post({
      ...{ grant_type: GRANT, resource: RESOURCE, client_id: agent_id },
      assertion: await signWorkload(cluster, { claims: { sub: `${POD}-${sub}` } }),
    });
  expect((await ask('1')).status).toBe(200);
  expect((await ask('2')).body).toMatchObject({ error: 'unauthorized_client' });
  expect((await ask('1')).status).toBe(200);
  expect(service.serving.logins).toBe(true);
});

test('a denied workload makes no agent, and its assertion stays unused', async () => {
  const { workload, service, agent_id, cluster } = await openTrust({
    passport: { allowed_actions: ['orders.*'] },
  });
  const assertion = await signWorkload(cluster);
  expect((await workload({}, { assertion })).body).toMatchObject({ error: 'unauthorized_client' });
  expect((await service.passports.list({}, ACCOUNT)).data).toHaveLength(1);
  await service.passports.update(agent_id, { allowed_actions: ['oauth:token'] }, ACCOUNT);
  expect((await workload({}, { assertion })).status).toBe(200);
});

test.each<[string, AssertionParts]>([
  ['another issuer', { claims: { iss: IDP } }],
  ['a subject that the passport does not name', { claims: { sub: 'system:serviceaccount:other:orders' } }],
  ['an empty subject', { claims: { sub: '' } }],
  ['a subject with a line feed', { claims: { sub: `${POD}\n` } }],
  ['no subject', { claims: { sub: undefined as unknown as string } }],
  ['another audience', { claims: { aud: 'https://id.example.com/api' } }],
  ['two audiences', { claims: { aud: ['https://id.example.com/api/issuers/example.com', 'x'] } }],
  ['no audience', { claims: { aud: undefined as unknown as string } }],
  ['no end', { claims: { exp: undefined as unknown as number } }],
  ['an end in the past', { claims: { exp: now() - 10 } }],
  ['an end that is too far', { claims: { exp: now() + 3_700 } }],
  ['no iat', { claims: { iat: undefined as unknown as number } }],
  ['an iat in the future', { claims: { iat: now() + 30 } }],
  ['a begin in the future', { claims: { nbf: now() + 30 } }],
  ['no jti', { claims: { jti: undefined as unknown as string } }],
  ['a jti of 257 characters', { claims: { jti: 'x'.repeat(257) } }],
  ['another type', { header: { typ: 'at+jwt' } }],
  ['the type of a user', { header: { typ: 'oauth-id-jag+jwt' } }],
  ['another kid', { header: { kid: 'two' } }],
  ['a key in the header', { header: { jwk: {} } }],
  ['the address of keys in the header', { header: { jku: 'https://evil.example' } }],
  ['a certificate in the header', { header: { x5u: 'https://evil.example' } }],
])('refuses the assertion of a workload with %s', async (_, parts) => {
  const { workload, service } = await openTrust();
  const { status, body } = await workload(parts, { client_assertion: undefined });
  const isOfUser = parts.header?.['typ'] === 'oauth-id-jag+jwt';
  expect([status, body['error']]).toEqual([400, isOfUser ? 'invalid_client' : 'invalid_grant']);
  expect((await service.passports.list({}, ACCOUNT)).data).toHaveLength(1);
  expect((await service.verifications.list({}, ACCOUNT)).data).toEqual([]);
});

test('refuses the signature of another key, and an algorithm of another type of key', async () => {
  const { workload, cluster } = await openTrust();
  const forged = await signWorkload({ ...(await makeIssuerKey()), jwk: cluster.jwk });
  expect((await workload({}, { assertion: forged })).body).toEqual(REFUSED);
  const other = await makeIssuerKey('EdDSA');
  expect((await workload({}, { assertion: await signWorkload(other) })).body).toEqual(REFUSED);
  const [head = '', ...rest] = (await signWorkload(cluster)).split('.');
  const none = btoa(JSON.stringify({ ...JSON.parse(atob(head)), alg: 'none' })).replace(/=+$/, '');
  expect((await workload({}, { assertion: [none, ...rest].join('.') })).body).toEqual(REFUSED);
  expect((await workload({}, { assertion: 'x'.repeat(9_000) })).body).toEqual(REFUSED);
});

test.each<[string, Record<string, string | undefined>, string]>([
  ['no assertion', { assertion: undefined }, 'invalid_request'],
  ['no client_id', { client_id: undefined }, 'invalid_request'],
  ['a secret', { client_secret: 'x' }, 'invalid_client'],
  ['an unknown parent', { client_id: 'did:web:example.com:agents:nobody' }, 'invalid_grant'],
  ['a parent of another domain', { client_id: 'did:web:example.org:agents:nobody' }, 'invalid_grant'],
  ['a client_id that is no agent', { client_id: 'cluster' }, 'invalid_grant'],
  ['no resource', { resource: undefined }, 'invalid_target'],
  ['a malformed resource', { resource: 'mcp' }, 'invalid_target'],
  ['a malformed scope', { scope: 'orders.*' }, 'invalid_scope'],
])('refuses a request of a workload with %s', async (_, form, error) => {
  const { workload } = await openTrust();
  const { status, body } = await workload({}, form);
  expect([status, body['error']]).toEqual([400, error]);
});

test('refuses a workload that sends the credential of an agent as well', async () => {
  const { workload, agent_id, agentKey } = await openTrust();
  const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  const client_assertion = await assertionOf(agent_id, agentKey);
  const { body } = await workload({}, { client_assertion, client_assertion_type: type });
  expect(body).toEqual({ error: 'invalid_request', error_description: 'Send one credential.' });
});

test('refuses an agent of that name with another parent, and a chain that is too long', async () => {
  const { workload, issue, service } = await openTrust();
  await issue([], { agent_name: NAME });
  expect((await workload()).body).toEqual(REFUSED);
  await service.revoke({ agent_id: CHILD }, ACCOUNT);
  expect((await workload()).body).toEqual(REFUSED);

  const deep = await openTrust({ passport: {} });
  let parent = (await deep.issue([])).agent_id;
  for (let depth = 0; depth < 3; depth += 1) {
    parent = (await deep.issue([], { parent_agent_id: parent })).agent_id;
  }
  const trusted = (await deep.service.passports.get(deep.agent_id, ACCOUNT)).trusted_issuers ?? [];
  const last = await deep.issue([], { parent_agent_id: parent, trusted_issuers: trusted });
  expect((await deep.workload({}, { client_id: last.agent_id })).body).toMatchObject({
    error: 'unauthorized_client',
  });
});

test('child agents do not inherit trust, and what is no longer trusted gets nothing', async () => {
  const { workload, user, issue, service, agent_id } = await openTrust();
  const child = await issue([], { parent_agent_id: agent_id });
  expect((await workload({}, { client_id: child.agent_id })).body).toEqual(REFUSED);
  await service.passports.update(agent_id, { trusted_issuers: null }, ACCOUNT);
  expect((await workload()).body).toEqual(REFUSED);
  expect((await user()).body).toEqual(REFUSED);
});

test('writes no assertion to a log or a record', async () => {
  const { workload, service, cluster, idp, agent_id, logs, post } = await openTrust();
  const [assertion, about] = [await signWorkload(cluster), await signUser(idp, agent_id)];
  await workload({}, { assertion });
  await workload({}, { assertion });
  await post({ grant_type: GRANT, assertion: about });
  await post({
    grant_type: GRANT,
    client_id: agent_id,
    resource: RESOURCE,
    assertion: await signedBy(idp, {}),
  });
  const shown = JSON.stringify([logs, (await service.verifications.list({}, ACCOUNT)).data]);
  for (const secret of [assertion, about]) expect(shown).not.toContain(secret);
  expect(shown).toContain('passport.created');
});
