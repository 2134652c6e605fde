/** Reads the header `Authorization` of the scheme Basic. Both parts are form-decoded (RFC 6749 section 2.3.1). */
import { fromBase64, fromPaddedBase64 } from '../base/bytes/base64.ts';

const MAX_LENGTH = 2_048;

/**
 * Returns the user and the password; `undefined` for any other text. If the user begins with `did:`, it is not decoded,
 * and the password begins after the last colon.
 */
export function readBasic(authorization: string): readonly [user: string, password: string] | undefined {
  const [scheme, encodedText, suffix] = authorization.split(' ');
  if (scheme?.toLowerCase() !== 'basic' || encodedText === undefined || suffix !== undefined)
    return undefined;
  const text = encodedText.length > MAX_LENGTH ? undefined : decoded(encodedText);
  if (text === undefined) return undefined;
  const isPlain = text.startsWith('did:');
  const colon = isPlain ? text.lastIndexOf(':') : text.indexOf(':');
  if (colon === -1) return undefined;
  const user = isPlain ? text.slice(0, colon) : formDecoded(text.slice(0, colon));
  const password = formDecoded(text.slice(colon + 1));
  return user === undefined || password === undefined ? undefined : [user, password];
}

function decoded(encodedText: string): string | undefined {
  const bytes = fromPaddedBase64(encodedText) ?? fromBase64(encodedText);
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
