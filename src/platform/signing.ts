/**
 * Creates and verifies signatures with WebCrypto, which every supported runtime has. On Node it does not block the
 * event loop.
 */
import type { PublicJwk, SigningAlgorithm } from '../ports/signer.ts';

const ALGORITHMS = {
  EdDSA: { key: { name: 'Ed25519' }, signature: { name: 'Ed25519' } },
  ES256: { key: { name: 'ECDSA', namedCurve: 'P-256' }, signature: { name: 'ECDSA', hash: 'SHA-256' } },
} as const;

/** A private key as JWK: a {@link PublicJwk} with its secret. It must never appear in a log or an answer. */
export type PrivateJwk = PublicJwk & {
  /** The secret: 32 bytes in base64url. */
  readonly d: string;
};

/** Generates a key pair. Rejects with a `NotSupportedError` if the runtime does not support the algorithm. */
export async function generateKeyPair(
  alg: SigningAlgorithm,
): Promise<{ readonly private_jwk: PrivateJwk; readonly public_jwk: PublicJwk }> {
  const { subtle } = globalThis.crypto;
  const pair = (await subtle.generateKey(ALGORITHMS[alg].key, true, ['sign', 'verify'])) as CryptoKeyPair;
  const { d = '', ...exportedFields } = await subtle.exportKey('jwk', pair.privateKey);
  const public_jwk = toPublicJwk(exportedFields as PublicJwk);
  return { private_jwk: { ...public_jwk, d }, public_jwk };
}

/** @internal Imports a key that signs and cannot be exported again. */
export function importPrivateKey(alg: SigningAlgorithm, jwk: PrivateJwk): Promise<CryptoKey> {
  return globalThis.crypto.subtle.importKey('jwk', { ...jwk }, ALGORITHMS[alg].key, false, ['sign']);
}

/** @internal Imports a key that verifies. */
export function importPublicKey(alg: SigningAlgorithm, jwk: PublicJwk): Promise<CryptoKey> {
  return globalThis.crypto.subtle.importKey('jwk', { ...jwk }, ALGORITHMS[alg].key, true, ['verify']);
}

/** @internal Signs data. The signature has the 64 bytes of JWS. */
export async function signBytes(
  alg: SigningAlgorithm,
  key: CryptoKey,
  data: Uint8Array,
): Promise<Uint8Array> {
  const { signature } = ALGORITHMS[alg];
  return new Uint8Array(await globalThis.crypto.subtle.sign(signature, key, new Uint8Array(data)));
}

/** @internal Returns `true` if the key made this signature for the data. The signature has the 64 bytes of JWS. */
export function verifyBytes(
  alg: SigningAlgorithm,
  key: CryptoKey,
  data: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  return globalThis.crypto.subtle.verify(ALGORITHMS[alg].signature, key, signature, data);
}

/** Returns only the members that make up the key. Runtimes add other members, and spell `alg` in three ways. */
export function toPublicJwk(jwk: PublicJwk): PublicJwk {
  const { kty, crv, x } = jwk;
  return kty === 'OKP' ? { kty, crv, x } : { kty, crv, x, y: jwk.y };
}
