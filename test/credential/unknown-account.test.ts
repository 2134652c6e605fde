import { describe, expect, test } from 'vitest';
import { passwordHasher } from '../../src/credential/password.ts';
import { hashing, type ScryptCost } from '../../src/platform/index.ts';

const CHEAP = { ln: 4, r: 8, p: 1 };

describe('an unknown account', () => {
  test('is hashed with a salt and a key of zeros, of the same lengths', async () => {
    const salts: string[] = [];
    const hasher = passwordHasher({
      cost: CHEAP,
      scrypt: async (_bytes, salt, { dkLen }) => {
        salts.push(Buffer.from(salt).toString('hex'));
        return new Uint8Array(dkLen).fill(1);
      },
    });
    expect(await hasher.verifyNothing('correct horse battery')).toBe(false);
    expect(salts).toEqual(['00'.repeat(16)]);
  });

  test('costs the same work as a known one, whatever the password', async () => {
    const calls: (ScryptCost & { salt: number })[] = [];
    const hasher = passwordHasher({
      cost: CHEAP,
      scrypt: (bytes, salt, cost) => {
        calls.push({ ...cost, salt: salt.length });
        return hashing.scrypt(bytes, salt, cost);
      },
    });
    const hash = await hasher.hash('correct horse battery');
    for (const text of ['', 'x', 'correct horse battery', 'a'.repeat(65_536), '\ud800']) {
      calls.length = 0;
      await hasher.verify(text, hash);
      expect(await hasher.verifyNothing(text)).toBe(false);
      expect(calls).toEqual([
        { N: 16, r: 8, p: 1, dkLen: 32, salt: 16 },
        { N: 16, r: 8, p: 1, dkLen: 32, salt: 16 },
      ]);
    }
  });
});
