/** Compact JWS (RFC 7515 section 3.1), taken apart strictly. */
import { bytesOfBase64Url } from '../base/base64url.ts';
import { isCompactJws } from '../base/compact-jws.ts';
import { IdentityError } from '../errors.ts';
import { readJson } from '../json/read-json.ts';

/** The members of a JSON object, none of them inherited. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** The parts of a compact JWS; nothing of it is verified. */
export interface CompactParts {
  /** The members of the header; `undefined` unless it is a strict JSON object. */
  header(): JsonMembers | undefined;
  /** The members of the payload; `undefined` unless it is a strict JSON object. */
  claims(): JsonMembers | undefined;
  /** What is signed: the first two parts. */
  signed(): Uint8Array<ArrayBuffer>;
  signature(): Uint8Array<ArrayBuffer>;
}

/** The parts of the text; `undefined` unless it is a compact JWS of canonical base64url, of at most `maxLength` characters. */
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

/** Read as a body of a request is: no two readers see different things. */
function membersOf(part: string): JsonMembers | undefined {
  try {
    const value = readJson(bytesOfBase64Url(part));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.assign(Object.create(null), value);
  } catch (error) {
    if (error instanceof IdentityError) return undefined;
    throw error;
  }
}
