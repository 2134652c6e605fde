/** The signer of the service: its own stored keys, or an external module or service that holds the keys. */
import type { PublicJwk, SigningAlgorithm } from '../records/key.ts';
import type { Instant } from '../records.ts';

export type { PublicJwk, SigningAlgorithm };

/**
 * The purpose of a key. `passport`: it signs passports, permits, status lists and webhooks. `log`: it signs checkpoints
 * of evidence logs, always with Ed25519, and is in no published key set.
 */
export type SigningPurpose = 'passport' | 'log';

/** A public key with which anyone can verify signatures. */
export interface PublicSigningKey {
  /** The RFC 7638 thumbprint of `public_jwk`: SHA-256, base64url, 43 characters. */
  readonly kid: string;
  /** The purpose of the key. */
  readonly purpose: SigningPurpose;
  /** The algorithm of the key. It is never taken from a token. */
  readonly alg: SigningAlgorithm;
  /** The key. */
  readonly public_jwk: PublicJwk;
  /** The instant from which the key signs. */
  readonly not_before: Instant;
  /** The instant at which its publication ends. `null`: no end is set. */
  readonly retire_at: Instant | null;
}

/** A signature, and the key that made it. */
export interface Signature {
  /** The thumbprint of the key. */
  readonly kid: string;
  /** The 64 bytes of a JWS signature. For ES256 these are R and S, not DER. */
  readonly signature: Uint8Array;
}

/**
 * Signs data, for example with a hardware module or a key service. The stored keys of the service use the same
 * interface.
 *
 * @throws {Error} If it cannot sign now. A verdict with a permit is then `overloaded`. Any other call fails with this
 * error.
 */
export interface Signer {
  /** Returns all keys that are published now. */
  keys(): Promise<readonly PublicSigningKey[]>;
  /** Signs the data with the current key of this purpose. */
  sign(purpose: SigningPurpose, data: Uint8Array): Promise<Signature>;
}
