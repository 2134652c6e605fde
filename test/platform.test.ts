import * as nodeCrypto from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseAsciiText, chooseHashing, equalBytes, hashing, secureRandom } from '../src/platform/index.ts';
import { nativeHashing } from '../src/platform/native.ts';
import { portableHashing } from '../src/platform/portable.ts';

fc.configureGlobal({ seed: 20261120 });

const { createHash, scrypt } = nodeCrypto;
const implementations = [
  ['native', nativeHashing(nodeCrypto)],
  ['native without crypto.hash', nativeHashing({ createHash, scrypt })],
  ['portable', portableHashing],
] as const;

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe.each(implementations)('%s hashing', (_, { sha256, sha256Hex, scrypt: derive }) => {
  test.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
  ])('SHA-256 of %j is that of FIPS 180', (message, digest) => {
    expect(sha256Hex(message)).toBe(digest);
    expect(sha256Hex(text(message))).toBe(digest);
    expect(hex(sha256(message))).toBe(digest);
    expect(sha256(text(message)).constructor).toBe(Uint8Array);
  });

  test.each([
    [
      '',
      '',
      16,
      1,
      1,
      '77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906',
    ],
    [
      'password',
      'NaCl',
      1024,
      8,
      16,
      'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640',
    ],
    [
      'pleaseletmein',
      'SodiumChloride',
      16384,
      8,
      1,
      '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
    ],
  ])('scrypt of %j and %j (N %i, r %i, p %i) is that of RFC 7914', async (password, salt, N, r, p, key) => {
    const derived = await derive(text(password), text(salt), { N, r, p, dkLen: 64 });
    expect(hex(derived)).toBe(key);
    expect(derived.constructor).toBe(Uint8Array);
  });

  test('scrypt rejects a cost that is no power of two', async () => {
    await expect(derive(text('a'), text('b'), { N: 3, r: 1, p: 1, dkLen: 32 })).rejects.toThrow();
  });
});

test('all implementations hash any text and any bytes alike', () => {
  const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 200 }));
  fc.assert(
    fc.property(anything, (data) => {
      for (const [, { sha256, sha256Hex }] of implementations) {
        expect(sha256Hex(data)).toBe(portableHashing.sha256Hex(data));
        expect(hex(sha256(data))).toBe(portableHashing.sha256Hex(data));
      }
    }),
  );
});

test('native scrypt takes undefined for no error, as Bun says it', async () => {
  const bun = nativeHashing({
    createHash,
    scrypt: (password, salt, length, options, done) =>
      scrypt(password, salt, length, options, (error, key) => done(error ?? undefined, key)),
  });
  const cost = { N: 16, r: 1, p: 1, dkLen: 32 };
  const [given, expected] = await Promise.all(
    [bun, portableHashing].map((by) => by.scrypt(text('a'), text('b'), cost)),
  );
  expect(given).toEqual(expected);
  await expect(bun.scrypt(text('a'), text('b'), { ...cost, N: 3 })).rejects.toThrow();
});

test('the native implementation is taken where the runtime has one, else the portable one', () => {
  expect(hashing).not.toBe(portableHashing);
  expect(chooseHashing(globalThis as never)).not.toBe(portableHashing);
  expect(chooseHashing({})).toBe(portableHashing);
  expect(chooseHashing({ process: {} })).toBe(portableHashing);
  expect(chooseHashing({ process: { getBuiltinModule: () => undefined } })).toBe(portableHashing);
});

test('ASCII text has one unit per byte, with and without Buffer', () => {
  const ascii = fc.uint8Array({ max: 0x7f, maxLength: 300 });
  for (const asciiText of [chooseAsciiText(globalThis as never), chooseAsciiText({})]) {
    fc.assert(
      fc.property(ascii, (bytes) => {
        expect(asciiText(bytes)).toBe(String.fromCharCode(...bytes));
      }),
    );
    expect(asciiText(Uint8Array.from({ length: 256 }, (_, byte) => byte))).toHaveLength(256);
    expect(asciiText(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toMatch(/^...a$/);
    expect(asciiText(new Uint8Array([1, 97, 98, 2]).subarray(1, 3))).toBe('ab');
  }
});

test('bytes are equal when all of them are', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), (left, right) => {
      expect(equalBytes(left, right)).toBe(hex(left) === hex(right));
      expect(equalBytes(left, Uint8Array.from(left))).toBe(true);
    }),
  );
  expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2, 0))).toBe(false);
  expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false);
});

test('random bytes have the length asked for and do not repeat', () => {
  expect(secureRandom.bytes(0)).toHaveLength(0);
  expect(secureRandom.bytes(32)).toHaveLength(32);
  expect(hex(secureRandom.bytes(32))).not.toBe(hex(secureRandom.bytes(32)));
});
