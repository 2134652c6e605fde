/** What signs for the service: the keys that it keeps itself, or a module or service outside that holds them. */
import type { PublicJwk, SigningAlgorithm } from '../records/key.ts';
import type { Instant } from '../records.ts';

export type { PublicJwk, SigningAlgorithm };

/** What a key is for: `passport` signs passports, status lists and webhooks. */
export type SigningPurpose = 'passport';

/** A key that strangers may check signatures with. */
export interface PublicSigningKey {
  /** The RFC 7638 thumbprint of `public_jwk`: SHA-256, base64url, 43 characters. */
  readonly kid: string;
  /** What it signs. */
  readonly purpose: SigningPurpose;
  /** Its algorithm. It is never read from a token. */
  readonly alg: SigningAlgorithm;
  /** The key. */
  readonly public_jwk: PublicJwk;
  /** From when on it signs. */
  readonly not_before: Instant;
  /** Until when it is published; `null`: no end is known. */
  readonly retire_at: Instant | null;
}

/** A signature, and the key that made it. */
export interface Signature {
  /** The key that made it. */
  readonly kid: string;
  /** 64 bytes, as JWS has them: for ES256 R and S, not DER. */
  readonly signature: Uint8Array;
}

/** Signs, such as a hardware module or a key service. The service signs with its stored keys in the same way. */
export interface Signer {
  /** Every key that is published now. */
  keys(): Promise<readonly PublicSigningKey[]>;
  /** The signature over the data with the key of that purpose that signs now. */
  sign(purpose: SigningPurpose, data: Uint8Array): Promise<Signature>;
}
