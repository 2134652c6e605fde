import { fromBase64Url, toBase64Url } from '../base/bytes/base64url.ts';

/** Encodes bytes as base64 (RFC 4648 section 4) without padding. */
export function toBase64(bytes: Uint8Array): string {
  return toBase64Url(bytes).replaceAll('-', '+').replaceAll('_', '/');
}

/** Decodes base64; `undefined` when the text is not exactly as {@link toBase64} writes it. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (/[-_]/.test(text)) return undefined;
  return fromBase64Url(text.replaceAll('+', '-').replaceAll('/', '_'));
}
