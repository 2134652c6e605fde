import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { verifyPassport } from '../../../src/tokens/proof/index.ts';

interface Vector {
  readonly name: string;
  readonly token: string;
  readonly problem?: string;
  readonly status_list?: string | null;
}

interface Vectors {
  readonly at: string;
  readonly issuers: readonly string[];
  readonly keys: readonly object[];
  readonly status_uri: string;
  readonly status_list: string;
  readonly valid: readonly Vector[];
  readonly invalid: readonly Vector[];
}

const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../../../src/tokens/proof/vectors/passports.json', import.meta.url), 'utf8'),
);
const { at, issuers, keys, status_uri } = vectors;

function verify({ token, status_list = vectors.status_list }: Vector) {
  const fetch: typeof globalThis.fetch = async (input) => {
    expect(String(input)).toBe(status_uri);
    return status_list === null ? new Response('', { status: 404 }) : new Response(status_list);
  };
  return verifyPassport(token, { issuers, keys, at, fetch });
}

describe('the published vectors', () => {
  test.each(vectors.valid)('valid: $name', async (vector) => {
    expect(await verify(vector)).toMatchObject({
      agent_id: 'did:web:example.com:agents:shopper',
      issuer: 'did:web:example.com',
      status: 'active',
      version: 3,
      monetary_limit_per_txn: 100.5,
    });
  });

  test.each(vectors.invalid)('$problem: $name', async (vector) => {
    const error = await verify(vector).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'invalid_token', details: { problem: vector.problem } });
    const { message = '' } = error as Error;
    for (const part of vector.token.split('.')) if (part.length > 8) expect(message).not.toContain(part);
  });

  test('have 40 and more that are refused, by every problem, each another token and list', () => {
    expect(vectors.invalid.length).toBeGreaterThanOrEqual(40);
    expect(new Set(vectors.invalid.map(({ problem }) => problem)).size).toBe(11);
    const texts = vectors.invalid.map(({ token, status_list }) => `${token} ${status_list}`);
    expect(new Set(texts).size).toBe(texts.length);
  });
});
