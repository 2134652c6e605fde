import { IdentityError } from '../../errors.ts';
import { generateKeyPair, importPrivateKey, type PrivateJwk, signBytes } from '../../platform/signing.ts';
import type { PublicJwk, SigningAlgorithm } from '../../ports/signer.ts';
import { algorithmOf } from '../signing/algorithm.ts';
import { isCoordinate } from './coordinate.ts';
import { digestThumbprint } from './thumbprint.ts';

/** A key with which an agent signs. */
export interface SigningAgentKey {
  readonly alg: SigningAlgorithm;
  /** Returns the thumbprint of the matching public key. */
  kid(): Promise<string>;
  sign(data: Uint8Array): Promise<Uint8Array>;
}

/**
 * Creates the signing key from a private JWK.
 *
 * @throws {IdentityError} `invalid_configuration` for any other value. The error contains no part of that value.
 */
export function privateKeyOf(givenKey: unknown): SigningAgentKey {
  const jwk = privateJwkOf(givenKey);
  const { d: _, ...members } = jwk;
  const alg = algorithmOf(jwk);
  let naming: Promise<string> | undefined;
  let importing: Promise<CryptoKey> | undefined;
  return {
    alg,
    kid() {
      naming ??= digestThumbprint(members);
      return naming;
    },
    async sign(data) {
      importing ??= importPrivateKey(alg, jwk);
      const key = await importing.catch((cause: unknown) => {
        importing = undefined;
        throw notPrivate(cause);
      });
      return signBytes(alg, key, data);
    },
  };
}

function privateJwkOf(key: unknown): PrivateJwk {
  const { kty, crv, x, y, d } = Object(key) as Readonly<Record<string, unknown>>;
  if (!isCoordinate(x) || !isCoordinate(d)) throw notPrivate();
  if (kty === 'OKP' && crv === 'Ed25519') return { kty, crv, x, d };
  if (kty === 'EC' && crv === 'P-256' && isCoordinate(y)) return { kty, crv, x, y, d };
  throw notPrivate();
}

function notPrivate(cause?: unknown): IdentityError {
  const message = 'key must be a private JWK with Ed25519 or P-256, as generateAgentKey makes one.';
  return new IdentityError('invalid_configuration', message, { cause });
}

/** A key pair of an agent. */
export interface AgentKeyPair {
  /** The private key. Only the agent may have it, because anyone who has it can act as the agent. */
  readonly private_jwk: PrivateJwk;
  /** The public key, for `public_keys` of the passport. */
  readonly public_jwk: PublicJwk;
  /** The RFC 7638 thumbprint of the public key: SHA-256, base64url, 43 characters. */
  readonly kid: string;
}

/**
 * Generates a key pair: `EdDSA` (Ed25519) by default, or `ES256` (P-256).
 *
 * @throws {IdentityError} `invalid_configuration` for another algorithm, or if the runtime does not support the
 * algorithm.
 */
export async function generateAgentKey(alg: SigningAlgorithm = 'EdDSA'): Promise<AgentKeyPair> {
  if (alg !== 'EdDSA' && alg !== 'ES256') {
    throw new IdentityError('invalid_configuration', 'generateAgentKey: alg must be EdDSA or ES256.');
  }
  const { private_jwk, public_jwk } = await generateKeyPair(alg).catch((cause: unknown) => {
    const message = `generateAgentKey: this runtime cannot make keys for ${alg}.`;
    throw new IdentityError('invalid_configuration', message, { cause });
  });
  return { private_jwk, public_jwk, kid: await digestThumbprint(public_jwk) };
}
