import { readFileSync } from 'node:fs';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { createTokenVerifier } from '../../src/tokens/index.ts';

interface TokenVector {
  readonly name: string;
  readonly problem?: string;
  readonly authorization: string;
  readonly dpop?: string;
}

const VECTORS: {
  readonly at: string;
  readonly issuers: readonly string[];
  readonly resource: string;
  readonly method: string;
  readonly url: string;
  readonly keys: readonly object[];
  readonly valid: readonly TokenVector[];
  readonly invalid: readonly TokenVector[];
} = JSON.parse(readFileSync(new URL('../../src/tokens/vectors/tokens.json', import.meta.url), 'utf8'));

const { at, issuers, resource, method, url, keys, valid, invalid } = VECTORS;

function verify({ authorization, dpop }: TokenVector) {
  const verifyToken = createTokenVerifier({ issuers, resource, keys, at: () => Date.parse(at) });
  const headers = new Headers({ authorization, ...(dpop !== undefined && { dpop }) });
  return verifyToken({ method, url, headers });
}

test.each(valid)('accepts $name', async (vector) => {
  expect(await verify(vector)).toMatchObject({ agent_id: 'did:web:example.com:agents:shopper' });
});

test.each(invalid)('refuses $problem: $name', async (vector) => {
  const answer = await verify(vector);
  if (!(answer instanceof Response)) throw new Error('The request is accepted.');
  expect(answer.status).toBe(401);
  const { error } = (await answer.json()) as { readonly error: string };
  expect(error).toBe(vector.problem === 'proof' ? 'invalid_dpop_proof' : 'invalid_token');
  const shown = JSON.stringify([...answer.headers]);
  for (const part of vector.authorization.split(/[ .]/))
    if (part.length > 8) expect(shown).not.toContain(part);
});

test('has 60 and more refused requests, each another one', () => {
  expect(invalid.length).toBeGreaterThanOrEqual(60);
  const texts = invalid.map(({ authorization, dpop }) => `${authorization}\n${dpop}`);
  expect(new Set(texts).size).toBe(texts.length);
});

test('jose accepts each unbound token that is valid, by the keys of the vectors', async () => {
  const set = createLocalJWKSet({ keys } as unknown as JSONWebKeySet);
  const options = { audience: resource, issuer: [...issuers], typ: 'at+jwt', clockTolerance: 10 };
  for (const { authorization, dpop } of valid) {
    const [, token = ''] = authorization.split(' ');
    // jose knows no other name of EdDSA for a key whose alg is EdDSA.
    if (dpop !== undefined || atob(token.split('.')[0] ?? '').includes('Ed25519')) continue;
    const { payload } = await jwtVerify(token, set, { ...options, currentDate: new Date(at) });
    expect(payload['client_id']).toBe('did:web:example.com:agents:shopper');
  }
});
