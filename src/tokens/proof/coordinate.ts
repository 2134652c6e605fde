import { isBase64Url } from '../../base/bytes/base64url.ts';

/**
 * Returns `true` if the value is 32 bytes in base64url, like every member of an Ed25519 or P-256 key. Every such text has
 * 43 characters.
 */
export function isCoordinate(text: unknown): text is string {
  return typeof text === 'string' && text.length === 43 && isBase64Url(text);
}
