import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { base62 } from '../../src/base/bytes/base62.ts';
import { crc32OfText } from '../../src/base/bytes/crc32.ts';
import {
  apiKeyDigest,
  apiKeyId,
  createApiKey,
  readApiKey,
  shownStart,
} from '../../src/credential/api-key.ts';
import { secureRandom } from '../../src/platform/index.ts';
import { cases } from '../support/runs.ts';

fc.configureGlobal({ seed: 20261120 });

const environment = fc.constantFrom('live', 'test');
const digits = fc.string({
  unit: fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'),
  minLength: 43,
  maxLength: 43,
});

test.each([
  ['', 0],
  ['123456789', 0xcbf43926],
  ['The quick brown fox jumps over the lazy dog', 0x414fa339],
])('CRC-32 of %j is the known one', (text, crc) => {
  expect(crc32OfText(text)).toBe(crc);
  expect(crc32OfText(`${text}, and more`, text.length)).toBe(crc);
});

test('a created key reads back as what it was created as', () => {
  fc.assert(
    fc.property(environment, (kind) => {
      const { key, start, id, digest } = createApiKey(kind, secureRandom);
      expect(key).toMatch(/^ais_(live|test)_[0-9A-Za-z]{49}$/);
      expect(start).toBe(key.slice(0, 13));
      expect(readApiKey(key)).toEqual({ environment: kind, digest });
      expect(digest).toBe(createHash('sha256').update(key).digest('hex'));
      expect(id).toBe(apiKeyId(digest));
      expect(id).toMatch(/^key_[0-9A-Za-z]{22}$/);
      expect(apiKeyDigest(key)).toBe(digest);
    }),
    { examples: [['live'], ['test']] },
  );
});

test('a key made elsewhere by the same rules is read', () => {
  fc.assert(
    fc.property(environment, digits, (kind, secret) => {
      const checked = `ais_${kind}_${secret}`;
      expect(readApiKey(checked + base62(crc32OfText(checked), 6))?.environment).toBe(kind);
    }),
    {
      examples: [
        ['live', '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg'],
        ['test', 'hijklmnopqrstuvwxyz000000000000000000000000'],
      ],
    },
  );
});

test('a text of another length has no digest', () => {
  for (const text of ['', 'a'.repeat(57), 'a'.repeat(59)]) expect(apiKeyDigest(text)).toBeUndefined();
});

test('any other character anywhere is refused', () => {
  const { key } = createApiKey('live', secureRandom);
  const place = fc.nat(key.length - 1);
  fc.assert(
    fc.property(place, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), (index, other) => {
      fc.pre(key[index] !== other);
      expect(readApiKey(key.slice(0, index) + other + key.slice(index + 1))).toBeUndefined();
    }),
    {
      numRuns: cases(2_000),
      examples: [
        [0, 'A'],
        [3, '-'],
        [8, '.'],
        [9, '-'],
        [51, '\u0080'],
        [57, '_'],
      ],
    },
  );
});

test('any other text is refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      expect(readApiKey(text)).toBeUndefined();
    }),
  );
  const { key } = createApiKey('live', secureRandom);
  for (const text of [
    ` ${key}`,
    `${key} `,
    key.slice(1),
    key.slice(0, -1),
    `${key}0`,
    key.toUpperCase(),
    key.replace('live', 'test'),
    key.replace('live', 'LIVE'),
  ]) {
    expect(readApiKey(text)).toBeUndefined();
  }
});

test('a right checksum does not excuse a character outside the alphabet', () => {
  for (const odd of ['-', '_', ' ', 'é', '\u0130', '€']) {
    const checked = `ais_live_${'0'.repeat(42)}${odd}`;
    expect(readApiKey(checked + base62(crc32OfText(checked), 6))).toBeUndefined();
  }
});

test('a checksum beyond 32 bits is refused', () => {
  const checked = `ais_live_${'0'.repeat(43)}`;
  expect(readApiKey(checked + base62(crc32OfText(checked) + 2 ** 32, 6))).toBeUndefined();
});

test('a right checksum does not excuse another prefix, nor another length', () => {
  const withChecksum = (checked: string, padding = '') => checked + padding + base62(crc32OfText(checked), 6);
  const secret = '0'.repeat(43);
  expect(readApiKey(withChecksum(`ais_test_${secret}`))?.environment).toBe('test');
  for (const prefix of ['ais_prod_', 'ais_live-', 'AIS_live_', 'xis_test_']) {
    expect(readApiKey(withChecksum(prefix + secret))).toBeUndefined();
  }
  // The checksum is the same number with a zero before it.
  expect(readApiKey(withChecksum(`ais_live_${secret}`, '0'))).toBeUndefined();
});

test.each([
  ['ais_live_0aZ9', 'ais_live_0aZ9'],
  ['ais_test_0aZ9', 'ais_test_0aZ9'],
  ['ais_test_0000', 'ais_test_0000'],
  ['ais_live_0aZ9 and what must not be shown', 'ais_live_0aZ9'],
  ['ais_live_0aZ', undefined],
  ['ais_live_0a-9', undefined],
  ['ais_live_\u00e9aZ9', undefined],
  ['ais_prod_0aZ9', undefined],
  ['a password', undefined],
  ['', undefined],
  [7, undefined],
  [undefined, undefined],
  [['ais_live_0aZ9'], undefined],
  [{ startsWith: () => true, slice: () => 'ais_live_0aZ9' }, undefined],
])('of %j the start %j may be shown', (text, start) => {
  expect(shownStart(text)).toBe(start);
});
