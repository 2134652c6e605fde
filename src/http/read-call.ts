/** Reads the query and the headers of a request. */

import { readEventId } from '../base/bytes/event-position.ts';
import { suggestion } from '../base/known-options.ts';
import { isDomain, isSetName, parseAgentId } from '../base/values/agent-id.ts';
import { parseInstant } from '../base/values/instant.ts';
import { MAX_BODY_MEMBERS } from '../base/values/json-data.ts';
import { anyOf } from '../base/values/vocabulary.ts';
import { type KeyCaller, type OnceOptions, tracedCaller } from '../core.ts';
import { type FieldError, IdentityError, pointer, refuseAny, wrongField } from '../errors.ts';
import { readJson } from '../json/read-json.ts';
import type { QueryParameter } from '../operations/parameters.ts';
import { mustBe } from '../schema/expected.ts';
import { orderErrors, readRange } from '../schema/instant-range.ts';
import type { Admission } from './admit.ts';
import type { ServedService } from './api-host.ts';
import type { BodyDescription, Call, Callers, Credential } from './endpoint.ts';
import { type ApiRequest, type Exchange, headerOf, isDoubled, readTraceId } from './exchange.ts';
import type { EndpointMatch } from './match.ts';

export function readCall(
  exchange: Exchange,
  { endpoint, params }: EndpointMatch,
  { caller, credential }: Admission,
  body: unknown,
): Call<Credential> {
  const { request, service, requestId, document } = exchange;
  const { rawHeaders } = request;
  const query = readQuery(request.query, endpoint.query);
  const trace_id = endpoint.counted ? readTraceId(rawHeaders) : null;
  return {
    service: service as ServedService,
    caller: (caller &&
      tracedCaller(caller, { request_id: requestId, trace_id })) as unknown as Callers[Credential],
    credential,
    params,
    query,
    rawHeaders,
    body,
    client: () => ({ request_id: requestId, ...request.client() }),
    requestId,
    signal: request.signal,
    once: endpoint.idempotent ? readOnce(rawHeaders) : NOT_ONCE,
    count(verifications) {
      exchange.rate = service.serving.countVerifications(caller as KeyCaller, verifications);
    },
    document,
  };
}

const NOT_ONCE: OnceOptions = {};

/** Reads the `Idempotency-Key`. Passes on an empty key, because the service refuses it. */
function readOnce(rawHeaders: readonly string[]): OnceOptions {
  const idempotencyKey = headerOf(rawHeaders, 'idempotency-key');
  if (isDoubled(rawHeaders, 'idempotency-key')) {
    throw wrongField('', 'duplicate', 'Send Idempotency-Key once.');
  }
  return idempotencyKey === undefined ? {} : { idempotencyKey };
}

function readQuery(
  text: string,
  parameters: readonly QueryParameter[] = [],
): Readonly<Record<string, string>> {
  if (text === '' || parameters.length === 0) return {};
  const query: Record<string, string> = {};
  const errors: FieldError[] = [];
  const names = parameters.map(({ name }) => name);
  for (const [name, value] of new URLSearchParams(text)) {
    const path = pointer(name);
    const parameter = parameters.find((parameter) => parameter.name === name);
    const refuse = (code: string, message: string) => errors.push({ path, code, message });
    const problem = parameter && textProblem(value, parameter);
    if (parameter === undefined) {
      refuse('unknown_field', `There is no such parameter.${suggestion(name, names)}`);
    } else if (Object.hasOwn(query, name)) {
      refuse('duplicate', 'This parameter came twice.');
    } else if (problem !== undefined) {
      refuse(...problem);
    } else {
      const code = breach(value, parameter);
      if (code !== undefined) refuse(code, wanted(path, parameter));
      query[name] = value;
    }
  }
  refuseAny([...errors, ...orderErrors(readRange(query))]);
  return query;
}

function textProblem(
  value: string,
  { mayBeEmpty }: QueryParameter,
): readonly [code: string, message: string] | undefined {
  if (value === '' && mayBeEmpty !== true) return ['too_short', 'This is empty: leave it out instead.'];
  const isMalformed = value.includes('\uFFFD') || value.includes('\0');
  return isMalformed ? ['malformed', 'This is not well-formed text.'] : undefined;
}

/**
 * Returns a text about the valid values. The text comes from the schema, because the valid values of `status` differ
 * between lists.
 */
function wanted(path: string, { schema }: QueryParameter): string {
  const { enum: choices } = schema;
  return Array.isArray(choices) ? `This must be ${anyOf(choices)}.` : mustBe(path);
}

/** The checks of parameters with a grammar, such as domains. The service decides later if localhost is allowed. */
const GRAMMARS: Readonly<Record<NonNullable<QueryParameter['grammar']>, (value: string) => boolean>> = {
  domain: (value) => isDomain(value, { allowLocalhost: true }),
  agent_id: (value) => parseAgentId(value, { allowLocalhost: true }) !== undefined,
  event_id: (value) => readEventId(value) !== undefined,
  set_name: isSetName,
};

const BOOLEANS: readonly string[] = ['true', 'false'];

function breach(value: string, { schema, grammar }: QueryParameter): string | undefined {
  if (grammar !== undefined && !GRAMMARS[grammar](value)) return 'malformed';
  const { enum: choices, type, minimum, maximum, format } = schema;
  if (Array.isArray(choices)) return choices.includes(value) ? undefined : 'not_allowed';
  if (format === 'date-time') return parseInstant(value) === undefined ? 'malformed' : undefined;
  if (type === 'boolean') return BOOLEANS.includes(value) ? undefined : 'not_allowed';
  if (type !== 'integer') return undefined;
  const number = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
  return number >= Number(minimum) && number <= Number(maximum) ? undefined : 'out_of_range';
}

// Reads the value of a body from its headers and its bytes.

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
