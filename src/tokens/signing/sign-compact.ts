import { toBase64Url } from '../../base/bytes/base64url.ts';

/**
 * Creates a compact JWS from a header and a payload. Both must be JSON text. `sign` signs the first two parts. jose
 * takes twice as long, and can only sign with a key in this process.
 */
export async function signCompact(
  header: string,
  payload: string,
  sign: (data: Uint8Array) => Promise<Uint8Array>,
): Promise<string> {
  const encoder = new TextEncoder();
  const signedText = [header, payload].map((text) => toBase64Url(encoder.encode(text))).join('.');
  return `${signedText}.${toBase64Url(await sign(encoder.encode(signedText)))}`;
}
