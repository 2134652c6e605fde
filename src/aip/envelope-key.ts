/** The key of an envelope: an Ed25519 key of its principal, or a shared secret. */
import { fromBase64Url } from '../base/bytes/base64url.ts';
import { IdentityError } from '../errors.ts';
import { importPublicKey, verifyBytes } from '../platform/signing.ts';
import { ed25519Problem } from '../signing/curve-points.ts';

/** A key that exports itself as JWK, such as a `KeyObject` of Node. */
export interface ExportableKey {
  export(options: { readonly format: 'jwk' }): object;
}

/** The key of the envelopes: exactly one of `publicKey` and `hmacKey`. */
export type AipKeyOptions =
  | {
      /** The Ed25519 key of the principal, as JWK or as a `KeyObject`. */
      readonly publicKey: object | ExportableKey;
      readonly hmacKey?: undefined;
    }
  | {
      readonly publicKey?: undefined;
      /** The secret of envelopes of `tier_0`, at least 32 bytes. */
      readonly hmacKey: Uint8Array;
    };

/** Says whether the signature, in base64url, is that of the key over the bytes of an envelope of this tier. */
export type IsSigned = (tier: string, bytes: Uint8Array<ArrayBuffer>, signature: string) => Promise<boolean>;

const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const MIN_SECRET_BYTES = 32;

/** Makes a function that checks signatures with a key. Throws `invalid_configuration` for an invalid key. */
export async function checkWith({ publicKey, hmacKey }: AipKeyOptions): Promise<IsSigned> {
  if ((publicKey === undefined) === (hmacKey === undefined)) throw noKey('Give either publicKey or hmacKey.');
  if (hmacKey !== undefined) return checkWithSecret(hmacKey);
  const jwk = jwkOf(publicKey);
  const key = await importPublicKey('EdDSA', jwk).catch((cause: unknown) => {
    throw noKey('publicKey cannot be read.', cause);
  });
  return async (_, bytes, text) => {
    const signature = signatureOf(text, 64);
    return signature !== undefined && verifyBytes('EdDSA', key, bytes, signature);
  };
}

async function checkWithSecret(secret: unknown): Promise<IsSigned> {
  if (!(secret instanceof Uint8Array) || secret.length < MIN_SECRET_BYTES) {
    throw noKey(`hmacKey must be at least ${MIN_SECRET_BYTES} bytes.`);
  }
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('raw', new Uint8Array(secret), HMAC, false, ['verify']);
  return async (tier, bytes, text) => {
    const signature = signatureOf(text, 32);
    return tier === 'tier_0' && signature !== undefined && subtle.verify('HMAC', key, signature, bytes);
  };
}

function jwkOf(given: unknown) {
  const isExportable = typeof (Object(given) as ExportableKey).export === 'function';
  const exported: unknown = isExportable ? exportOf(given as ExportableKey) : given;
  const { kty, crv, x } = Object(exported) as Readonly<Record<string, unknown>>;
  const bytes = typeof x === 'string' ? fromBase64Url(x) : undefined;
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string' || bytes?.length !== 32) {
    throw noKey('publicKey must be an Ed25519 key, as JWK or KeyObject.');
  }
  if (ed25519Problem(bytes) !== undefined) throw noKey('publicKey is not a point that a key may be.');
  return { kty, crv, x } as const;
}

function exportOf(key: ExportableKey): unknown {
  try {
    return key.export({ format: 'jwk' });
  } catch (cause) {
    throw noKey('publicKey cannot be exported as JWK.', cause);
  }
}

/** Decodes a signature: AIP writes base64url with its padding. */
function signatureOf(text: string, length: number): Uint8Array<ArrayBuffer> | undefined {
  const bytes = fromBase64Url(text.replace(/={1,2}$/, ''));
  return bytes?.length === length ? bytes : undefined;
}

function noKey(message: string, cause?: unknown): IdentityError {
  return new IdentityError('invalid_configuration', message, { cause });
}
