/** Reads the value of a body from its headers and its bytes. */
import { MAX_BODY_MEMBERS } from '../base/values/json-data.ts';
import { IdentityError, wrongField } from '../errors.ts';
import { readJson } from '../json/read-json.ts';
import type { BodyDescription } from './endpoint.ts';
import { type ApiRequest, headerOf } from './exchange.ts';

const MAX_BYTES = 64 * 1024;
const JSON_TYPE = /^application\/(json|merge-patch\+json)(?=[ \t]*(?:;|$))/i;
/** Matches a parameter of a media type. Some clients write spaces around its `=`. */
const PARAMETER =
  /[ \t]*;[ \t]*(?:([!#$%&'*+.^`|~\w-]+)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[!#$%&'*+.^`|~\w-]+)[ \t]*)?/y;

export async function readBody(description: BodyDescription, request: ApiRequest): Promise<unknown> {
  const { optional = false, maxBytes = MAX_BYTES, maxMembers = MAX_BODY_MEMBERS } = description;
  if (description.isForm) return readForm(request, maxBytes);
  const { rawHeaders } = request;
  const mayLack = optional && headerOf(rawHeaders, 'content-type') === undefined;
  if (!mayLack) requireType(description, rawHeaders);
  const bytes = await request.readBody(maxBytes);
  if (optional) {
    if (bytes?.length === 0) return {};
    requireType(description, rawHeaders);
  }
  if (bytes === undefined) {
    throw new IdentityError('payload_too_large', `The body must be at most ${maxBytes} bytes.`);
  }
  return readJson(bytes, { maxMembers });
}

function requireType({ mergePatch }: BodyDescription, rawHeaders: readonly string[]): void {
  const type = typeOf(headerOf(rawHeaders, 'content-type') ?? '');
  const encoding = headerOf(rawHeaders, 'content-encoding')?.toLowerCase() ?? 'identity';
  if ((type === 'json' || (mergePatch && type !== undefined)) && encoding === 'identity') return;
  throw new IdentityError(
    'unsupported_media_type',
    'Send the body as application/json in UTF-8, uncompressed.',
  );
}

/**
 * Returns the kind of a media type. Returns `undefined` for another type, and for a charset other than UTF-8. Ignores
 * other parameters. Compares the usual text first, because a regular expression takes longer than reading all headers.
 */
function typeOf(name: string): string | undefined {
  if (name === 'application/json') return 'json';
  const [text = '', kind] = JSON_TYPE.exec(name) ?? [];
  return kind !== undefined && isUtf8(name, text.length) ? kind.toLowerCase() : undefined;
}

function isUtf8(mediaType: string, start: number): boolean {
  PARAMETER.lastIndex = start;
  while (PARAMETER.lastIndex < mediaType.length) {
    const parameter = PARAMETER.exec(mediaType);
    if (parameter === null) return false;
    const [, name = '', value = ''] = parameter;
    if (name.toLowerCase() === 'charset' && !/^"?utf-8"?$/i.test(value)) return false;
  }
  return true;
}

const TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i;
const MAX_PARAMETERS = 32;

/** Reads the parameters of a form. An empty parameter counts as absent. A repeated name makes the form invalid. */
async function readForm(
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
  const seenNames = new Set<string>();
  for (const part of parts) {
    const equals = part.indexOf('=');
    const name = decoded(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? '' : decoded(part.slice(equals + 1));
    if (seenNames.has(name)) throw malformed();
    seenNames.add(name);
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
  return wrongField('', 'malformed', 'This is not a form.');
}
