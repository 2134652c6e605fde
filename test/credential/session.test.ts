import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { base64url, type JWTPayload, SignJWT } from 'jose';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { SESSION_SECONDS, sessionTokens } from '../../src/credential/session.ts';
import { cases } from '../support/runs.ts';

fc.configureGlobal({ seed: 20261120 });

const secret = 'Jb0nX2vQ-kR7pT_w9zL4mC6dF1gH8sYa';
const bytes = new TextEncoder().encode(secret);
const START = 1_800_000_000;
const session = { account_id: 'acc_1', session_id: 'ses_1' };
const header = { alg: 'HS256', typ: 'ais-session+jwt' };
const claims = { iss: 'issuer', aud: 'audience', sub: 'acc_1', jti: 'ses_1', iat: START, exp: START + 3_600 };

/** The tokens of a service whose clock stands the given seconds after the start. */
const at = (seconds: number, options: { secret?: string; issuer?: string; audience?: string } = {}) =>
  sessionTokens({
    secret,
    issuer: 'issuer',
    audience: 'audience',
    clock: { now: () => (START + seconds) * 1_000 },
    ...options,
  });

/** A token with a right signature over any header and payload, as no honest library would make it. */
function sign(head: unknown, payload: unknown): string {
  const signed = `${base64url.encode(JSON.stringify(head))}.${base64url.encode(JSON.stringify(payload))}`;
  return `${signed}.${createHmac('sha256', bytes).update(signed).digest('base64url')}`;
}

test('a token reads back as whose session it was issued for', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ minLength: 1 }),
      fc.string({ minLength: 1 }),
      async (account_id, session_id) => {
        const token = await at(0).issue({ account_id, session_id });
        expect(await at(0).read(token)).toEqual({ account_id, session_id });
      },
    ),
    {
      examples: [
        ['a', 'b'],
        ['acc_12', 'ses_1'],
        ['acc_1', 'ses_123'],
      ],
    },
  );
});

test('a token holds exactly the claims of the contract', async () => {
  const [head = '', payload = ''] = (await at(0).issue(session)).split('.');
  expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual(header);
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual(claims);
  expect(SESSION_SECONDS).toBe(3_600);
});

test.each([
  [-6, false],
  [-5, true],
  [0, true],
  [3_600, true],
  [3_604, true],
  [3_605, false],
  [10_000, false],
])('read %i seconds after it was issued: %j', async (seconds, valid) => {
  const token = await at(0).issue(session);
  expect(await at(seconds).read(token)).toEqual(valid ? session : undefined);
});

test('another secret, issuer or audience is refused', async () => {
  const token = await at(0).issue(session);
  expect(await at(0, { secret: `${secret}!` }).read(token)).toBeUndefined();
  expect(await at(0, { issuer: 'other' }).read(token)).toBeUndefined();
  expect(await at(0, { audience: 'other' }).read(token)).toBeUndefined();
});

test('a token of the previous secret is read while that is given, and none is issued with it', async () => {
  const before = 'the secret that was in use before it was changed';
  const options = { issuer: 'issuer', audience: 'audience', clock: { now: () => START * 1_000 } };
  const both = sessionTokens({ secret, previousSecrets: [before], ...options });
  const old = await at(0, { secret: before }).issue(session);
  expect(await both.read(old)).toEqual(session);
  expect(await at(0).read(old)).toBeUndefined();
  expect(await at(0).read(await both.issue(session))).toEqual(session);
});

test('a token has 4,096 characters at most', async () => {
  const of = (length: number) => sign(header, { ...claims, sub: 'a'.repeat(length) });
  const most =
    Array.from({ length: 3_000 }, (_, length) => length).findLast((n) => of(n).length <= 4_096) ?? 0;
  expect(of(most)).toHaveLength(4_096);
  expect(await at(0).read(of(most))).toEqual({ ...session, account_id: 'a'.repeat(most) });
  expect(await at(0).read(of(most + 3))).toBeUndefined();
});

describe('the keys', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('cannot be exported', async () => {
    const importKey = vi.spyOn(globalThis.crypto.subtle, 'importKey');
    await at(0).issue(session);
    expect(importKey.mock.calls.map((call) => call[3])).toEqual([false]);
  });

  test('that cannot be loaded once are loaded with the next token', async () => {
    const tokens = at(0);
    vi.spyOn(globalThis.crypto.subtle, 'importKey').mockRejectedValueOnce(new Error('too many open files'));
    await expect(tokens.issue(session)).rejects.toThrow('too many open files');
    expect(await tokens.read(await tokens.issue(session))).toEqual(session);
  });

  test('that cannot verify are an error, not a refused token', async () => {
    const token = await at(0).issue(session);
    const { subtle } = globalThis.crypto;
    const key = await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    vi.spyOn(subtle, 'importKey').mockResolvedValueOnce(key);
    await expect(at(0).read(token)).rejects.toThrow(TypeError);
  });
});

test('any changed character is refused', async () => {
  const token = await at(0).issue(session);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(token.length - 1),
      fc.string({ unit: 'binary-ascii', maxLength: 2 }),
      async (index, other) => {
        const changed = token.slice(0, index) + other + token.slice(index + 1);
        fc.pre(changed !== token);
        expect(await at(0).read(changed)).toBeUndefined();
      },
    ),
    { numRuns: cases(500) },
  );
});

test('any other text is refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (text) => {
      expect(await at(0).read(text)).toBeUndefined();
    }),
  );
  for (const text of [
    '',
    '.',
    '..',
    'a.b.c',
    'AAAA.AAAA.AAAA',
    'A'.repeat(100_000),
    `${'A'.repeat(99_999)}.A.A`,
  ]) {
    expect(await at(0).read(text)).toBeUndefined();
  }
});

test('the same bytes in another spelling are refused', async () => {
  const token = await at(0).issue(session);
  const [head = '', payload = '', signature = ''] = token.split('.');
  // 43 characters have 2 bits more than 32 bytes: three other last characters decode to the same signature.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(signature.slice(-1));
  const twin = signature.slice(0, -1) + alphabet.charAt(last + 1);
  expect(Buffer.from(twin, 'base64url')).toEqual(Buffer.from(signature, 'base64url'));
  for (const other of [
    `${head}.${payload}.${twin}`,
    `${token}=`,
    `${token} `,
    `${token}\n`,
    ` ${token}`,
    `${head}=.${payload}.${signature}`,
    `${head}.${payload}\n.${signature}`,
    `${token}.`,
    `${head}.${payload}.`,
    `${head}..${signature}`,
    token.replaceAll('-', '+').replaceAll('_', '/') === token
      ? ''
      : token.replaceAll('-', '+').replaceAll('_', '/'),
  ]) {
    expect(await at(0).read(other)).toBeUndefined();
  }
});

describe('a right signature does not excuse', () => {
  test('nothing: the plain header and claims are accepted', async () => {
    expect(await at(0).read(sign(header, claims))).toEqual(session);
  });

  test.each([
    [{ alg: 'none', typ: header.typ }],
    [{ alg: 'HS512', typ: header.typ }],
    [{ alg: 'HS384', typ: header.typ }],
    [{ alg: 'RS256', typ: header.typ }],
    [{ alg: 'hs256', typ: header.typ }],
    [{ typ: header.typ }],
    [{ alg: 'HS256' }],
    [{ alg: 'HS256', typ: 'JWT' }],
    [{ alg: 'HS256', typ: 'AIS-session+jwt' }],
    [{ alg: 'HS256', typ: 'application/ais-session+jwt' }],
    [{ alg: 'HS256', typ: 1 }],
    [{ ...header, crit: ['exp'], exp: 1 }],
    [{ ...header, crit: [] }],
    [{ ...header, crit: ['b64'], b64: true }],
    [{ ...header, crit: ['b64'], b64: false }],
    [[]],
    [null],
  ])('the header %j', async (head) => {
    expect(await at(0).read(sign(head, claims))).toBeUndefined();
  });

  test.each(['iss', 'aud', 'sub', 'jti', 'iat', 'exp'])('a missing %s', async (name) => {
    const { [name]: _, ...rest } = claims as Record<string, unknown>;
    expect(await at(0).read(sign(header, rest))).toBeUndefined();
  });

  test.each([
    { iss: ['issuer'] },
    { aud: ['audience'] },
    { aud: ['audience', 'other'] },
    { sub: '' },
    { sub: 1 },
    { sub: null },
    { jti: '' },
    { jti: ['ses_1'] },
    { iat: `${START}` },
    { iat: START + 0.5 },
    { iat: START + 6, exp: START + 3_000 },
    { exp: `${START + 3_600}` },
    { exp: START + 3_601 },
    { exp: START + 0.5 },
    { exp: 1e300 },
    { iat: START + 2, exp: START + 1 },
    { iat: START, exp: START },
    { iat: null },
    { nbf: START + 6 },
    { nbf: 'now' },
  ])('the claims %j', async (changed) => {
    expect(await at(0).read(sign(header, { ...claims, ...changed }))).toBeUndefined();
  });

  test.each([[null], [[]], ['text'], [1]])('the payload %j', async (payload) => {
    expect(await at(0).read(sign(header, payload))).toBeUndefined();
  });

  test('a token of the same secret for another use', async () => {
    const token = await new SignJWT(claims as JWTPayload)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(bytes);
    expect(await at(0).read(token)).toBeUndefined();
  });
});
