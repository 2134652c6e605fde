import { scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { passwordHasher } from '../../src/credential/password.ts';

test('is scrypt of the contract cost over a fresh salt of 16 bytes, and verifies', async () => {
  const { hash, verify } = passwordHasher();
  const text = await hash('correct horse battery');
  expect(text).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  const [, , , salt = '', key = ''] = text.split('$');
  const options = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };
  const expected = scryptSync('correct horse battery', Buffer.from(salt, 'base64'), 32, options);
  expect(Buffer.from(key, 'base64')).toEqual(expected);
  expect(await verify('correct horse battery', text)).toBe(true);
  expect(await verify('correct horse batter', text)).toBe(false);
});
