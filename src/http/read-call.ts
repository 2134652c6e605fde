/** Reads the query and the headers of a request. */

import { readEventId } from '../base/bytes/event-position.ts';
import { suggestion } from '../base/known-options.ts';
import { isDomain, isSetName, parseAgentId } from '../base/values/agent-id.ts';
import { parseInstant } from '../base/values/instant.ts';
import { anyOf } from '../base/values/vocabulary.ts';
import { type KeyCaller, type OnceOptions, tracedCaller } from '../core.ts';
import { type FieldError, pointer, refuseAny, wrongField } from '../errors.ts';
import type { QueryParameter } from '../operations/parameters.ts';
import { mustBe } from '../schema/expected.ts';
import { orderErrors, readRange } from '../schema/instant-range.ts';
import type { Admission } from './admit.ts';
import type { ServedService } from './api-host.ts';
import type { Call, Callers, Credential } from './endpoint.ts';
import { type Exchange, headerOf, isDoubled, readTraceId } from './exchange.ts';
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
    if (parameter === undefined) {
      refuse('unknown_field', `There is no such parameter.${suggestion(name, names)}`);
    } else if (Object.hasOwn(query, name)) {
      refuse('duplicate', 'This parameter came twice.');
    } else if (value === '' && parameter.mayBeEmpty !== true) {
      refuse('too_short', 'This is empty: leave it out instead.');
    } else if (value.includes('\uFFFD') || value.includes('\0')) {
      refuse('malformed', 'This is not well-formed text.');
    } else {
      const code = breach(value, parameter);
      if (code !== undefined) refuse(code, wanted(path, parameter));
      query[name] = value;
    }
  }
  refuseAny([...errors, ...orderErrors(readRange(query))]);
  return query;
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

function breach(value: string, { schema, grammar }: QueryParameter): string | undefined {
  if (grammar !== undefined && !GRAMMARS[grammar](value)) return 'malformed';
  const { enum: choices, type, minimum, maximum, format } = schema;
  if (Array.isArray(choices)) return choices.includes(value) ? undefined : 'not_allowed';
  if (format === 'date-time') return parseInstant(value) === undefined ? 'malformed' : undefined;
  if (type === 'boolean') return value === 'true' || value === 'false' ? undefined : 'not_allowed';
  if (type !== 'integer') return undefined;
  const number = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
  return number >= Number(minimum) && number <= Number(maximum) ? undefined : 'out_of_range';
}
