/** Checks the public keys of issuers that a passport trusts: RSA, P-256 and Ed25519. */
import { fromBase64Url } from '../../base/bytes/base64url.ts';
import { type FieldError, pointer } from '../../errors.ts';
import type { AssertionAlgorithm, TrustedKey } from '../../records.ts';
import { mustBe } from '../../schema/expected.ts';
import {
  PRIVATE_KEY_MESSAGE,
  PRIVATE_MEMBERS,
  type PublicKeyOptions,
  publicKeyErrors,
} from './public-key.ts';

/** The members that are removed: certificates, and members that WebCrypto adds. */
const IGNORED: ReadonlySet<string> = new Set(['x5c', 'x5t', 'x5t#S256', 'x5u', 'ext', 'key_ops', 'use']);
const RSA_MEMBERS: ReadonlySet<string> = new Set(['kty', 'n', 'e', 'kid', 'alg']);
const RSA_ALGORITHMS: readonly unknown[] = [undefined, 'RS256', 'PS256'];
const RSA_BITS = { least: 2_048, most: 4_096 } as const;
const MAX_KID = 256;

/**
 * Returns the errors of the key, with paths relative to the key. No error contains a value, because a value may be a
 * private key.
 */
export function trustedKeyErrors(input: object, options: PublicKeyOptions): readonly FieldError[] {
  const { kid: _, ...members } = Object.fromEntries(
    Object.entries(input).filter(([name, value]) => value !== undefined && !IGNORED.has(name)),
  );
  return members['kty'] === 'RSA' ? rsaErrors(members) : publicKeyErrors(members, options);
}

export function toTrustedKey({ kid, alg, ...jwk }: TrustedKey): TrustedKey {
  const members =
    jwk.kty === 'RSA'
      ? { kty: jwk.kty, n: jwk.n, e: jwk.e }
      : jwk.kty === 'OKP'
        ? { kty: jwk.kty, crv: jwk.crv, x: jwk.x }
        : { kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y };
  return { ...members, ...(kid !== undefined && { kid }), ...(alg !== undefined && { alg }) };
}

export function publishedKey(givenValue: unknown): TrustedKey | undefined {
  if (typeof givenValue !== 'object' || givenValue === null || Array.isArray(givenValue)) return undefined;
  const { use = 'sig', kid, alg, kty } = givenValue as Readonly<Record<string, unknown>>;
  const isNamed = kid === undefined || (typeof kid === 'string' && kid !== '' && kid.length <= MAX_KID);
  if (use !== 'sig' || !isNamed || typeof kty !== 'string') return undefined;
  // A key of an issuer has no place for members that this package does not know: they are left out.
  const knownFields = Object.fromEntries(Object.entries(givenValue).filter(([name]) => MEMBERS.has(name)));
  if (alg !== undefined && typeof alg !== 'string') return undefined;
  const texts = Object.values(knownFields).every((value) => typeof value === 'string');
  if (!texts || trustedKeyErrors(knownFields, { allowLocalhost: false }).length > 0) return undefined;
  return isWhole(knownFields) ? toTrustedKey(knownFields as unknown as TrustedKey) : undefined;
}

const MEMBERS: ReadonlySet<string> = new Set(['kty', 'crv', 'x', 'y', 'n', 'e', 'kid', 'alg']);

function isWhole({ kty, x, n }: Readonly<Record<string, unknown>>): boolean {
  return kty === 'RSA' ? n !== undefined : x !== undefined;
}

/** Returns `true` if the key may verify signatures of this algorithm. The key decides this, never the assertion. */
export function fitsAlgorithm({ kty, alg }: TrustedKey, namedAlgorithm: AssertionAlgorithm): boolean {
  const name = (algorithm: AssertionAlgorithm): string => (algorithm === 'Ed25519' ? 'EdDSA' : algorithm);
  if (alg !== undefined && name(alg) !== name(namedAlgorithm)) return false;
  if (kty === 'RSA') return namedAlgorithm === 'RS256' || namedAlgorithm === 'PS256';
  return kty === 'EC' ? namedAlgorithm === 'ES256' : name(namedAlgorithm) === 'EdDSA';
}

function rsaErrors(members: Readonly<Record<string, unknown>>): readonly FieldError[] {
  const foreign = Object.keys(members).flatMap((name): readonly FieldError[] => {
    if (RSA_MEMBERS.has(name)) return [];
    const path = pointer(name);
    if (PRIVATE_MEMBERS.has(name)) return [{ path, code: 'private_key', message: PRIVATE_KEY_MESSAGE }];
    return [{ path, code: 'unknown_field', message: 'A public key has no such member.' }];
  });
  const { n, e, alg } = members;
  const missingNames = (['n', 'e'] as const).filter((name) => members[name] === undefined);
  if (missingNames.length > 0) {
    return [
      ...foreign,
      ...missingNames.map((name) => ({
        path: `/${name}`,
        code: 'required',
        message: `This field is required: ${mustBe(`/keys/0/${name}`).slice('This must be '.length)}`,
      })),
    ];
  }
  const malformedNames = [
    ...(isModulus(n) ? [] : ['/n']),
    ...(isExponent(e) ? [] : ['/e']),
    ...(RSA_ALGORITHMS.includes(alg) ? [] : ['/alg']),
  ];
  const wrong = malformedNames.map((path) => ({
    path,
    code: path === '/alg' ? 'not_allowed' : 'malformed',
    message: mustBe(`/keys/0${path}`),
  }));
  return [...foreign, ...wrong];
}

function isModulus(text: unknown): boolean {
  const bytes = typeof text === 'string' ? fromBase64Url(text) : undefined;
  const [first] = bytes ?? [];
  if (bytes === undefined || first === undefined || first === 0) return false;
  const bits = bytes.length * 8 - Math.clz32(first) + 24;
  return bits >= RSA_BITS.least && bits <= RSA_BITS.most && isOdd(bytes);
}

/**
 * Returns `true` if the text is an odd exponent above 1. With the exponent 1, a signature would be the message itself.
 */
function isExponent(text: unknown): boolean {
  const bytes = typeof text === 'string' ? fromBase64Url(text) : undefined;
  if (bytes === undefined || bytes.length === 0 || bytes.length > 8 || bytes[0] === 0) return false;
  return isOdd(bytes) && (bytes.length > 1 || bytes[0] !== 1);
}

function isOdd(bytes: Uint8Array): boolean {
  return ((bytes.at(-1) ?? 0) & 1) === 1;
}
