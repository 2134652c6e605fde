/**
 * Encrypts private keys and webhook secrets for the storage. The form is JWE compact (RFC 7516) with `dir` and
 * `A256GCM`. The key is derived from the secret of the service.
 *
 * The code reads only this form, with WebCrypto. The library jose supports every form of JWE, but adds 5.3 kB
 * (compressed) to the core. The size limit of the core leaves 2 kB.
 */
import { fromBase64Url, toBase64Url } from '../../base/bytes/base64url.ts';
import { secureRandom } from '../../platform/index.ts';
import type { PrivateJwk } from '../../platform/signing.ts';

/** A decrypted secret. */
export interface OpenedKey<Jwk = PrivateJwk> {
  readonly jwk: Jwk;
  /** `true` if the first secret decrypted the key. The first secret encrypts new keys. */
  readonly isCurrent: boolean;
}

/** The shared secret of a webhook, as JWK (RFC 7518 section 6.4). */
export interface SecretJwk {
  readonly kty: 'oct';
  /** The bytes in base64url. */
  readonly k: string;
}

/** Encrypts and decrypts secrets of the type `Jwk`; default: private keys. */
export interface KeySealing<Jwk = PrivateJwk> {
  /** Encrypts the key as JWE compact (RFC 7516), bound to its kid. */
  seal(kid: string, jwk: Jwk): Promise<string>;
  /** Decrypts the key. Returns `undefined` if no secret can decrypt it, or if it was encrypted for another kid. */
  open(kid: string, text: string): Promise<OpenedKey<Jwk> | undefined>;
}

const INFO = 'agent-identity-service signing keys v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Creates the encryption with these secrets. The first secret encrypts, and all secrets can decrypt. */
export function createKeySealing<Jwk = PrivateJwk>(secrets: readonly string[]): KeySealing<Jwk> {
  let deriving: Promise<readonly CryptoKey[]> | undefined;
  function contentKeys(): Promise<readonly CryptoKey[]> {
    deriving ??= Promise.all(secrets.map(contentKeyOf));
    return deriving;
  }

  return {
    async seal(kid, jwk) {
      const [key] = await contentKeys();
      if (key === undefined) throw new TypeError('There is no secret to seal with.');
      const header = headerOf(kid);
      const iv = new Uint8Array(secureRandom.bytes(IV_BYTES));
      const plain = encoder.encode(JSON.stringify(jwk));
      const bothBytes = new Uint8Array(
        await globalThis.crypto.subtle.encrypt(parameters(iv, header), key, plain),
      );
      const [text, tag] = [bothBytes.subarray(0, -TAG_BYTES), bothBytes.subarray(-TAG_BYTES)];
      return [header, '', ...[iv, text, tag].map(toBase64Url)].join('.');
    },

    async open(kid, sealedText) {
      const header = headerOf(kid);
      const [givenText, encryptedKey, ...otherParts] = sealedText.split('.');
      const [iv, text, tag] = otherParts.map(fromBase64Url);
      // The header is authenticated: a row with the key of another row is not opened.
      if (givenText !== header || encryptedKey !== '' || otherParts.length !== 3) return undefined;
      if (iv?.length !== IV_BYTES || text === undefined || tag?.length !== TAG_BYTES) return undefined;
      const bothBytes = new Uint8Array([...text, ...tag]);
      for (const [index, key] of (await contentKeys()).entries()) {
        const plain = await decrypted(key, parameters(iv, header), bothBytes);
        if (plain !== undefined) return { jwk: JSON.parse(plain), isCurrent: index === 0 };
      }
      return undefined;
    },
  };
}

const encoder = new TextEncoder();

function headerOf(kid: string): string {
  return toBase64Url(encoder.encode(JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid })));
}

function parameters(iv: Uint8Array, header: string): AesGcmParams {
  const additionalData = encoder.encode(header);
  return { name: 'AES-GCM', iv: new Uint8Array(iv), additionalData, tagLength: TAG_BYTES * 8 };
}

async function decrypted(
  key: CryptoKey,
  how: AesGcmParams,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await globalThis.crypto.subtle.decrypt(how, key, bytes));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'OperationError') return undefined;
    throw error;
  }
}

async function contentKeyOf(secret: string): Promise<CryptoKey> {
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey']);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info: encoder.encode(INFO) };
  return subtle.deriveKey(derivation, key, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}
