import { fromBase64Url } from '../../base/bytes/base64url.ts';

/** Returns `true` if the value is 32 bytes in base64url, like every member of an Ed25519 or P-256 key. */
export function isCoordinate(text: unknown): text is string {
  return typeof text === 'string' && text.length === 43 && fromBase64Url(text)?.length === 32;
}
