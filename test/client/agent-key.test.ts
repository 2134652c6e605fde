import { describe, expect, test } from 'vitest';
import { fetchHandler } from '../../src/http/index.ts';
import { createIdentityClient, type IdentityClientOptions } from '../../src/index.ts';
import { generateAgentKey } from '../../src/tokens/proof/index.ts';
import { makeKey, openApi, signIn } from '../support/api.ts';
import { ED25519, outcome, PAYMENT, SHOPPER } from '../support/prover.ts';
import { openService, SECRET } from '../support/service.ts';

const BASE = 'http://id.example.com/api';

/** A service that knows its agents' keys, at the time of this machine, and a client of one agent. */
async function open(more: Partial<IdentityClientOptions> = {}) {
  const opened = openService({ identity: { secret: SECRET, publicUrl: BASE }, clock: { now: Date.now } });
  const api = openApi(opened);
  const { token } = await signIn(opened, api);
  const { key } = await makeKey(api, token);
  const { body } = await api.ask('POST', '/passports', { token, json: SHOPPER });
  const agent_id = `${body['agent_id']}`;
  const handle = fetchHandler(opened.service);
  const bodies: string[] = [];
  let isBroken = false;
  const fetch: typeof globalThis.fetch = async (url, init) => {
    bodies.push(String(init?.body));
    const response = await handle(new Request(url, init));
    if (!isBroken) return response;
    isBroken = false;
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
  };
  const agentKey = { private_jwk: ED25519.private_jwk, agent_id };
  const client = createIdentityClient({ baseUrl: `${BASE}/`, apiKey: key, fetch, agentKey, ...more });
  const breakNext = () => {
    isBroken = true;
  };
  return { client, agent_id, bodies, breakNext };
}

describe('a client with the key of its agent', () => {
  test('signs each intent, of a batch too', async () => {
    const { client, agent_id, bodies } = await open();
    const intent = { ...PAYMENT, agent_id };
    const record = await client.verify(intent);
    expect([outcome(record), record.proof_kid]).toEqual(['ALLOW', ED25519.kid]);
    expect(outcome(await client.verify(intent))).toBe('ALLOW');
    const records = await client.verifyBatch({ intents: [intent, intent] });
    expect(records.map(outcome)).toEqual(['ALLOW', 'ALLOW']);
    expect(await client.guard(intent, () => 'paid')).toBe('paid');
    const proofs = bodies.flatMap((body) => body.match(/"proof":"[^"]+"/g) ?? []);
    expect(new Set(proofs).size).toBe(5);
  });

  test('signs anew where the connection broke, because the first proof may be used up', async () => {
    const { client, agent_id, bodies, breakNext } = await open();
    breakNext();
    expect(outcome(await client.verify({ ...PAYMENT, agent_id }))).toBe('ALLOW');
    expect(bodies).toHaveLength(2);
  });

  test('leaves a proof that is there as it is, and refuses another agent and an intent without a target', async () => {
    const { client, agent_id, bodies } = await open();
    expect(outcome(await client.verify({ ...PAYMENT, agent_id, proof: 'mine' }))).toBe(
      'proof_invalid malformed',
    );
    const sent = bodies.length;
    const refused = { code: 'invalid_request' };
    await expect(client.verify({ ...PAYMENT, agent_id: `${agent_id}2` })).rejects.toMatchObject(refused);
    await expect(client.verify({ agent_id, action: 'orders.list' })).rejects.toMatchObject(refused);
    expect(bodies).toHaveLength(sent);
    const agentKey = { private_jwk: ED25519.private_jwk, agent_id, anyTarget: true };
    const any = await open({ agentKey });
    expect(outcome(await any.client.verify({ agent_id, action: 'orders.list' }))).toBe('ALLOW');
  });

  test('names the service as its option says', async () => {
    const agent_id = 'did:web:example.com:agents:shopper';
    const agentKey = { private_jwk: ED25519.private_jwk, agent_id, audience: 'https://other.example' };
    const { client } = await open({ agentKey });
    expect(outcome(await client.verify({ ...PAYMENT, agent_id }))).toBe('proof_invalid audience');
  });
});

test.each([
  ['a text', 'key'],
  ['a public key', { private_jwk: ED25519.public_jwk, agent_id: 'a' }],
  ['no agent', { private_jwk: ED25519.private_jwk }],
  ['a misspelt name', { private_jwk: ED25519.private_jwk, agentId: 'a' }],
])('%s as agentKey is refused, and shown nowhere', async (_, agentKey) => {
  const make = () =>
    createIdentityClient({ baseUrl: BASE, apiKey: 'ais_live_x', agentKey: agentKey as never });
  expect(make).toThrow(expect.objectContaining({ code: 'invalid_configuration' }));
  try {
    make();
  } catch (error) {
    expect(`${(error as Error).stack}${JSON.stringify(error)}`).not.toContain(ED25519.private_jwk.d);
  }
  await expect(generateAgentKey()).resolves.toBeDefined();
});
