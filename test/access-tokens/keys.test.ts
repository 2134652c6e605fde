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

test('a refusal of a key has a challenge', async () => {
  const { agent_id, ask } = await stage();
  const { response, body } = await ask(basic(agent_id, 'secret'));
  expect([response.status, body]).toEqual([401, INVALID]);
  expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
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

test('a verdict that denies is recorded with the key', async () => {
  const { service, agent_id, key, ask } = await stage({ allowed_actions: ['orders.read'] });
  const { response, body } = await ask(basic(agent_id, key));
  expect([response.status, body]).toMatchObject([400, { error: 'unauthorized_client' }]);
  expect((await service.verifications.list({}, ACCOUNT)).data[0]).toMatchObject({ verdict: 'DENY' });
});
