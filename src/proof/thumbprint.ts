import { toBase64Url } from '../base/bytes/base64url.ts';
import { thumbprintInput } from '../signing/thumbprint-input.ts';

/**
 * Returns the SHA-256 thumbprint of a key (RFC 7638). Uses WebCrypto: a hash in JavaScript would be most of the size of
 * a door.
 */
export async function digestThumbprint(members: Readonly<Record<string, string>>): Promise<string> {
  const bytes = new TextEncoder().encode(thumbprintInput(members));
  return toBase64Url(new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes)));
}
