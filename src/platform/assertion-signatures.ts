/** Verifies signatures of assertions with WebCrypto. Supports RSA, because issuers of workloads and users need it. */
import type { AssertionAlgorithm, TrustedKey } from '../records.ts';

interface Parameters {
  readonly key: RsaHashedImportParams | EcKeyImportParams | Algorithm;
  readonly signature: RsaPssParams | EcdsaParams | Algorithm;
}

const ED25519: Parameters = { key: { name: 'Ed25519' }, signature: { name: 'Ed25519' } };

const PARAMETERS: Readonly<Record<AssertionAlgorithm, Parameters>> = {
  RS256: {
    key: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    signature: { name: 'RSASSA-PKCS1-v1_5' },
  },
  PS256: {
    key: { name: 'RSA-PSS', hash: 'SHA-256' },
    signature: { name: 'RSA-PSS', saltLength: 32 },
  },
  ES256: {
    key: { name: 'ECDSA', namedCurve: 'P-256' },
    signature: { name: 'ECDSA', hash: 'SHA-256' },
  },
  EdDSA: ED25519,
  Ed25519: ED25519,
};

export function isAssertionAlgorithm(name: unknown): name is AssertionAlgorithm {
  return typeof name === 'string' && Object.hasOwn(PARAMETERS, name);
}

export function importTrustedKey(
  alg: AssertionAlgorithm,
  { kid: _, alg: __, use: ___, ...members }: TrustedKey,
): Promise<CryptoKey> {
  return globalThis.crypto.subtle.importKey('jwk', members, PARAMETERS[alg].key, false, ['verify']);
}

export function verifyAssertion(
  alg: AssertionAlgorithm,
  key: CryptoKey,
  content: { readonly data: Uint8Array<ArrayBuffer>; readonly signature: Uint8Array<ArrayBuffer> },
): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  return subtle.verify(PARAMETERS[alg].signature, key, content.signature, content.data);
}
