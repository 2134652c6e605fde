/** Reads a form: `application/x-www-form-urlencoded` in UTF-8. */
import { IdentityError, invalidRequest } from '../errors.ts';
import { type ApiRequest, headerOf } from './exchange.ts';

const TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i;
const MAX_PARAMETERS = 32;

/** Reads the parameters of a form. An empty parameter counts as absent. A repeated name refuses the form. */
export async function readForm(
  request: Pick<ApiRequest, 'rawHeaders' | 'readBody'>,
  maxBytes: number,
): Promise<Readonly<Record<string, string>>> {
  const { rawHeaders, readBody } = request;
  if (!TYPE.test(headerOf(rawHeaders, 'content-type') ?? '') || headerOf(rawHeaders, 'content-encoding')) {
    throw new IdentityError('unsupported_media_type', 'Send the body as application/x-www-form-urlencoded.');
  }
  const bytes = await readBody(maxBytes);
  if (bytes === undefined) {
    throw new IdentityError('payload_too_large', `The body must be at most ${maxBytes} bytes.`);
  }
  return parametersOf(textOf(bytes));
}

function parametersOf(text: string): Readonly<Record<string, string>> {
  const parts = text.split('&').filter((part) => part !== '');
  if (parts.length > MAX_PARAMETERS) throw malformed();
  const parameters: Record<string, string> = Object.create(null);
  const seen = new Set<string>();
  for (const part of parts) {
    const equals = part.indexOf('=');
    const name = decoded(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? '' : decoded(part.slice(equals + 1));
    if (seen.has(name)) throw malformed();
    seen.add(name);
    if (value !== '') parameters[name] = value;
  }
  return parameters;
}

/** Decodes a name or a value of a form (RFC 6749 appendix B). */
function decoded(text: string): string {
  let decodedText: string;
  try {
    decodedText = decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw malformed();
  }
  if (decodedText.includes('\0')) throw malformed();
  return decodedText;
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed();
  }
}

function malformed(): IdentityError {
  return invalidRequest([{ path: '', code: 'malformed', message: 'This is not a form.' }]);
}
