/** The public keys that agents register: the checks, and the form in which they are stored and shown. */
import { fromBase64Url } from '../base/bytes/base64url.ts';
import { mustBe } from '../base/values/expected.ts';
import { type FieldError, pointer } from '../errors.ts';
import { toPublicJwk } from '../platform/signing.ts';
import type { AgentKey, PublicKeyInput } from '../records/key.ts';
import { ed25519Problem, type PointProblem, p256Problem } from './curve-points.ts';
import { thumbprintOf } from './thumbprint.ts';

/** The options of the checks. */
export interface PublicKeyOptions {
  /** Accepts keys whose private part is published. */
  readonly allowLocalhost: boolean;
}

const PRIVATE_MEMBERS: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']);
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
 * The thumbprints of keys whose private part is published: of RFC 7515 appendix A.3, RFC 8037 appendix A.1 and RFC 9421
 * appendices B.1.3 and B.1.4; then of the test vectors of this package, three for proofs and three for signed
 * passports.
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

const PUBLISHED_MESSAGE = 'The private part of this key is published, in an RFC or with test vectors.';

const POINT_MESSAGES: Readonly<Record<PointProblem, string>> = {
  off_curve: 'This is not a point of the curve.',
  small_order: 'This is a point of small order: signatures by it prove nothing.',
};

/** Returns the key in the form in which it is stored and shown. The key must be valid. */
export function toAgentKey(input: PublicKeyInput): AgentKey {
  const jwk = toPublicJwk(input);
  return { ...jwk, kid: thumbprintOf(jwk), alg: jwk.kty === 'OKP' ? 'EdDSA' : 'ES256' };
}

/**
 * Returns the errors of the key, with paths below it, except those that the schema finds. No error contains a value: it
 * may be a private key.
 */
export function publicKeyErrors(given: object, options: PublicKeyOptions): readonly FieldError[] {
  const foreign = Object.entries(given).flatMap(([name, value]) => memberErrors(name, value));
  const { kty, crv, x, y, kid, alg } = given as { readonly [Name in keyof PublicKeyInput | 'y']?: unknown };
  const isOkp = kty === 'OKP' && crv === 'Ed25519';
  if (!isOkp && !(kty === 'EC' && crv === 'P-256')) return [...foreign, ...curveErrors(kty, crv)];
  if (isOkp && y !== undefined)
    return [...foreign, error('/y', 'unknown_field', 'A key on Ed25519 has no y.')];
  if (!isOkp && y === undefined) return [...foreign, error('/y', 'required', 'A key on P-256 has a y.')];
  const wrong = pointErrors(x, y);
  if (wrong.length > 0) return [...foreign, ...wrong];
  const key = toAgentKey(given as PublicKeyInput);
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
  return [
    error(pointer(name), 'private_key', 'This is a part of a private key: register the public key alone.'),
  ];
}

/** Returns the errors of a known type and a known curve that do not fit; all else breaks the schema. */
function curveErrors(kty: unknown, crv: unknown): readonly FieldError[] {
  if (kty === 'OKP') return [error('/crv', 'not_allowed', 'A key of type OKP is on Ed25519.')];
  return kty === 'EC' && crv !== undefined
    ? [error('/crv', 'not_allowed', 'A key of type EC is on P-256.')]
    : [];
}

function pointErrors(x: unknown, y: unknown): readonly FieldError[] {
  const [xBytes, yBytes] = [coordinate(x), coordinate(y)];
  const isMalformed = (value: unknown, bytes: unknown) => value !== undefined && bytes === undefined;
  const malformed = [
    ...(isMalformed(x, xBytes) ? ['/x'] : []),
    ...(isMalformed(y, yBytes) ? ['/y'] : []),
  ].map((path) => error(path, 'malformed', mustBe(path)));
  if (malformed.length > 0 || xBytes === undefined) return malformed;
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
