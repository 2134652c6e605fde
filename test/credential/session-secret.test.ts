import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sessionTokens } from '../../src/credential/session.ts';
import { sessionKeyBytes } from '../../src/credential/session-secret.ts';
import { IdentityError } from '../../src/errors.ts';

fc.configureGlobal({ seed: 20261120 });

function problem(secret: string): IdentityError | undefined {
  try {
    sessionKeyBytes(secret);
    return undefined;
  } catch (error) {
    if (error instanceof IdentityError) return error;
    throw error;
  }
}

test('32 random bytes are a fit secret in any usual spelling, and are taken as given', () => {
  for (let run = 0; run < 1_000; run++) {
    const bytes = randomBytes(32);
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      const secret = bytes.toString(encoding);
      expect(Buffer.from(sessionKeyBytes(secret)).toString()).toBe(secret);
    }
  }
});

test('the length counts in bytes of UTF-8, without trimming', () => {
  const unique = 'Jb0nX2vQ-kR7pT_w9zL4mC6dF1gH8sY';
  expect(unique).toHaveLength(31);
  expect(problem(unique)?.message).toContain('fewer than 32 bytes');
  expect(sessionKeyBytes(`${unique} `)).toHaveLength(32);
  expect(sessionKeyBytes('äöüßéèêëàâîïôûçñ')).toHaveLength(32);
});

describe('a guessable secret is refused', () => {
  test.each([
    'your-256-bit-secret-your-256-bit-secret',
    'a-string-secret-at-least-256-bits-long',
    'a-valid-string-secret-that-is-at-least-512-bits-long-which-is-very-long',
    'changeme'.repeat(4),
    'CHANGE_ME_CHANGE_ME_CHANGE_ME_1234',
    'change-this-in-production-please-0',
    'please-change-this-secret-key-32-chars',
    'secret'.repeat(6),
    'supersecretsupersecretsupersecret1',
    'super-secret-jwt-token-with-at-least-32-characters-long',
    'my-secret-key-for-signing-tokens-42',
    'replace-with-a-long-random-string-please',
    '0123456789abcdef0123456789abcdef',
    '0123456789ABCDEFGHIJKLMNOPQRSTUV',
    '12345678901234567890123456789012',
    'abcdefghijklmnopqrstuvwxyz012345',
    'qwertyuiopasdfghjklzxcvbnm123456',
    'correct horse battery staple, twice',
    'x'.repeat(32),
    '\u0000'.repeat(32),
    'ab'.repeat(16),
    'abc'.repeat(11),
    'k3yk3yk3yk3yk3yk3yk3yk3yk3yk3yk3',
    'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
  ])('%s', (secret) => {
    expect(problem(secret)?.code).toBe('invalid_configuration');
    expect(problem(secret)?.message).not.toContain(secret);
  });
});

describe('a secret with what examples are made of is refused:', () => {
  test.each([
    'Your-256-bit-secret',
    'your_384_bit_secret',
    'your 512 bit secret',
    'a-string-secret-at-least',
    'a-valid-string-secret',
    'yourSecret',
    'your-jwt-secret',
    'your.super.secret',
    'SuperSecret',
    'top-secret',
    'my-secret-key',
    'my_jwt_secret',
    'this-is-a-secret',
    'this_is_my_secret',
    'secret-secret',
    'password_password',
    'Change-Me',
    'change_this',
    'please-change',
    'replace-me',
    'replaceThis',
    'replace-with',
    'place-holder',
    'insecure-secret',
    'keyboard cat',
    'correct horse battery staple',
    '01234567-89abcdef',
    '1234-5678-9012-3456',
    'abcd-efgh-ijkl-mnop',
    'QWERTYuiop',
    'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ',
  ])('%s', (piece) => {
    for (const secret of [
      `${piece}Jb0nX2vQ-kR7pT_w9zL4mC6dF1gH8sYa`,
      `Jb0nX2vQ-kR7pT_w9zL4m${piece}C6dF1gH8sYa`,
    ]) {
      expect(problem(secret)?.message).toBe(
        'The session secret is known from examples. Generate one, for example by: openssl rand -base64 48',
      );
    }
  });
});

test('a piece of at most 16 units is a repetition from its second time on', () => {
  const piece = 'Jb0nX2vQ-kR7pT_w';
  expect(problem(piece + piece)?.message).toContain('repeats one short piece');
  expect(problem(`${piece}${piece}Jb0n`)?.message).toContain('repeats one short piece');
  expect(problem('a'.repeat(40))?.message).toContain('repeats one short piece');
  expect(problem(`${piece}9${piece}9`)).toBeUndefined();
  expect(problem(`${piece}${piece}9`)).toBeUndefined();
});

test('any repetition of a piece of at most 16 units is refused', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 16 }), fc.nat(15), (piece, tail) => {
      const secret = piece.repeat(40) + piece.slice(0, tail);
      expect(problem(secret)?.code).toBe('invalid_configuration');
    }),
  );
});

test('a lone surrogate is refused', () => {
  expect(problem('Jb0nX2vQ-kR7pT_w9zL4mC6dF1gH8sYa\ud800')?.message).toContain('Unicode');
});

test('tokens are not even set up with an unfit secret', () => {
  const clock = { now: () => 0 };
  const options = { secret: 'short', issuer: 'a', audience: 'b', clock };
  expect(() => sessionTokens(options)).toThrow(IdentityError);
});
