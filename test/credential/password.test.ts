import { scryptSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatPasswordHash,
  normalizePassword,
  parsePasswordHash,
  passwordErrors,
  passwordHasher,
} from '../../src/credential/password.ts';
import type { ScryptCost } from '../../src/platform/index.ts';

fc.configureGlobal({ seed: 20261120 });

const CHEAP = { ln: 4, r: 8, p: 1 };
const cheap = passwordHasher({ cost: CHEAP });
const password = fc.string({ unit: 'grapheme', minLength: 12, maxLength: 20 });
const codes = (text: string): string[] => passwordErrors(text).map(({ code }) => code);

describe('a hash', () => {
  test('is of the contract cost over a fresh salt of 16 bytes', async () => {
    const costs: ScryptCost[] = [];
    const { hash } = passwordHasher({
      scrypt: async (_bytes, _salt, cost) => {
        costs.push(cost);
        return new Uint8Array(cost.dkLen);
      },
    });
    const text = await hash('correct horse battery');
    expect(text).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[A-Za-z0-9+/]{22}\$A{43}$/);
    expect(costs).toEqual([{ N: 2 ** 17, r: 8, p: 1, dkLen: 32 }]);
  });

  test('is that of scrypt, and verifies', async () => {
    const text = await cheap.hash('correct horse battery');
    const [, , , salt = '', key = ''] = text.split('$');
    const options = { N: 2 ** 4, r: 8, p: 1 };
    const expected = scryptSync('correct horse battery', Buffer.from(salt, 'base64'), 32, options);
    expect(Buffer.from(key, 'base64')).toEqual(expected);
    expect(await cheap.verify('correct horse battery', text)).toBe(true);
    expect(await cheap.verify('correct horse batter', text)).toBe(false);
  });

  test('verifies the password it was made of and no other', async () => {
    await fc.assert(
      fc.asyncProperty(password, password, async (right, wrong) => {
        fc.pre(codes(right).length === 0 && right.normalize('NFC') !== wrong.normalize('NFC'));
        const hash = await cheap.hash(right);
        expect(await cheap.verify(right, hash)).toBe(true);
        expect(await cheap.verify(right.normalize('NFD'), hash)).toBe(true);
        expect(await cheap.verify(wrong, hash)).toBe(false);
        expect(await cheap.verify(`${right} `, hash)).toBe(false);
      }),
    );
  });

  test('of one password is another each time', async () => {
    expect(await cheap.hash('correct horse battery')).not.toBe(await cheap.hash('correct horse battery'));
  });

  test('verifies with its own parameters, whatever the present ones are', async () => {
    const old = await passwordHasher({ cost: { ln: 5, r: 4, p: 2 } }).hash('correct horse battery');
    expect(old).toContain('$ln=5,r=4,p=2$');
    expect(await cheap.verify('correct horse battery', old)).toBe(true);
  });

  test('is not verified by a lone surrogate in place of U+FFFD', async () => {
    const hash = await cheap.hash('replacement \ufffd');
    expect(await cheap.verify('replacement \ufffd', hash)).toBe(true);
    expect(await cheap.verify('replacement \ud800', hash)).toBe(false);
  });
});

describe('a stored text', () => {
  const bytes = (minLength: number) => fc.uint8Array({ minLength, maxLength: 64 });

  test('is parsed back into what it was formatted from', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 15 }), bytes(9), bytes(17), (ln, salt, key) => {
        const hash = { ln, r: 8, p: 1, salt, key };
        expect(parsePasswordHash(formatPasswordHash(hash))).toEqual(hash);
      }),
    );
  });

  test.each([
    [{ ln: 1, r: 1, p: 1 }, 9, 17],
    [{ ln: 15, r: 1, p: 1 }, 16, 32],
    [{ ln: 20, r: 8, p: 16 }, 16, 32],
    [{ ln: 10, r: 32, p: 1 }, 64, 64],
  ])('may have the cost %j, with a salt of %i bytes and a key of %i', (cost, salt, key) => {
    const hash = { ...cost, salt: new Uint8Array(salt).fill(255), key: new Uint8Array(key).fill(1) };
    expect(parsePasswordHash(formatPasswordHash(hash))).toEqual(hash);
  });

  const salt = 'A'.repeat(22);
  const key = 'A'.repeat(43);
  test.each([
    '',
    'correct horse battery',
    `$scrypt$ln=17,r=8,p=1$${salt}`,
    `$scrypt$ln=17,r=8,p=1$${salt}$`,
    `$scrypt$ln=17,r=8,p=1$$${key}`,
    `$scrypt$ln=17,r=8,p=1$${salt}$${key}\n`,
    ` $scrypt$ln=17,r=8,p=1$${salt}$${key}`,
    `$scrypt$ln=17,r=8,p=1$${salt}$${key}=`,
    `$scrypt$ln=17,r=8,p=1$${salt}$${key.slice(1)}B`,
    `$scrypt$ln=17,r=8,p=1$${salt}AAA$${key}`,
    `$scrypt$ln=17,r=8,p=1$${salt}$-${key.slice(1)}`,
    `$scrypt$ln=0,r=8,p=1$${salt}$${key}`,
    `$scrypt$ln=017,r=8,p=1$${salt}$${key}`,
    `$scrypt$ln=21,r=8,p=1$${salt}$${key}`,
    `$scrypt$ln=21,r=2,p=1$${salt}$${key}`,
    `$scrypt$ln=4,r=33,p=1$${salt}$${key}`,
    `$scrypt$ln=4,r=8,p=17$${salt}$${key}`,
    `$scrypt$ln=20,r=32,p=1$${salt}$${key}`,
    `$scrypt$ln=20,r=9,p=1$${salt}$${key}`,
    `$scrypt$ln=4,r=0,p=1$${salt}$${key}`,
    `$scrypt$ln=4,r=8,p=0$${salt}$${key}`,
    `$scrypt$ln=4,r=008,p=1$${salt}$${key}`,
    `$scrypt$ln=4,r=8,p=001$${salt}$${key}`,
    `$scrypt$ln=a,r=8,p=1$${salt}$${key}`,
    `$scrypt$ln=4,r=8,p=1$${'A'.repeat(10)}$${key}`,
    `$scrypt$ln=4,r=8,p=1$${'A'.repeat(87)}$${key}`,
    `$scrypt$ln=4,r=8,p=1$${salt}$${'A'.repeat(21)}`,
    `$scrypt$ln=4,r=8,p=1$${salt}$${'A'.repeat(87)}`,
    `$scrypt$ln=4,r=8,p=1$${'A'.repeat(13)}$${key}`,
    `$scrypt$ln=16,r=1,p=1$${salt}$${key}`,
    `$scrypt$ln=4,r=8$${salt}$${key}`,
    `$argon2id$ln=4,r=8,p=1$${salt}$${key}`,
  ])('%j verifies nothing', async (text) => {
    expect(parsePasswordHash(text)).toBeUndefined();
    expect(await cheap.verify('correct horse battery', text)).toBe(false);
  });
});

describe('a new password', () => {
  test.each([
    ['', ['too_short']],
    ['a'.repeat(11), ['too_short']],
    ['a'.repeat(12), []],
    ['a'.repeat(128), []],
    ['a'.repeat(129), ['too_long']],
    ['\u{1f600}'.repeat(6), []],
    ['\u{1f600}'.repeat(65), ['too_long']],
    // Six letters with a separate accent are six characters.
    ['e\u0301'.repeat(6), ['too_short']],
    ['e\u0301'.repeat(128), []],
    [`\ud800${'a'.repeat(12)}`, ['not_unicode']],
    [`${'a'.repeat(12)}\udc00`, ['not_unicode']],
    [' '.repeat(12), []],
  ])('%j has the errors %j', (text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  test('of a whole body is too long', () => {
    expect(codes('a'.repeat(65_536))).toEqual(['too_long']);
  });

  test('is told how long it must be', () => {
    expect(passwordErrors('short')).toEqual([
      { path: '/password', code: 'too_short', message: expect.stringContaining('12 characters') },
    ]);
    expect(passwordErrors('a'.repeat(129))).toEqual([
      { path: '/password', code: 'too_long', message: expect.stringContaining('128 characters') },
    ]);
    expect(passwordErrors(`\ud800${'a'.repeat(12)}`)).toEqual([
      { path: '/password', code: 'not_unicode', message: expect.stringContaining('well-formed Unicode') },
    ]);
  });

  test('is evaluated alike in every normal form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 140 }), (text) => {
        expect(codes(text.normalize('NFD'))).toEqual(codes(text.normalize('NFC')));
      }),
    );
  });

  test('is named by the path it came from', () => {
    expect(passwordErrors('short')[0]?.path).toBe('/password');
    expect(passwordErrors('short', '/new_password')[0]?.path).toBe('/new_password');
  });

  test('that breaks the rule is never hashed', async () => {
    await expect(cheap.hash('short')).rejects.toMatchObject({
      code: 'invalid_request',
      details: { errors: [{ path: '/password', code: 'too_short' }] },
    });
  });

  test('of absurd length is not normalised, which would take long', () => {
    const absurd = `e${'\u0301\u0316'.repeat(30_000)}`;
    expect(normalizePassword(absurd)).toBe(absurd);
    expect(normalizePassword('e\u0301'.repeat(512))).toBe('\u00e9'.repeat(512));
    const longer = `a${'e\u0301'.repeat(512)}`;
    expect(normalizePassword(longer)).toBe(longer);
    expect(normalizePassword('e\u0301')).toBe('\u00e9');
  });
});
