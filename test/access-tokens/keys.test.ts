/** Agents that get tokens by an API key (`client_secret_basic`). */
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import type { KeyInput } from '../../src/types.ts';
import { formOf, makeKeyPair, type OpenIssuer, openIssuer, RESOURCE, TOKEN_URL } from './stage.ts';

const ACCOUNT = { account_id: 'acc_1' };
const INVALID = { error: 'invalid_client', error_description: 'The agent is not authenticated.' };

type Form = Readonly<Record<string, string | undefined>>;

interface Stage extends OpenIssuer {
  readonly agent_id: string;
  readonly key: string;
  /** Makes a key; `false`: for all agents. */
  newKey(input: Partial<KeyInput>, isBound?: false): Promise<string>;
  ask(credential: string, form?: Form): Promise<{ readonly response: Response; readonly body: object }>;
}

async function stage(passport: object = {}, input: Partial<KeyInput> = {}): Promise<Stage> {
  const issuer = openIssuer();
  const { agent_id } = await issuer.issue('proof' in passport ? [await makeKeyPair()] : [], passport);
  const newKey = async (more: Partial<KeyInput>, isBound = true): Promise<string> => {
    const bound = isBound ? { agent_ids: [agent_id] } : {};
    const asked: KeyInput = { name: 'tokens', scopes: ['token'], ...bound, ...more };
    return (await issuer.service.keys.create(asked, ACCOUNT)).key as string;
  };
  const ask: Stage['ask'] = async (credential, form = {}) => {
    const body = formOf('', { client_assertion: undefined, client_assertion_type: undefined, ...form });
    const headers = { authorization: credential };
    const response = await issuer.fetch(TOKEN_URL, { method: 'POST', body, headers });
    return { response, body: (await response.json()) as object };
  };
  return { ...issuer, agent_id, key: await newKey(input), newKey, ask };
}

const basic = (user: string, password: string): string => `Basic ${btoa(`${user}:${password}`)}`;
/** As RFC 6749 has it: both parts are form-encoded. */
const encoded = (user: string, password: string): string =>
  basic(encodeURIComponent(user), encodeURIComponent(password));

test.each([
  ['encoded', encoded],
  ['not encoded', basic],
])('an agent whose id is %s gets a token by a key', async (_, write) => {
  const { service, agent_id, key, ask } = await stage();
  const { response, body } = await ask(write(agent_id, key), { scope: 'orders.read' });
  expect([response.status, body]).toEqual([
    200,
    { access_token: expect.any(String), token_type: 'Bearer', expires_in: 300, scope: 'orders.read' },
  ]);
  const [record] = (await service.verifications.list({}, ACCOUNT)).data;
  expect(record).toMatchObject({ verdict: 'ALLOW', action: 'oauth:token', proof_kid: null });
  expect(record?.key_id).toMatch(/^key_/);
  const claims = decodeJwt((body as { access_token: string }).access_token);
  expect(claims).toMatchObject({ sub: agent_id, aud: RESOURCE, jti: record?.decision_id });
});

test('base64 without padding is read as well', async () => {
  const { agent_id, key, ask } = await stage();
  expect((await ask(encoded(agent_id, key).replace(/=+$/, ''))).response.status).toBe(200);
});

test('a test key gets a token for the environment test', async () => {
  const { service, agent_id, key, ask } = await stage({}, { environment: 'test' });
  const { body } = await ask(basic(agent_id, key));
  expect(decodeJwt((body as { access_token: string }).access_token).aud).toBe(`test:${RESOURCE}`);
  expect((await service.verifications.list({}, ACCOUNT)).data[0]?.environment).toBe('test');
});

const REFUSED: Readonly<Record<string, (at: Stage) => Promise<string>>> = {
  'a key for all agents': async ({ agent_id, newKey }) => basic(agent_id, await newKey({}, false)),
  'a key of other agents': async ({ agent_id, newKey, issue }) => {
    const other = await issue([]);
    return basic(agent_id, await newKey({ agent_ids: [other.agent_id] }));
  },
  'a key without the scope': async ({ agent_id, newKey }) =>
    basic(agent_id, await newKey({ scopes: ['verify'] })),
  'an unknown key': async ({ agent_id, key }) =>
    basic(agent_id, key.replace(/.$/, key.endsWith('a') ? 'b' : 'a')),
  'a text that is no key': async ({ agent_id }) => basic(agent_id, 'secret'),
  'an agent that does not exist': async ({ agent_id, key }) => basic(`${agent_id}x`, key),
  'no colon': async () => `Basic ${btoa('agent')}`,
  'no base64': async () => 'Basic %%%',
  'another scheme': async ({ key }) => `Bearer ${key}`,
  'a broken escape': async ({ key }) => basic('%zz', key),
  'bytes that are no UTF-8': async () => `Basic ${btoa('\xff:\xff')}`,
};

test.each(Object.keys(REFUSED))('refuses %s, with a challenge and without a record', async (name) => {
  const at = await stage();
  const credential = (await REFUSED[name]?.(at)) ?? '';
  const { response, body } = await at.ask(credential);
  expect([response.status, body]).toEqual([401, INVALID]);
  expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
  expect((await at.service.verifications.list({}, ACCOUNT)).data).toEqual([]);
  expect(at.logs.join()).not.toContain(at.key);
});

test('a key of another account gets nothing', async () => {
  const { service, agent_id, ask } = await stage();
  const input: KeyInput = { name: 'other', scopes: ['token'], agent_ids: [agent_id] };
  const other = await service.keys.create(input, { account_id: 'acc_2' }).catch(() => undefined);
  if (other !== undefined) expect((await ask(basic(agent_id, other.key as string))).body).toEqual(INVALID);
  const { key } = await service.keys.create({ name: 'x', scopes: ['verify'] }, { account_id: 'acc_2' });
  expect((await ask(basic(agent_id, key as string))).body).toEqual(INVALID);
});

test('a revoked key gets no token', async () => {
  const { service, agent_id, key, ask } = await stage();
  expect((await ask(basic(agent_id, key))).response.status).toBe(200);
  const [record] = (await service.keys.list({}, ACCOUNT)).data;
  await service.keys.revoke(record?.id ?? '', ACCOUNT);
  expect((await ask(basic(agent_id, key))).body).toEqual(INVALID);
});

test('a passport with proof needs a signed assertion', async () => {
  const { agent_id, key, ask } = await stage({ proof: 'identity' });
  expect((await ask(basic(agent_id, key))).body).toEqual(INVALID);
});

test.each<[string, Form]>([
  ['an assertion', { client_assertion: 'a.b.c' }],
  ['a secret in the form', { client_secret: 'x' }],
])('refuses a key beside %s', async (_, form) => {
  const { agent_id, key, ask } = await stage();
  const { response, body } = await ask(basic(agent_id, key), form);
  expect([response.status, body]).toEqual([
    400,
    { error: 'invalid_request', error_description: 'Send one credential.' },
  ]);
});

test('refuses a secret in the form', async () => {
  const { fetch, key } = await stage();
  const body = formOf('', { client_assertion: undefined, client_secret: key });
  const response = await fetch(TOKEN_URL, { method: 'POST', body });
  expect([response.status, await response.json()]).toEqual([400, INVALID]);
});

test('a verdict that denies is recorded with the key', async () => {
  const { service, agent_id, key, ask } = await stage({ allowed_actions: ['orders.read'] });
  const { response, body } = await ask(basic(agent_id, key));
  expect([response.status, body]).toMatchObject([400, { error: 'unauthorized_client' }]);
  expect((await service.verifications.list({}, ACCOUNT)).data[0]).toMatchObject({ verdict: 'DENY' });
});
