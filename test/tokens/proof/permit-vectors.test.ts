import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyOptions, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { createPermitVerifier } from '../../../src/tokens/proof/index.ts';
import { readPage } from '../../readme/pages.ts';
import { PERMITS, type PermitVector, resourceOptions } from './permits.ts';

/** Asks the resource of a vector; `asked` are the uses that it has noted. */
function use({ token, deed = PERMITS.deed, environment = 'live', confirmed, used = false }: PermitVector) {
  const asked: unknown[] = [];
  const verifyPermit = createPermitVerifier(
    resourceOptions({
      environment,
      once: (...given) => asked.push(given) === 1 && !used,
      ...(confirmed !== undefined && { confirm: () => confirmed }),
    }),
  );
  return { asked, answer: verifyPermit(token, deed) };
}

describe('the published vectors', () => {
  test.each(PERMITS.valid)('valid: $name', async (vector) => {
    const { answer, asked } = use(vector);
    const permit = await answer;
    expect(permit).toMatchObject({
      decision_id: 'dec_5nWq8ZrT2yLkXc0BvH0000s4Ge',
      agent_id: 'did:web:example.com:agents:shopper',
      issuer: 'did:web:example.com',
      action: 'payments.create',
      passport_version: 3,
    });
    expect(asked).toEqual([[permit.decision_id, Date.parse(permit.expires_at) + 5_000, expect.any(Number)]]);
  });

  test.each(PERMITS.invalid)('$problem: $name', async (vector) => {
    const { answer, asked } = use(vector);
    const error = await answer.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'invalid_token', details: { problem: vector.problem } });
    // Nothing that fails elsewhere burns a permit.
    expect(asked).toHaveLength(vector.problem === 'used' ? 1 : 0);
    const { message = '' } = error as Error;
    for (const part of vector.token.split('.')) if (part.length > 8) expect(message).not.toContain(part);
  });

  test('have 80 and more that are refused, by every problem, each with another token, action or resource', () => {
    expect(PERMITS.invalid.length).toBeGreaterThanOrEqual(80);
    expect(new Set(PERMITS.invalid.map(({ problem }) => problem)).size).toBe(12);
    const texts = PERMITS.invalid.map(({ name: _, problem: __, ...vector }) => JSON.stringify(vector));
    expect(new Set(texts).size).toBe(texts.length);
  });
});

/** The function of a resource that has jose alone, as the README shows it. */
const ALONE = /^async function demand\([\s\S]*?^\}$/m.exec(readPage('src/tokens/proof/README.md'))?.[0] ?? '';

describe('jose alone', () => {
  const keys = createLocalJWKSet({ keys: PERMITS.keys } as JSONWebKeySet);
  /** At the instant of the vectors. */
  const verifyThen: typeof jwtVerify = (jwt: string | Uint8Array, _: unknown, options?: JWTVerifyOptions) =>
    jwtVerify(jwt, keys, { ...options, currentDate: new Date(PERMITS.at) });

  /** Demands the permit of a vector by the text of the README. */
  async function permits({ token, deed = PERMITS.deed, environment = 'live', used }: PermitVector) {
    if (environment !== 'live') return undefined;
    const uses = { has: () => used === true, add: () => undefined };
    const demand = new Function('jwtVerify', 'keys', 'used', `return ${ALONE}`)(verifyThen, keys, uses);
    await demand(token, deed);
    return true;
  }

  test('is a dozen lines', () => {
    expect(ALONE.split('\n').length).toBeLessThanOrEqual(12);
  });

  test('accepts what is spelled as the permit spells it', async () => {
    const usual = PERMITS.valid.filter(
      ({ deed, environment, confirmed, name }) =>
        deed === undefined &&
        environment === undefined &&
        confirmed === undefined &&
        !/DID URL|RFC 9864/.test(name),
    );
    expect(usual.length).toBeGreaterThan(6);
    for (const vector of usual) {
      // It compares with the usual action, which one vector does not have.
      expect([vector.name, await permits(vector)]).toEqual([vector.name, true]);
    }
  });

  /** The faults that it cannot see: the form of members that it does not read, and further members of an action. */
  const UNSEEN: readonly string[] = [
    'padding',
    'more than 4,096 characters',
    'a key in the header',
    'a URL of keys in the header',
    'alg twice in the header',
    'kid twice in the header',
    'typ twice in the header',
    'iss twice',
    'sub twice',
    'aud twice',
    'iat twice',
    'exp twice',
    'jti twice',
    'permit twice',
    'a member of the permit twice',
    'typ Agent-Permit+JWT',
    'no kid',
    'no sub',
    'sub 7',
    'jti 7',
    'iat that is not whole',
    'an agent of another domain',
    'aud in a list',
    '61 s',
    'nbf',
    'a jti of another form',
    'log 7',
    'log without a root',
    'a permit without environment',
    'a permit without digest',
    'a permit without passport_version',
    'a member of the permit that is not known',
    'a member of the permit that objects inherit',
    'an unknown environment',
    'a digest in base64',
    'a digest in capitals',
    'version 0',
    'versions above that are text',
    'a version above that is 1.5',
    'a member more',
    'a deed and an intent',
    'a permit that says test and no such audience',
  ];

  test('refuses the same but what it cannot see', async () => {
    const accepted: string[] = [];
    for (const vector of PERMITS.invalid) {
      const isPermitted = await permits(vector).catch(() => false);
      if (isPermitted === true) accepted.push(vector.name);
    }
    expect(accepted).toEqual(UNSEEN);
  });
});
