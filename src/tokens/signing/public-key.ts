/** Checks the public keys that accounts register for agents, and converts them to their stored form. */
import { fromBase64Url } from '../../base/bytes/base64url.ts';
import { type FieldError, pointer } from '../../errors.ts';
import { toPublicJwk } from '../../platform/signing.ts';
import type { AgentKey, PublicKeyInput } from '../../records/key.ts';
import { mustBe } from '../../schema/expected.ts';
import { thumbprintOf } from './thumbprint.ts';

/** `off_curve`: no point has these coordinates. `small_order`: signatures with this key prove nothing. */
type PointProblem = 'off_curve' | 'small_order';

/**
 * Returns the problem of an Ed25519 point, encoded in 32 bytes (RFC 8032 section 5.1.2). Returns `undefined` if there
 * is none.
 */
export function ed25519Problem(bytes: Uint8Array): PointProblem | undefined {
  const encodedInteger = toInteger(bytes.toReversed());
  const y = encodedInteger & (SIGN - 1n);
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
 * Returns the problem of a P-256 point with coordinates of 32 bytes each (FIPS 186-4 section D.1.2.3). Returns
 * `undefined` if there is none.
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
 * Returns `true` if the order of the point is 1, 2, 4 or 8. Order 1 and 2: y is 1 or -1. Order 4: y is 0. Order 8:
 * doubling the point gives y = 0, so D y^4 + 2 y^2 = 1.
 */
function hasSmallOrder(y: bigint, yy: bigint): boolean {
  return y === 0n || yy === 1n || mod(D * yy * yy + 2n * yy - 1n, P25519) === 0n;
}

function toInteger(bytes: Uint8Array): bigint {
  return bytes.reduce((integer, byte) => integer * 256n + BigInt(byte), 0n);
}

function mod(integer: bigint, modulus: bigint): bigint {
  const remainder = integer % modulus;
  return remainder < 0n ? remainder + modulus : remainder;
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let [square, remainder] = [base, exponent]; remainder > 0n; remainder >>= 1n) {
    if (remainder & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** The options of the checks. */
export interface PublicKeyOptions {
  /** `true` during development: accepts even keys whose private part is public, such as the example keys in an RFC. */
  readonly allowLocalhost: boolean;
}

/** The members of a JWK that are parts of a private key. */
export const PRIVATE_MEMBERS: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']);
const KNOWN_MEMBERS: ReadonlySet<string> = new Set([
  'kty',
  'crv',
  'x',
  'y',
  'kid',
  'alg',
  'use',
  'ext',
  'key_ops',
]);

/**
 * The thumbprints of keys whose private part was published. They come from RFC 7515 appendix A.3, RFC 8037 appendix
 * A.1, and RFC 9421 appendices B.1.3 and B.1.4. The others are test vectors of this package: three for proofs and three
 * for signed passports.
 */
const PUBLISHED: ReadonlySet<string> = new Set([
  'oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U',
  'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  'ydQXMtvbsOsZyFir-Y7A8t7fKEM1gbKPvyFkdpu4fvI',
  'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  'I90CLWxrV9ueaG-7spQ9YgNZLmgTlcsgX5EGPSpsTs4',
  'A7Ti09RRK-HUgEHG8aPlY-HjVY5WEUjjkPJBXoOG_sY',
  'c82HlaUFF2TSNGwbVh273Ue0d8ySC-Wb9M3DoSeWnng',
  'n_y0s730odyFcwVWM-e8uHTpMmirBSOimiGskIXI1ic',
  'RBpmOEjBewFAjPeBAK9dENvIAfE7lGHsfcQySfG0yro',
  'Wm8eyXDK-mul32yS4dkXcpTjvSJnQFMv78r29AaGYuI',
]);

/** The message for a member of a private key. */
export const PRIVATE_KEY_MESSAGE = 'This is a part of a private key: register the public key alone.';

const PUBLISHED_MESSAGE = 'The private part of this key is published, in an RFC or with test vectors.';

const POINT_MESSAGES: Readonly<Record<PointProblem, string>> = {
  off_curve: 'This is not a point of the curve.',
  small_order: 'This is a point of small order: signatures by it prove nothing.',
};

/** Returns the key in its stored form. The key must be valid. */
export function toAgentKey(input: PublicKeyInput): AgentKey {
  const jwk = toPublicJwk(input);
  return { ...jwk, kid: thumbprintOf(jwk), alg: jwk.kty === 'OKP' ? 'EdDSA' : 'ES256' };
}

/**
 * Returns the errors of the key, except the errors that the schema finds. The paths are relative to the key. No error
 * contains a value, because a value may be a private key.
 */
export function publicKeyErrors(jwk: object, options: PublicKeyOptions): readonly FieldError[] {
  const foreign = Object.entries(jwk).flatMap(([name, value]) => memberErrors(name, value));
  const { kty, crv, x, y, kid, alg } = jwk as { readonly [Name in keyof PublicKeyInput | 'y']?: unknown };
  const isOkp = kty === 'OKP' && crv === 'Ed25519';
  if (!isOkp && !(kty === 'EC' && crv === 'P-256')) return [...foreign, ...curveErrors(kty, crv)];
  const hasY = y !== undefined;
  if (isOkp === hasY) {
    const problem = isOkp
      ? error('/y', 'unknown_field', 'A key on Ed25519 has no y.')
      : error('/y', 'required', 'A key on P-256 has a y.');
    return [...foreign, problem];
  }
  const wrong = pointErrors(x, y);
  if (wrong.length > 0) return [...foreign, ...wrong];
  const key = toAgentKey(jwk as PublicKeyInput);
  return [
    ...foreign,
    ...(PUBLISHED.has(key.kid) && !options.allowLocalhost
      ? [error('', 'not_allowed', PUBLISHED_MESSAGE)]
      : []),
    ...(kid !== undefined && kid !== key.kid ? [error('/kid', 'malformed', mustBe('/kid'))] : []),
    ...(alg !== undefined && alg !== key.alg && !(isOkp && alg === 'Ed25519')
      ? [error('/alg', 'not_allowed', `The algorithm of this key is ${key.alg}.`)]
      : []),
  ];
}

function memberErrors(name: string, value: unknown): readonly FieldError[] {
  if (value === undefined || KNOWN_MEMBERS.has(name)) return [];
  if (!PRIVATE_MEMBERS.has(name))
    return [error(pointer(name), 'unknown_field', 'A public key has no such member.')];
  return [error(pointer(name), 'private_key', PRIVATE_KEY_MESSAGE)];
}

/** Returns an error if a known key type and a known curve do not match. The schema finds all other mistakes. */
function curveErrors(kty: unknown, crv: unknown): readonly FieldError[] {
  if (kty === 'OKP') return [error('/crv', 'not_allowed', 'A key of type OKP is on Ed25519.')];
  return kty === 'EC' && crv !== undefined
    ? [error('/crv', 'not_allowed', 'A key of type EC is on P-256.')]
    : [];
}

function pointErrors(x: unknown, y: unknown): readonly FieldError[] {
  const [xBytes, yBytes] = [coordinate(x), coordinate(y)];
  const isMalformed = (value: unknown, bytes: unknown) => value !== undefined && bytes === undefined;
  const malformedErrors = [
    ...(isMalformed(x, xBytes) ? ['/x'] : []),
    ...(isMalformed(y, yBytes) ? ['/y'] : []),
  ].map((path) => error(path, 'malformed', mustBe(path)));
  if (malformedErrors.length > 0 || xBytes === undefined) return malformedErrors;
  const problem = yBytes === undefined ? ed25519Problem(xBytes) : p256Problem(xBytes, yBytes);
  return problem === undefined ? [] : [error('/x', 'malformed', POINT_MESSAGES[problem])];
}

function coordinate(value: unknown): Uint8Array | undefined {
  const bytes = typeof value === 'string' && value.length === 43 ? fromBase64Url(value) : undefined;
  return bytes?.length === 32 ? bytes : undefined;
}

function error(path: string, code: string, message: string): FieldError {
  return { path, code, message };
}
