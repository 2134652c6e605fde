import { fromBase64Url, toBase64Url } from './base64url.ts';

/** Encodes bytes as base64 (RFC 4648 section 4) without padding. */
export function toBase64(bytes: Uint8Array): string {
  return toBase64Url(bytes).replaceAll('-', '+').replaceAll('_', '/');
}

/** Decodes base64; `undefined` unless the text is exactly as {@link toBase64} writes it. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (/[-_]/.test(text)) return undefined;
  return fromBase64Url(text.replaceAll('+', '-').replaceAll('/', '_'));
}

export function toPaddedBase64(bytes: Uint8Array): string {
  const text = toBase64(bytes);
  return text.padEnd(4 * Math.ceil(text.length / 4), '=');
}

export function fromPaddedBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = fromBase64(text.replace(/={1,2}$/, ''));
  return bytes !== undefined && toPaddedBase64(bytes) === text ? bytes : undefined;
}
