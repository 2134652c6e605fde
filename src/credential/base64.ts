/** Encodes bytes as base64 (RFC 4648 section 4) without padding. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/=+$/, '');
}

/** Decodes base64; `undefined` when the text is not exactly as {@link toBase64} writes it. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 === 1) return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return toBase64(bytes) === text ? bytes : undefined;
}
