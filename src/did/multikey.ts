import { fromBase64Url } from '../base/bytes/base64url.ts';
import type { PublicJwk } from '../records/key.ts';
import { toBase58 } from './base58.ts';

/** The multicodec prefixes of public keys: `ed25519-pub` and `p256-pub`. */
const PREFIXES = { Ed25519: [0xed, 0x01], 'P-256': [0x80, 0x24] } as const;

/**
 * Encodes a key as `publicKeyMultibase` of a Multikey: `z` and base58btc of its multicodec prefix and its compressed
 * point.
 */
export function toMultikey(jwk: PublicJwk): string {
  return `z${toBase58(Uint8Array.from([...PREFIXES[jwk.crv], ...pointOf(jwk)]))}`;
}

/** Returns the compressed point. For P-256 it is x after the parity of y (SEC 1 section 2.3.3). */
function pointOf(jwk: PublicJwk): readonly number[] {
  const x = [...(fromBase64Url(jwk.x) ?? [])];
  if (jwk.crv === 'Ed25519') return x;
  const y = fromBase64Url(jwk.y);
  return [2 + ((y?.at(-1) ?? 0) & 1), ...x];
}
