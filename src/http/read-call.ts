/** The second step of a request: reads the query and the headers. */
import { invalidRequest } from '../errors.ts';
import { type KeyCaller, type OnceOptions, tracedCaller } from '../service.ts';
import type { Admission } from './admit.ts';
import type { Call, Callers, Credential } from './endpoint.ts';
import { type Exchange, headerOf, isDoubled, readTraceId } from './exchange.ts';
import type { EndpointMatch } from './match.ts';
import { readQuery } from './read-query.ts';

/** Makes the call of an endpoint from an admitted request and its body. */
export function readCall(
  exchange: Exchange,
  { endpoint, params }: EndpointMatch,
  { caller, credential }: Admission,
  body: unknown,
): Call<Credential> {
  const { request, service, requestId, document } = exchange;
  const { rawHeaders } = request;
  const query = readQuery(request.query, endpoint.query);
  // A verdict record stores a request id only if the client gave one; in all other calls the id is for the log.
  const request_id = endpoint.counted ? (exchange.givenId ?? null) : requestId;
  const trace_id = endpoint.counted ? readTraceId(rawHeaders) : null;
  return {
    service,
    caller: (caller && tracedCaller(caller, { request_id, trace_id })) as Callers[Credential],
    credential,
    params,
    query,
    rawHeaders,
    body,
    client: () => ({ request_id, ...request.client() }),
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

/** Reads the `Idempotency-Key`. An empty one is passed on, because the service refuses it. */
function readOnce(rawHeaders: readonly string[]): OnceOptions {
  const idempotencyKey = headerOf(rawHeaders, 'idempotency-key');
  if (isDoubled(rawHeaders, 'idempotency-key')) {
    throw invalidRequest([{ path: '', code: 'duplicate', message: 'Send Idempotency-Key once.' }]);
  }
  return idempotencyKey === undefined ? {} : { idempotencyKey };
}
