import type { PublicJwk, SigningAlgorithm } from '../../records/key.ts';

/** Returns the algorithm from the key only. A token must never choose the algorithm. */
export function algorithmOf({ kty }: Pick<PublicJwk, 'kty'>): SigningAlgorithm {
  return kty === 'OKP' ? 'EdDSA' : 'ES256';
}

/**
 * Returns the algorithm for a name in a token. Returns `undefined` for an unknown name. RFC 9864 has a newer name for
 * EdDSA with Ed25519.
 */
export function algorithmNamed(name: unknown): SigningAlgorithm | undefined {
  if (name === 'ES256') return name;
  return name === 'EdDSA' || name === 'Ed25519' ? 'EdDSA' : undefined;
}
