import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountIdOf, emailErrors, normalizeEmail } from '../../src/credential/email.ts';
import { digestText } from '../../src/credential/random-id.ts';
import { cases } from '../support/runs.ts';

fc.configureGlobal({ seed: 20261120 });

const invalid = [
  {
    path: '/email',
    code: 'invalid_email',
    message: 'This must be an e-mail address such as ann@example.com.',
  },
];

test('normalising twice is normalising once, and validity does not depend on the spelling', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (local, domain) => {
      const email = normalizeEmail(`${local}@${domain}`);
      expect(normalizeEmail(email)).toBe(email);
      expect(emailErrors(email)).toEqual(emailErrors(`${local}@${domain}`));
    }),
    { numRuns: cases(1_000) },
  );
});

test.each([
  ['Admin@LocalHost', 'admin@localhost'],
  ['jose\u0301@example.com', 'jos\u00e9@example.com'],
  ['JOSE\u0301@EXAMPLE.COM', 'jos\u00e9@example.com'],
  ['a@b', 'a@b'],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  [`a@${'b'.repeat(252)}`, `a@${'b'.repeat(252)}`],
  ["o'brien+tag@example.com", "o'brien+tag@example.com"],
  ['用户@例え.jp', '用户@例え.jp'],
])('%s is an address, known as %s', (text, email) => {
  expect(emailErrors(text)).toEqual([]);
  expect(normalizeEmail(text)).toBe(email);
});

test.each([
  '',
  '@',
  'a',
  'a@',
  '@b',
  'a@@b',
  'a@b@c',
  ' a@b',
  'a@b ',
  'a b@c',
  'a\u00a0b@c',
  'a\n@b',
  'a@b\u0000',
  'a\u200b@b',
  'a\u202e@b',
  'a\ud800@b',
  `${'a'.repeat(65)}@example.com`,
  `a@${'b'.repeat(253)}`,
])('%j is not an e-mail', (text) => {
  expect(emailErrors(text)).toEqual(invalid);
});

// Not by their texts: with so long a name for a test no mutant of the e-mail can be tried.
test('a text of tens of thousands of characters is not an e-mail', () => {
  expect(emailErrors('a'.repeat(65_536))).toEqual(invalid);
  expect(emailErrors('\u0301\u0316'.repeat(30_000))).toEqual(invalid);
});

test('a text longer than any address is left as it is', () => {
  expect(normalizeEmail('A'.repeat(2_048))).toBe('a'.repeat(2_048));
  expect(normalizeEmail('A'.repeat(2_049))).toBe('A'.repeat(2_049));
});

test('a spelling is composed again after its capitals are gone', () => {
  // The small letter of U+0130 is `i` and a dot above, which composes with nothing; U+212A is the sign of kelvin.
  expect(normalizeEmail('\u212a@b')).toBe('k@b');
  expect(normalizeEmail('\u0130@b')).toBe('i\u0307@b');
  expect(normalizeEmail('\u0130\u0328@b')).toBe('\u012f\u0307@b');
});

test('the path is the one of the field', () => {
  expect(emailErrors('', '/new_email')[0]?.path).toBe('/new_email');
});

test('an account id depends on the e-mail only', () => {
  expect(accountIdOf('admin@localhost')).toBe(accountIdOf('admin@localhost'));
  expect(accountIdOf('admin@localhost')).toMatch(/^acc_[0-9A-Za-z]{22}$/);
  const digest = createHash('sha256').update('admin@localhost').digest('hex');
  expect(accountIdOf('admin@localhost')).toBe(`acc_${digestText(digest)}`);
  expect(accountIdOf('admin@localhost')).not.toBe(accountIdOf('admin@localhosts'));
});
