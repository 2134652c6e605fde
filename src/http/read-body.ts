/** Reads the value of a body from its headers and its bytes. */
import { MAX_BODY_MEMBERS } from '../base/values/json-data.ts';
import { IdentityError } from '../errors.ts';
import { readJson } from '../json/read-json.ts';
import type { BodyDescription } from './endpoint.ts';
import { type ApiRequest, headerOf } from './exchange.ts';
import { readForm } from './read-form.ts';

const MAX_BYTES = 64 * 1024;
const JSON_TYPE = /^application\/(json|merge-patch\+json)(?=[ \t]*(?:;|$))/i;
/** A parameter of a media type; some clients write spaces around its sign. */
const PARAMETER =
  /[ \t]*;[ \t]*(?:([!#$%&'*+.^`|~\w-]+)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[!#$%&'*+.^`|~\w-]+)[ \t]*)?/y;

/** Reads the value of the body. One that is too long or has another type is refused without being parsed. */
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
 * Returns the kind of a media type; `undefined` for another type, and for a charset that is not UTF-8. Its other parameters
 * say nothing about JSON. The usual text is compared first: a regular expression costs more than reading all headers.
 */
function typeOf(named: string): string | undefined {
  if (named === 'application/json') return 'json';
  const [all = '', kind] = JSON_TYPE.exec(named) ?? [];
  return kind !== undefined && isUtf8(named, all.length) ? kind.toLowerCase() : undefined;
}

/** Says whether the parameters from this place on can be read and name no charset but UTF-8. */
function isUtf8(named: string, start: number): boolean {
  PARAMETER.lastIndex = start;
  while (PARAMETER.lastIndex < named.length) {
    const parameter = PARAMETER.exec(named);
    if (parameter === null) return false;
    const [, name = '', value = ''] = parameter;
    if (name.toLowerCase() === 'charset' && !/^"?utf-8"?$/i.test(value)) return false;
  }
  return true;
}
