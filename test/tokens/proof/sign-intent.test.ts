import { calculateJwkThumbprint, importJWK, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { generateAgentKey, type SignIntentOptions, signIntent } from '../../../src/tokens/proof/index.ts';

const AGENT = 'did:web:example.com:agents:shopper';
const AUDIENCE = 'https://id.example.com/api';
const INTENT = {
  action: 'payments.create',
  target: 'did:web:shop.example',
  parameters: { amount: '19.99', currency: 'EUR', order: { lines: [1, 2.5, null] } },
};

describe.each(['EdDSA', 'ES256'] as const)('with %s', (alg) => {
  test('jose alone checks what was signed, and the thumbprint of the key', async () => {
    const { private_jwk, public_jwk, kid } = await generateAgentKey(alg);
    const before = Math.floor(Date.now() / 1_000);
    const proof = await signIntent(INTENT, { key: private_jwk, agent_id: AGENT, audience: AUDIENCE });
    const { payload, protectedHeader } = await jwtVerify(proof, await importJWK(public_jwk, alg), {
      issuer: AGENT,
      audience: AUDIENCE,
      typ: 'agent-intent+jwt',
    });
    expect(protectedHeader).toEqual({ alg, kid, typ: 'agent-intent+jwt' });
    expect(kid).toBe(await calculateJwkThumbprint(public_jwk));
    const { iat = 0, exp, jti, ...rest } = payload;
    expect(rest).toEqual({ iss: AGENT, aud: AUDIENCE, intent: INTENT });
    expect(iat).toBeGreaterThanOrEqual(before);
    expect(exp).toBe(iat + 60);
    expect(jti).toMatch(/^[\w-]{22}$/);
  });

  test('a public key has no private member, and no two keys or proofs are the same', async () => {
    const [one, other] = await Promise.all([generateAgentKey(alg), generateAgentKey(alg)]);
    expect(one.public_jwk).not.toHaveProperty('d');
    expect(one.kid).not.toBe(other.kid);
    const options = { key: one.private_jwk, agent_id: AGENT, audience: AUDIENCE };
    expect(await signIntent(INTENT, options)).not.toBe(await signIntent(INTENT, options));
  });
});

const { private_jwk } = await generateAgentKey();
const OPTIONS: SignIntentOptions = { key: private_jwk, agent_id: AGENT, audience: AUDIENCE };

async function refusal(intent: object, options: object = {}): Promise<string> {
  const error = await signIntent(intent as never, { ...OPTIONS, ...options }).catch((thrown) => thrown);
  // No error shows the key.
  expect(`${error.stack} ${JSON.stringify(error)} ${error.cause?.stack}`).not.toContain(private_jwk.d);
  return `${error.code} ${error.details.errors?.[0].path ?? error.message}`;
}

test.each([
  ['no target', { action: 'pay' }, '/target'],
  ['no action', { target: 'did:web:a.example' }, '/action'],
  ['an action that is no text', { action: 7, target: 'did:web:a.example' }, '/action'],
  ['another agent', { ...INTENT, agent_id: 'did:web:example.com:agents:other' }, '/agent_id'],
  ['a Map', { ...INTENT, parameters: { rows: new Map() } }, '/parameters/rows'],
  ['NaN', { ...INTENT, parameters: { amount: Number.NaN } }, '/parameters/amount'],
  ['a list', [], ''],
  ['more than fits', { ...INTENT, parameters: { note: 'x'.repeat(8_192) } }, ''],
])('an intent with %s is refused', async (_, intent, path) => {
  expect(await refusal(intent)).toBe(`invalid_request ${path}`);
});

test.each([
  ['no key', { key: undefined }, /key must be/],
  ['a public key', { key: { ...private_jwk, d: undefined } }, /key must be/],
  ['a key of another curve', { key: { ...private_jwk, crv: 'Ed448' } }, /key must be/],
  ['a padded key', { key: { ...private_jwk, x: `${private_jwk.x}=` } }, /key must be/],
  ['no agent', { agent_id: '' }, /agent_id must be/],
  ['no audience', { audience: undefined }, /audience must be/],
  ['no time', { seconds: 0 }, /seconds must be/],
  ['more than an hour', { seconds: 3_601 }, /seconds must be/],
  ['half a second', { seconds: 0.5 }, /seconds must be/],
])('options with %s are refused', async (_, options, message) => {
  const text = await refusal(INTENT, options);
  expect(text).toMatch(/^invalid_configuration /);
  expect(text).toMatch(message);
});

test('a point that is not on the curve makes no proof, and its error shows nothing of the key', async () => {
  const es256 = await generateAgentKey('ES256');
  const key = { ...es256.private_jwk, y: es256.private_jwk.x };
  expect(await refusal(INTENT, { key })).toMatch(/^invalid_configuration key must be/);
});

test('an intent for any target says so', async () => {
  const proof = await signIntent({ action: 'pay' }, { ...OPTIONS, anyTarget: true, seconds: 300 });
  const claims = JSON.parse(Buffer.from(proof.split('.')[1] ?? '', 'base64url').toString());
  expect(claims.intent).toEqual({ action: 'pay' });
  expect(claims.exp - claims.iat).toBe(300);
});

test('an unknown algorithm is refused', async () => {
  await expect(generateAgentKey('RS256' as never)).rejects.toMatchObject({ code: 'invalid_configuration' });
});
