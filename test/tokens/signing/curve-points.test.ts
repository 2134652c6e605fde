import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { ed25519Problem, p256Problem } from '../../../src/tokens/signing/public-key.ts';
import { cases } from '../../support/runs.ts';

const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
const coordinates = (jwk: { x?: string; y?: string }): Uint8Array[] =>
  [jwk.x, jwk.y].map((text) => new Uint8Array(Buffer.from(text ?? '', 'base64url')));

/** The eight points whose order divides 8, as RFC 8032 encodes them. */
const SMALL_ORDER = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
];

/** Other encodings that lenient decoders read as one of these points. */
const NOT_CANONICAL = [
  '0100000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
];

test('the points of small order are refused in each of their encodings', () => {
  for (const hex of SMALL_ORDER) expect(ed25519Problem(bytesOf(hex))).toBe('small_order');
  for (const hex of NOT_CANONICAL) expect(ed25519Problem(bytesOf(hex))).toBeDefined();
});

test('every key on Ed25519 that Node makes is a point, and so is its negative', () => {
  for (let round = 0; round < cases(500); round += 1) {
    const [x = new Uint8Array()] = coordinates(
      generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }),
    );
    expect(ed25519Problem(x)).toBeUndefined();
    expect(ed25519Problem(x.with(31, (x.at(31) ?? 0) ^ 0x80))).toBeUndefined();
  }
});

test('about half of all encodings are points of Ed25519: those for which x can be computed', () => {
  const P = 2n ** 255n - 19n;
  const power = (base: bigint, exponent: bigint): bigint => {
    if (exponent === 0n) return 1n;
    const half = power(base, exponent / 2n) ** 2n % P;
    return exponent % 2n === 0n ? half : (half * base) % P;
  };
  const d = ((P - 121665n) * power(121666n, P - 2n)) % P;
  let points = 0;
  const rounds = cases(1_000) + 100;
  for (let round = 0; round < rounds; round += 1) {
    const bytes = new Uint8Array(randomBytes(32));
    const y = BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`) % 2n ** 255n;
    // RFC 8032 section 5.1.3: a candidate for x, and whether it or its product with sqrt(-1) fits the curve.
    const [u, v] = [(y * y - 1n + P) % P, (d * y * y + 1n) % P];
    const x = (u * v ** 3n * power((u * v ** 7n) % P, (P - 5n) / 8n)) % P;
    const fits = [u, P - u].includes((v * x * x) % P);
    expect(ed25519Problem(bytes)).toBe(fits && y < P ? undefined : 'off_curve');
    if (fits) points += 1;
  }
  expect(points).toBeGreaterThan(rounds / 4);
  expect(points).toBeLessThan((rounds * 3) / 4);
});

test('points of P-256 are those that Node imports', () => {
  const imports = (x: Uint8Array, y: Uint8Array): boolean => {
    const [one = '', other = ''] = [x, y].map((bytes) => Buffer.from(bytes).toString('base64url'));
    try {
      createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: one, y: other }, format: 'jwk' });
      return true;
    } catch {
      return false;
    }
  };
  for (let round = 0; round < cases(300); round += 1) {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const [x = new Uint8Array(), y = new Uint8Array()] = coordinates(publicKey.export({ format: 'jwk' }));
    const wrong = y.with(31, (y.at(31) ?? 0) ^ 1);
    expect([imports(x, y), p256Problem(x, y)]).toEqual([true, undefined]);
    expect([imports(x, wrong), p256Problem(x, wrong)]).toEqual([false, 'off_curve']);
    expect([imports(y, x), p256Problem(y, x)]).toEqual([false, 'off_curve']);
  }
  const zero = new Uint8Array(32);
  const full = new Uint8Array(32).fill(255);
  for (const [x, y] of [
    [zero, zero],
    [full, full],
    [zero, full],
  ] as const) {
    expect([imports(x, y), p256Problem(x, y)]).toEqual([false, 'off_curve']);
  }
});
