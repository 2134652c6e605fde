import { isBase64Url } from './base64url.ts';

/**
 * Says whether the text is a compact JWS (RFC 7515 section 3.1) of canonical base64url, of at most `maxLength`
 * characters.
 */
export function isCompactJws(text: string, maxLength: number): boolean {
  if (text.length > maxLength) return false;
  const parts = text.split('.');
  return parts.length === 3 && parts.every((part) => part !== '' && isBase64Url(part));
}
