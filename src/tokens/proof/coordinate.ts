import { fromBase64Url } from '../../base/bytes/base64url.ts';

/** Says whether the value is 32 bytes in base64url, as every member of a key of Ed25519 or P-256 is. */
export function isCoordinate(text: unknown): text is string {
  return typeof text === 'string' && text.length === 43 && fromBase64Url(text)?.length === 32;
}
