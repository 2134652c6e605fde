/** The third step of a request: makes the answer from the reply of the endpoint, or from the error that was thrown. */
import { countedIds } from '../credential/random-id.ts';
import { describeCause, IdentityError } from '../errors.ts';
import { secureRandom } from '../platform/index.ts';
import type { RateState } from '../service.ts';
import type { Endpoint, Reply } from './endpoint.ts';
import {
  type ApiRequest,
  type ApiResponse,
  type Exchange,
  endedEarly,
  headerOf,
  readRequestId,
  readTraceId,
  type StreamBody,
} from './exchange.ts';
import { headersTooLarge } from './header-limit.ts';
import { hostLoginFailure } from './host-login.ts';
import { templateIn } from './match.ts';
import { toOauthError } from './oauth-error.ts';
import { PROBLEMS, problemHeaders, textStatus, toIdentityError, toProblem } from './problem.ts';
import { rateHeaders } from './rate-headers.ts';

/** Makes the answer from the reply of an endpoint. */
export function success(
  { request, requestId, rate }: Exchange,
  endpoint: Endpoint,
  reply: Reply,
): ApiResponse {
  const headers = commonHeaders(requestId, reply.headers?.['cache-control']);
  if (rate !== undefined) headers.push(...rateHeaders(rate));
  const { body } = reply;
  if (reply.headers !== undefined) {
    for (const [name, value] of Object.entries(reply.headers)) {
      if (name !== 'cache-control') headers.push(name, value);
    }
  }
  if (reply.notModified) return { status: 304, headers, body: undefined };
  const { status = endpoint.success.status } = reply;
  if (body === undefined) return { status, headers, body: undefined };
  if (reply.headers?.['content-type'] === undefined) {
    headers.push('content-type', endpoint.success.mediaType ?? 'application/json');
  }
  // A stream may stay open for long, and the answer to HEAD has no body.
  if (isStream(body)) {
    if (request.method !== 'HEAD') return { status, headers, body };
    void body[Symbol.asyncIterator]().return?.();
    return { status, headers, body: undefined };
  }
  const isSent = typeof body === 'string' || isBytes(body);
  return { status, headers, body: isSent ? body : JSON.stringify(body) };
}

function isBytes(body: unknown): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array;
}

function isStream(body: unknown): body is StreamBody {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** The endpoint at which a request failed. */
export interface FailedPlace {
  /** The path as the table has it: the path of the request may contain a secret. */
  readonly path: string;
  /** The form of its errors, if they are no problem documents. */
  readonly errorsAs: Endpoint['errorsAs'];
}

/** Makes the error answer, and logs it if the service is at fault. */
export function failure(
  { request, service, requestId, rate }: Exchange,
  { path, errorsAs }: FailedPlace,
  thrown: unknown,
): ApiResponse {
  const error = toIdentityError(isAbort(thrown) ? endedEarly() : thrown);
  const refused = error.details['rate'] as RateState | undefined;
  const headers = rateHeaders(refused ?? rate);
  const answer =
    errorsAs === 'oauth'
      ? oauthProblem(error, requestId, headerOf(request.rawHeaders, 'authorization') !== undefined)
      : (errorsAs === 'text' ? textProblem : problem)(error, requestId, headers);
  const hostFailure = hostLoginFailure(error);
  // A caller can ask for a feature that this host has not set up: that is no fault to log.
  if (hostFailure !== undefined || (answer.status >= 500 && error.code !== 'not_implemented')) {
    const trace_id = readTraceId(request.rawHeaders);
    service.serving.log({
      level: 'error',
      event: hostFailure === undefined ? 'request_failed' : 'host_login_failed',
      message: `${request.method} ${path} answered ${answer.status}.`,
      request_id: requestId,
      ...(trace_id !== null && { trace_id }),
      code: error.code,
      ...(hostFailure ?? { cause: describeCause(error) }),
    });
  }
  return answer;
}

/** Says whether the request was aborted because its client disconnected. */
function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** The whole path of a request, without its query, the base path of the API, and the endpoints that are served. */
interface Place {
  readonly path: string;
  readonly basePath: string;
  readonly served: readonly Endpoint[];
}

/** Makes the 404 of a binding. If the path lacks only the base path, the message names the right path. */
export function notFound(request: ApiRequest, { path, basePath, served }: Place): ApiResponse {
  const meant = templateIn(served, path);
  const hint = meant === undefined ? '' : ` The API is below ${basePath}: this one is ${basePath}${meant}.`;
  const error = new IdentityError('not_found', `There is nothing at this path.${hint}`);
  return problem(error, readRequestId(request.rawHeaders) ?? newRequestId());
}

/** Makes the answer of a server that refuses a request before it has read all of its headers. */
export function headersRefused(): ApiResponse {
  return problem(headersTooLarge(), newRequestId());
}

function newRequestId(): string {
  return countedIds('req', secureRandom)();
}

function problem(error: IdentityError, requestId: string, headers: readonly string[] = []): ApiResponse {
  const { status, ...rest } = toProblem(error, requestId);
  return {
    status,
    headers: [...commonHeaders(requestId), ...problemHeaders(error), ...headers],
    body: JSON.stringify({ ...rest, status }),
  };
}

/** Makes an error answer whose body is the message alone. */
function textProblem(error: IdentityError, requestId: string, headers: readonly string[]): ApiResponse {
  const { status } = PROBLEMS[error.code];
  return {
    status: textStatus(status),
    headers: [...commonHeaders(requestId), ...problemHeaders(error, 'application/json'), ...headers],
    body: JSON.stringify(error.message),
  };
}

/** Makes an error answer of OAuth (RFC 6749 section 5.2). */
function oauthProblem(error: IdentityError, requestId: string, isAuthorized: boolean): ApiResponse {
  const { status, headers, body } = toOauthError(error, isAuthorized);
  return { status, headers: [...commonHeaders(requestId), ...headers], body: JSON.stringify(body) };
}

/** Returns the headers that every answer has. */
function commonHeaders(requestId: string, cacheControl = 'no-store'): string[] {
  return ['cache-control', cacheControl, 'x-content-type-options', 'nosniff', 'x-request-id', requestId];
}
