/** Public keys as JWK (RFC 7517), for passports, JWK sets and DID documents. Types only, no code. */

/**
 * The algorithm of a key. `EdDSA`: Ed25519 (RFC 8037). `ES256`: ECDSA with P-256 and SHA-256 (RFC 7518 section 3.4).
 */
export type SigningAlgorithm = 'EdDSA' | 'ES256';

/** A public key as JWK, with exactly the members of its RFC 7638 thumbprint. */
export type PublicJwk =
  | { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string }
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string };

/** A public key that an account registers for an agent, for example in the format that WebCrypto exports. */
export type PublicKeyInput = PublicJwk & {
  /** The RFC 7638 thumbprint; optional. */
  readonly kid?: string;
  /** The algorithm; optional. `EdDSA` and `Ed25519` mean the same. */
  readonly alg?: SigningAlgorithm | 'Ed25519';
  /** The use; optional. */
  readonly use?: 'sig';
  /** Allowed, because WebCrypto exports it, but not used. */
  readonly ext?: boolean;
  /** Allowed, because WebCrypto exports it, but not used. */
  readonly key_ops?: readonly string[];
};

/** A public key of an agent, in the form that passports contain. */
export type AgentKey = PublicJwk & {
  /** The RFC 7638 thumbprint of the key: SHA-256, base64url, 43 characters. */
  readonly kid: string;
  /** The algorithm of the key. It is never taken from a token. */
  readonly alg: SigningAlgorithm;
};
