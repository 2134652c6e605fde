import { CANONICAL_BASE64URL as PART } from './base64url.ts';

const COMPACT = new RegExp(`^${PART}\\.${PART}\\.${PART}$`);

/** Whether the text is a compact JWS (RFC 7515 section 3.1) of canonical base64url, at most that long. */
export function isCompactJws(text: string, maxLength: number): boolean {
  return text.length <= maxLength && COMPACT.test(text);
}
