/** Reads compact JWS strictly (RFC 7515 section 3.1). */
import { bytesOfBase64Url, isCompactJws } from '../../base/bytes/base64url.ts';
import { parseStrictly } from '../../json/parse-strictly.ts';

/** The members of a JSON object, without inherited ones. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** The parts of a compact JWS, which are not yet verified. */
export interface CompactParts {
  /** Returns the members of the header. Returns `undefined` if it is not a strict JSON object. */
  header(): JsonMembers | undefined;
  /** Returns the members of the payload. Returns `undefined` if it is not a strict JSON object. */
  claims(): JsonMembers | undefined;
  /** Returns the signed bytes: the first two parts. */
  signed(): Uint8Array<ArrayBuffer>;
  signature(): Uint8Array<ArrayBuffer>;
}

/**
 * Splits a compact JWS into its parts. Returns `undefined` if it is not canonical base64url, or longer than
 * `maxLength`.
 */
export function openCompact(text: string, maxLength: number): CompactParts | undefined {
  if (!isCompactJws(text, maxLength)) return undefined;
  const [header = '', payload = '', signature = ''] = text.split('.');
  return {
    header: () => membersOf(header),
    claims: () => membersOf(payload),
    signed: () => new TextEncoder().encode(text.slice(0, text.lastIndexOf('.'))),
    signature: () => bytesOfBase64Url(signature),
  };
}

/** Reads a JSON object as strictly as the body of a request, so that no two programs can read different values. */
function membersOf(part: string): JsonMembers | undefined {
  try {
    const value = parseStrictly(bytesOfBase64Url(part));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.assign(Object.create(null), value);
  } catch {
    return undefined;
  }
}
