/** Introspection (RFC 7662): a token is active while its agent would get it. */
import { expect, test } from 'vitest';
import { identity } from '../../src/identity/index.ts';
import { manualClock } from '../support/service.ts';
import {
  assertionOf,
  dpopOf,
  formOf,
  ISSUER,
  openAgent,
  openIssuer,
  PUBLIC_URL,
  RESOURCE,
  TOKEN_URL,
} from './stage.ts';

const ACCOUNT = { account_id: 'acc_1' };
const INACTIVE = { active: false };

async function stage(passport: object = {}, more: object = {}) {
  const agent = await openAgent(passport, more);
  const { key } = await agent.service.keys.create({ name: 'resource', scopes: ['verify'] }, ACCOUNT);
  const apiKey = key as string;
  const introspect = async (token: string, headers: Record<string, string> = { 'x-api-key': apiKey }) => {
    const body = new URLSearchParams({ token });
    const response = await agent.fetch(`${ISSUER}/introspect`, { method: 'POST', body, headers });
    return { response, body: (await response.json()) as Record<string, unknown> };
  };
  const token = async (scope?: string): Promise<string> =>
    `${(await agent.ask({ scope })).body['access_token']}`;
  return { ...agent, apiKey, introspect, token };
}

test('answers with the claims of a token, and records nothing', async () => {
  const { introspect, token, agent_id, service } = await stage();
  const { response, body } = await introspect(await token('orders.read'));
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(body).toEqual({
    active: true,
    token_type: 'Bearer',
    scope: 'orders.read',
    iss: ISSUER,
    aud: RESOURCE,
    sub: agent_id,
    client_id: agent_id,
    iat: expect.any(Number),
    exp: Number(body['iat']) + 300,
    jti: expect.stringMatching(/^dec_/),
  });
  expect((await service.verifications.list({}, ACCOUNT)).data.length).toBe(1);
});

test('answers with the key of a bound token', async () => {
  const { introspect, ask, key } = await stage();
  const { body } = await ask({}, { dpop: await dpopOf(key) });
  const answer = await introspect(`${body['access_token']}`);
  expect(answer.body).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: key.kid } });
});

test('takes a key as X-API-Key, as Bearer, and as Basic with its id', async () => {
  const { introspect, token, apiKey, service } = await stage();
  const text = await token();
  const id = (await service.keys.list({}, ACCOUNT)).data[0]?.id ?? '';
  for (const authorization of [`Bearer ${apiKey}`, `Basic ${btoa(`${id}:${apiKey}`)}`]) {
    expect((await introspect(text, { authorization })).body['active']).toBe(true);
  }
  for (const headers of [
    { authorization: `Basic ${btoa(`key_other:${apiKey}`)}` },
    { authorization: 'Basic x' },
    { authorization: 'Bearer ais_unknown' },
    { 'x-api-key': 'ais_unknown' },
    {},
  ]) {
    const { response, body } = await introspect(text, headers as Record<string, string>);
    expect([response.status, body]).toEqual([
      'authorization' in headers ? 401 : 400,
      { error: 'invalid_client', error_description: 'The agent is not authenticated.' },
    ]);
  }
  const both = await introspect(text, { 'x-api-key': apiKey, authorization: `Bearer ${apiKey}` });
  expect(both.body['error']).toBe('invalid_request');
});

test('needs the scope verify, and a token', async () => {
  const { introspect, token, service, apiKey, fetch } = await stage();
  const { key } = await service.keys.create({ name: 'other', scopes: ['revoke'] }, ACCOUNT);
  expect((await introspect(await token(), { 'x-api-key': key as string })).body['error']).toBe(
    'invalid_client',
  );
  const body = new URLSearchParams({ token_type_hint: 'access_token' });
  const headers = { 'x-api-key': apiKey };
  const response = await fetch(`${ISSUER}/introspect`, { method: 'POST', body, headers });
  expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request']);
});

test('a suspended, revoked or changed agent has no active token', async () => {
  const { introspect, token, service, agent_id } = await stage();
  const text = await token();
  const target = { agent_id };
  await service.suspend(target, ACCOUNT);
  expect((await introspect(text)).body).toEqual(INACTIVE);
  await service.reinstate(target, ACCOUNT);
  expect((await introspect(text)).body['active']).toBe(true);
  await service.passports.update(agent_id, { allowed_targets: ['did:web:other.example'] }, ACCOUNT);
  expect((await introspect(text)).body).toEqual(INACTIVE);
  await service.passports.update(agent_id, { allowed_targets: null }, ACCOUNT);
  await service.passports.update(agent_id, { allowed_actions: ['orders.*'] }, ACCOUNT);
  expect((await introspect(text)).body).toEqual(INACTIVE);
  await service.passports.update(agent_id, { allowed_actions: ['oauth:token'] }, ACCOUNT);
  expect((await introspect(text)).body['active']).toBe(true);
  await service.revoke(target, ACCOUNT);
  expect((await introspect(text)).body).toEqual(INACTIVE);
});

test('a suspended parent ends the token of its child', async () => {
  const at = await stage();
  const parent = await at.issue([]);
  const child = await at.issue([at.key], { parent_agent_id: parent.agent_id });
  const body = formOf(await assertionOf(child.agent_id, at.key));
  const { access_token } = await (await at.fetch(TOKEN_URL, { method: 'POST', body })).json();
  expect((await at.introspect(access_token)).body['active']).toBe(true);
  await at.service.suspend({ agent_id: parent.agent_id }, ACCOUNT);
  expect((await at.introspect(access_token)).body).toEqual(INACTIVE);
});

test('the scope is what the agent would get now', async () => {
  const { introspect, token, service, agent_id } = await stage();
  const text = await token('orders.read orders.write');
  expect((await introspect(text)).body['scope']).toBe('orders.read orders.write');
  await service.passports.update(agent_id, { allowed_actions: ['oauth:token', 'orders.read'] }, ACCOUNT);
  expect((await introspect(text)).body['scope']).toBe('orders.read');
  await service.passports.update(agent_id, { allowed_actions: ['oauth:token'] }, ACCOUNT);
  expect((await introspect(text)).body).not.toHaveProperty('scope');
});

test('a key sees the tokens of its account, its agents and its environment', async () => {
  const { introspect, token, service, issue } = await stage();
  const text = await token();
  const other = await issue([]);
  const keys = [
    await service.keys.create({ name: 'b', scopes: ['verify'] }, { account_id: 'acc_2' }),
    await service.keys.create({ name: 'c', scopes: ['verify'], agent_ids: [other.agent_id] }, ACCOUNT),
    await service.keys.create({ name: 'd', scopes: ['verify'], environment: 'test' }, ACCOUNT),
  ];
  for (const { key } of keys) {
    expect((await introspect(text, { 'x-api-key': key as string })).body).toEqual(INACTIVE);
  }
});

test('an expired token, a changed one and one of another issuer are not active', async () => {
  const clock = manualClock(Date.now());
  const { introspect, token, fetch, apiKey } = await stage({}, { clock });
  const text = await token();
  const [head, payload, signature = ''] = text.split('.');
  const flipped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
  const unsigned = `${btoa('{"alg":"none","typ":"at+jwt","kid":"x"}').replaceAll('=', '')}.${payload}.`;
  for (const wrong of [`${head}.${payload}.${flipped}`, unsigned, 'x', `${text}x`, 'a'.repeat(8_193)]) {
    expect((await introspect(wrong)).body).toEqual(INACTIVE);
  }
  const elsewhere = await fetch(`${PUBLIC_URL}/issuers/example.org/introspect`, {
    method: 'POST',
    body: new URLSearchParams({ token: text }),
    headers: { 'x-api-key': apiKey },
  });
  expect(await elsewhere.json()).toEqual(INACTIVE);
  clock.advance(299_000);
  expect((await introspect(text)).body['active']).toBe(true);
  clock.advance(1_001);
  expect((await introspect(text)).body).toEqual(INACTIVE);
});

test('is served only where tokens are issued', async () => {
  const { fetch } = openIssuer(undefined, { capabilities: [identity()] });
  const response = await fetch(`${ISSUER}/introspect`, {
    method: 'POST',
    body: new URLSearchParams({ token: 'x' }),
  });
  expect(response.status).toBe(404);
});

test('throws overloaded if too many unknown API keys are read at once', async () => {
  const { service } = await stage();
  const request = (digit: number) => ({
    domain: 'shop.example',
    parameters: {},
    api_key: `ais_live_${digit}`,
  });
  const asked = Array.from({ length: 1_000 }, (_, digit) => service.tokens.introspect(request(digit)));
  const codes = (await Promise.allSettled(asked)).map((one) => one.status === 'rejected' && one.reason.code);
  expect(new Set(codes)).toEqual(new Set(['token_refused', 'overloaded']));
});
