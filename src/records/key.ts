/** Public keys as JWK (RFC 7517), as passports, JWK sets and DID documents hold them. Types only; nothing here runs. */

/** `EdDSA`: Ed25519 (RFC 8037). `ES256`: ECDSA with P-256 and SHA-256 (RFC 7518 section 3.4). */
export type SigningAlgorithm = 'EdDSA' | 'ES256';

/** A public key as JWK, with the members that its RFC 7638 thumbprint is made of and no other. */
export type PublicJwk =
  | { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string }
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string };

/** A public key as an agent registers it, such as WebCrypto exports it. */
export type PublicKeyInput = PublicJwk & {
  /** The RFC 7638 thumbprint; it may be left out. */
  readonly kid?: string;
  /** `EdDSA` and `Ed25519` are the same; it may be left out. */
  readonly alg?: SigningAlgorithm | 'Ed25519';
  /** It may be left out. */
  readonly use?: 'sig';
  /** Ignored: WebCrypto adds it. */
  readonly ext?: boolean;
  /** Ignored: WebCrypto adds it. */
  readonly key_ops?: readonly string[];
};

/** A public key of an agent, as passports show it. */
export type AgentKey = PublicJwk & {
  /** The RFC 7638 thumbprint of the key: SHA-256, base64url, 43 characters. */
  readonly kid: string;
  /** The algorithm that the key is for. It is never read from a token. */
  readonly alg: SigningAlgorithm;
};
