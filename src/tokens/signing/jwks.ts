import type { PublicJwk, PublicSigningKey, SigningAlgorithm } from '../../ports/signer.ts';

/** A public key of a JWK set (RFC 7517). */
export type PublishedJwk = PublicJwk & {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly use: 'sig';
  /** The instant from which the key signs, in seconds since the Unix epoch. */
  readonly nbf?: number;
  /** The instant at which the publication of the key ends, in seconds since the Unix epoch. */
  readonly exp?: number;
};

/** A JWK set (RFC 7517 section 5). */
export interface JwkSet {
  readonly keys: readonly PublishedJwk[];
}

export function toJwkSet(keys: readonly PublicSigningKey[]): JwkSet {
  return { keys: keys.map(toPublishedJwk) };
}

function toPublishedJwk({ public_jwk, kid, alg, not_before, retire_at }: PublicSigningKey): PublishedJwk {
  const nbf = Math.floor(Date.parse(not_before) / 1_000);
  const exp = retire_at === null ? {} : { exp: Math.floor(Date.parse(retire_at) / 1_000) };
  return { ...public_jwk, kid, alg, use: 'sig', nbf, ...exp };
}
