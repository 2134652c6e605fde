/**
 * Checks of the points of public keys. In BigInt, once per registration: runtimes differ in the checks of their
 * imports, and `@noble/curves` would add 14 kB compressed to the core.
 */

/** `off_curve`: no point has these coordinates. `small_order`: signatures of this key prove nothing. */
export type PointProblem = 'off_curve' | 'small_order';

/**
 * Returns the problem of a point of Ed25519 in the encoding of RFC 8032 section 5.1.2, 32 bytes; `undefined` without
 * one.
 */
export function ed25519Problem(bytes: Uint8Array): PointProblem | undefined {
  const encoded = toInteger(bytes.toReversed());
  const y = encoded & (SIGN - 1n);
  // Not the canonical encoding of any point.
  if (y >= P25519) return 'off_curve';
  const yy = (y * y) % P25519;
  if (hasSmallOrder(y, yy)) return 'small_order';
  // x^2 = u / v. That is a square exactly when u v is one; v is never 0, since -1 / D is no square.
  const u = yy - 1n;
  const v = D * yy + 1n;
  return power(mod(u * v, P25519), (P25519 - 1n) / 2n, P25519) === 1n ? undefined : 'off_curve';
}

/**
 * Returns the problem of a point of P-256 with coordinates of 32 bytes each (FIPS 186-4 section D.1.2.3); `undefined`
 * without one.
 */
export function p256Problem(xBytes: Uint8Array, yBytes: Uint8Array): PointProblem | undefined {
  const [x, y] = [toInteger(xBytes), toInteger(yBytes)];
  if (x >= P256 || y >= P256) return 'off_curve';
  return mod(y * y - (x * x * x - 3n * x + B), P256) === 0n ? undefined : 'off_curve';
}

const SIGN = 2n ** 255n;
const P25519 = 2n ** 255n - 19n;
const D = mod(-121665n * power(121666n, P25519 - 2n, P25519), P25519);
const P256 = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

/**
 * Says whether the order is 1, 2, 4 or 8. Order 1 and 2: y is 1 or -1. Order 4: y is 0. Order 8: the double of the
 * point has y = 0, so D y^4 + 2 y^2 = 1.
 */
function hasSmallOrder(y: bigint, yy: bigint): boolean {
  return y === 0n || yy === 1n || mod(D * yy * yy + 2n * yy - 1n, P25519) === 0n;
}

function toInteger(bytes: Uint8Array): bigint {
  return bytes.reduce((integer, byte) => integer * 256n + BigInt(byte), 0n);
}

function mod(integer: bigint, modulus: bigint): bigint {
  const rest = integer % modulus;
  return rest < 0n ? rest + modulus : rest;
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let [square, rest] = [base, exponent]; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}
