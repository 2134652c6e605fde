/** Workloads: each subject of a trusted issuer is a child agent. */
import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { assertionOf, RESOURCE } from './stage.ts';
import { CLUSTER, GRANT, openTrust, POD, signedBy, signUser, signWorkload } from './trust.ts';

const ACCOUNT = { account_id: 'acc_1' };
const REFUSED = { error: 'invalid_grant', error_description: 'The assertion is not accepted.' };
const NAME = `w-${createHash('sha256').update(`${CLUSTER}\n${POD}`).digest('hex').slice(0, 40)}`;
const CHILD = `did:web:example.com:agents:${NAME}`;

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
  const { post, cluster, agent_id } = await openTrust({
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
