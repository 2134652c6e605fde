import { toBase64Url } from '../base/base64url.ts';
import { thumbprintInput } from '../signing/thumbprint-input.ts';

/** The SHA-256 thumbprint of a key (RFC 7638) by WebCrypto: without a hash in JavaScript, which is most of a door. */
export async function digestThumbprint(members: Readonly<Record<string, string>>): Promise<string> {
  const bytes = new TextEncoder().encode(thumbprintInput(members));
  return toBase64Url(new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes)));
}
