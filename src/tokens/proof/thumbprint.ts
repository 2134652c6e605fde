import { toBase64Url } from '../../base/bytes/base64url.ts';
import { thumbprintInput } from '../signing/thumbprint.ts';

/**
 * Returns the SHA-256 thumbprint of a key (RFC 7638). Uses WebCrypto, because a hash function in JavaScript would make
 * up most of the size of an entry point.
 */
export async function digestThumbprint(members: Readonly<Record<string, string>>): Promise<string> {
  return encodedDigest(thumbprintInput(members));
}

export async function encodedDigest(text: string): Promise<string> {
  const bytes = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return toBase64Url(new Uint8Array(bytes));
}
