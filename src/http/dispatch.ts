/** One request through the table: path, method, credential, body, handler, answer. The only try/catch of HTTP. */
import { createDeadlines } from '../base/deadlines.ts';
import { countedIds } from '../credential/random-id.ts';
import { describeCause, IdentityError, invalidRequest } from '../errors.ts';
import { secureRandom } from '../platform/index.ts';
import {
  type IdentityService,
  type KeyCaller,
  type OnceOptions,
  type RateState,
  requireScope,
  tooLate,
} from '../service/index.ts';
import { authenticate, readCredential } from './authenticate.ts';
import type { Endpoint, Reply } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { type ApiRequest, type ApiResponse, endedEarly, headerOf, isDoubled } from './exchange.ts';
import { headersTooLarge, requireAllHeaders } from './header-limit.ts';
import { createMatcher, endpointAt } from './match.ts';
import { openApiDocument } from './openapi.ts';
import { problemHeaders, toIdentityError, toProblem } from './problem.ts';
import { rateHeaders } from './rate-headers.ts';
import { mostBytes, readBody } from './read-body.ts';
import { readQuery } from './read-query.ts';

/** Answers a request, or `undefined` when its path is not in the table. */
export type Dispatch = (request: ApiRequest) => Promise<ApiResponse | undefined>;

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** The table over a service. */
export function createDispatch(service: IdentityService): Dispatch {
  if (typeof Object(service).verifyAs !== 'function') {
    const message =
      'No service was given: call it with one, such as app.use("/api", identityRouter(service)).';
    throw new IdentityError('invalid_configuration', message);
  }
  const served = endpoints.filter(({ needs }) => needs?.(service) ?? true);
  const matchEndpoint = createMatcher(served);
  const nextRequestId = countedIds('req', secureRandom);
  const deadlines = createDeadlines(service.deadlineMs, tooLate);
  let described: string | undefined;
  const document = () => (described ??= JSON.stringify(openApiDocument(served)));

  return async (request) => {
    const match = matchEndpoint(request.method, request.path);
    if (match.found === 'nothing') return undefined;
    const { rawHeaders } = request;
    const givenId = readRequestId(rawHeaders);
    const requestId = givenId ?? nextRequestId();
    let rate: RateState | undefined;
    try {
      if (match.found === 'path') throw methodNotAllowed(match.allow);
      requireAllHeaders(request);
      const { endpoint, params } = match;
      const shown = readCredential(endpoint, rawHeaders);
      const caller = shown && (await authenticate({ service, deadlines, requestId }, shown));
      if (shown?.kind === 'key' && endpoint.scope !== undefined)
        requireScope(caller as KeyCaller, endpoint.scope);
      const count = (verifications: number) => {
        rate = service.countVerifications(caller as KeyCaller, verifications);
      };
      if (endpoint.counted) count(1);
      let body: unknown;
      if (endpoint.body !== undefined) {
        const bytes = await request.readBody(mostBytes(endpoint, rawHeaders));
        body = readBody(endpoint, rawHeaders, bytes);
      }
      const query = readQuery(request.query, endpoint.query);
      // Of a verdict it is filed, and then only where the client gave one; of all else it is for the log.
      const request_id = endpoint.counted ? (givenId ?? null) : requestId;
      const call = {
        service,
        caller: caller && { ...caller, request_id },
        credential: shown?.text ?? '',
        params,
        query,
        rawHeaders,
        body,
        client: () => ({ ...request.client(), request_id }),
        requestId,
        signal: request.signal,
        once: endpoint.idempotent ? readOnce(rawHeaders) : NOT_ONCE,
        count,
        document,
      };
      // A verdict asks the storage once at most, which has this deadline itself.
      const isBounded = endpoint.counted === true || endpoint.patient === true;
      const reply = await (isBounded ? endpoint.handle(call) : deadlines.limit(() => endpoint.handle(call)));
      const answer = success(endpoint, reply, requestId, rate);
      // Nobody would read it, and it is long.
      const isUnread = request.method === 'HEAD' && typeof answer.body === 'object';
      return isUnread ? { ...answer, body: undefined } : answer;
    } catch (error) {
      const thrown = isAbort(error) ? endedEarly() : error;
      // The template, not the path: what callers put into a path may be a secret.
      const where = match.found === 'endpoint' ? match.endpoint.path : 'a path';
      return failure(service, thrown, requestId, `${request.method} ${where}`, rate);
    }
  };
}

/** The 404 of a face at `basePath`. For a path of the API without that base it names the right path. */
export function notFound(request: ApiRequest, { path, basePath }: Asked): ApiResponse {
  const meant = endpointAt(path);
  const hint = meant === undefined ? '' : ` The API is below ${basePath}: this one is ${basePath}${meant}.`;
  const error = new IdentityError('not_found', `There is nothing at this path.${hint}`);
  return problem(error, readRequestId(request.rawHeaders) ?? newRequestId());
}

/** The whole path of a request, without its query, and where the API stands. */
interface Asked {
  readonly path: string;
  readonly basePath: string;
}

/** The answer of a server to a request whose headers it does not read to their end. */
export function headersRefused(): ApiResponse {
  return problem(headersTooLarge(), newRequestId());
}

function newRequestId(): string {
  return countedIds('req', secureRandom)();
}

const NOT_ONCE: OnceOptions = {};

/** An empty key is no key at all, and refused by the service; one that comes twice is two. */
function readOnce(rawHeaders: readonly string[]): OnceOptions {
  const idempotencyKey = headerOf(rawHeaders, 'idempotency-key');
  if (isDoubled(rawHeaders, 'idempotency-key')) {
    throw invalidRequest([{ path: '', code: 'duplicate', message: 'Send Idempotency-Key once.' }]);
  }
  return idempotencyKey === undefined ? {} : { idempotencyKey };
}

function readRequestId(rawHeaders: readonly string[]): string | undefined {
  const given = headerOf(rawHeaders, 'x-request-id');
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

/** The signal of the request has ended what it asked for: its client has gone. */
function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

function methodNotAllowed(allow: string): IdentityError {
  return new IdentityError('method_not_allowed', `This path takes ${allow}.`, { details: { allow } });
}
