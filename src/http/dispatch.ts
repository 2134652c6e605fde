/** One request through the table: path, method, credential, body, handler, answer. The only try/catch of HTTP. */
import { countedIds } from '../credential/random-id.ts';
import { describeCause, IdentityError, invalidRequest } from '../errors.ts';
import { secureRandom } from '../platform/index.ts';
import {
  type IdentityService,
  type KeyCaller,
  type OnceOptions,
  type RateState,
  within,
} from '../service/index.ts';
import { authenticate } from './authenticate.ts';
import type { Endpoint, Reply } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import type { ApiRequest, ApiResponse, Headers } from './exchange.ts';
import { readHeaders } from './exchange.ts';
import { createMatcher } from './match.ts';
import { openApiDocument } from './openapi.ts';
import { problemHeaders, toIdentityError, toProblem } from './problem.ts';
import { rateHeaders } from './rate-headers.ts';
import { readJson } from './read-json.ts';
import { readQuery } from './read-query.ts';

/** Answers a request, or `undefined` when its path is not in the table. */
export type Dispatch = (request: ApiRequest) => Promise<ApiResponse | undefined>;

const MOST_BYTES = 64 * 1024;
const MOST_BATCH_BYTES = 1024 * 1024;
const MOST_BATCH_MEMBERS = 10_000;
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;
const JSON_TYPE = /^application\/(json|merge-patch\+json)\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** The table over a service. */
export function createDispatch(service: IdentityService): Dispatch {
  const served = endpoints.filter(({ needs }) => needs?.(service) ?? true);
  const matchEndpoint = createMatcher(served);
  const nextRequestId = countedIds('req', secureRandom);
  let document: string | undefined;

  return async (request) => {
    const match = matchEndpoint(request.method, request.path);
    if (match.found === 'nothing') return undefined;
    const headers = readHeaders(request.rawHeaders);
    const requestId = readRequestId(headers) ?? nextRequestId();
    let rate: RateState | undefined;
    try {
      if (match.found === 'path') throw methodNotAllowed(match.allow);
      const { endpoint, params } = match;
      const { caller, credential } = await authenticate(service, endpoint, headers);
      const count = (verifications: number) => {
        rate = service.countVerifications(caller as KeyCaller, verifications);
      };
      if (endpoint.counted) count(1);
      const body = endpoint.body && (await readBody(request, headers, endpoint));
      const query = readQuery(request.query, endpoint.query);
      const call = {
        service,
        caller,
        credential,
        params,
        query,
        header: headers.first,
        body,
        client: request,
        once: endpoint.idempotent ? readOnce(headers) : {},
        count,
        document: () => (document ??= JSON.stringify(openApiDocument(served))),
      };
      // A verdict asks the storage once at most, which has this deadline itself.
      const isBounded = endpoint.counted === true || endpoint.patient === true;
      const reply = await (isBounded
        ? endpoint.handle(call)
        : within(service.deadlineMs, () => endpoint.handle(call)));
      const answer = success(endpoint, reply, requestId, rate);
      // Nobody would read it, and it is long.
      const isUnread = request.method === 'HEAD' && typeof answer.body === 'object';
      return isUnread ? { ...answer, body: undefined } : answer;
    } catch (thrown) {
      // The template, not the path: what callers put into a path may be a secret.
      const where = match.found === 'endpoint' ? match.endpoint.path : 'a path';
      return failure(service, thrown, requestId, `${request.method} ${where}`, rate);
    }
  };
}

/** The answer of a face to a path that nobody serves. */
export function notFound(request: ApiRequest): ApiResponse {
  const error = new IdentityError('not_found', 'There is nothing at this path.');
  const requestId = readRequestId(readHeaders(request.rawHeaders));
  return problem(error, requestId ?? countedIds('req', secureRandom)());
}

async function readBody(request: ApiRequest, headers: Headers, endpoint: Endpoint): Promise<unknown> {
  const named = headers.first('content-type');
  const limit = endpoint.batch ? MOST_BATCH_BYTES : MOST_BYTES;
  if (endpoint.optionalBody && named === undefined && (await request.readBody(limit))?.length === 0)
    return {};
  const type = JSON_TYPE.exec(named ?? '')?.[1]?.toLowerCase();
  const encoding = headers.first('content-encoding')?.toLowerCase() ?? 'identity';
  if ((type !== 'json' && !(endpoint.mergePatch && type !== undefined)) || encoding !== 'identity') {
    throw new IdentityError(
      'unsupported_media_type',
      'Send the body as application/json in UTF-8, uncompressed.',
    );
  }
  const bytes = await request.readBody(limit);
  if (bytes === undefined) {
    throw new IdentityError('payload_too_large', `The body must be at most ${limit} bytes.`);
  }
  if (endpoint.optionalBody && bytes.length === 0) return {};
  return endpoint.batch ? readJson(bytes, { maxMembers: MOST_BATCH_MEMBERS }) : readJson(bytes);
}

/** An empty key is no key at all, and refused by the service; one that comes twice is two. */
function readOnce(headers: Headers): OnceOptions {
  const idempotencyKey = headers.first('idempotency-key');
  if (headers.doubled('idempotency-key')) {
    throw invalidRequest([{ path: '', code: 'duplicate', message: 'Send Idempotency-Key once.' }]);
  }
  return idempotencyKey === undefined ? {} : { idempotencyKey };
}

function readRequestId(headers: Headers): string | undefined {
  const given = headers.first('x-request-id');
  return given !== undefined && REQUEST_ID.test(given) ? given : undefined;
}

function success(
  endpoint: Endpoint,
  reply: Reply,
  requestId: string,
  rate: RateState | undefined,
): ApiResponse {
  const headers = commonHeaders(requestId);
  if (rate !== undefined) headers.push(...rateHeaders(rate));
  const { body } = reply;
  if (reply.headers !== undefined) {
    for (const [name, value] of Object.entries(reply.headers)) headers.push(name, value);
  }
  if (body === undefined) return { status: endpoint.success.status, headers, body: undefined };
  if (reply.headers?.['content-type'] === undefined) headers.push('content-type', 'application/json');
  const whole = typeof body === 'string' || isStream(body) ? body : JSON.stringify(body);
  return { status: endpoint.success.status, headers, body: whole };
}

function isStream(body: unknown): body is AsyncIterable<string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

function failure(
  service: IdentityService,
  thrown: unknown,
  requestId: string,
  what: string,
  rate: RateState | undefined,
): ApiResponse {
  const error = toIdentityError(thrown);
  const refused = error.details['rate'] as RateState | undefined;
  const answer = problem(error, requestId, rateHeaders(refused ?? rate));
  if (answer.status >= 500) {
    service.log({
      level: 'error',
      event: 'request_failed',
      message: `${what} answered ${answer.status}.`,
      request_id: requestId,
      code: error.code,
      cause: describeCause(error),
    });
  }
  return answer;
}

function problem(error: IdentityError, requestId: string, headers: readonly string[] = []): ApiResponse {
  const { status, ...rest } = toProblem(error, requestId);
  return {
    status,
    headers: [...commonHeaders(requestId), ...problemHeaders(error), ...headers],
    body: JSON.stringify({ ...rest, status }),
  };
}

/** What every answer carries. */
function commonHeaders(requestId: string): string[] {
  return ['cache-control', 'no-store', 'x-content-type-options', 'nosniff', 'x-request-id', requestId];
}

function methodNotAllowed(allow: string): IdentityError {
  return new IdentityError('method_not_allowed', `This path takes ${allow}.`, { details: { allow } });
}
