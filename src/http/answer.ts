/**
 * The third step of a request: creates the answer from the reply of the endpoint, or from the error that was thrown.
 */

import type { RateState } from '../core.ts';
import { countedIds } from '../credential/random-id.ts';
import { describeCause, IdentityError, type IdentityErrorCode } from '../errors.ts';
import { secureRandom } from '../platform/index.ts';
import { headersTooLarge } from './admit.ts';
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
import { hostLoginFailure } from './host-login.ts';
import { templateIn } from './match.ts';
import { PROBLEMS, problemHeaders, textStatus, toIdentityError, toProblem } from './problem.ts';

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
  return { status, headers, body: isReady(body) ? body : JSON.stringify(body) };
}

function isReady(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function isStream(body: unknown): body is StreamBody {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** The endpoint of a failed request. */
export interface FailedPlace {
  /** The path in the table of endpoints, because the path of the request may contain a secret. */
  readonly path: string;
  /** The format of the errors of the endpoint, if they are not problem documents. */
  readonly errorsAs: Endpoint['errorsAs'];
}

/** Creates the error answer. Logs the error if the service is at fault. */
export function failure(
  { request, service, requestId, rate }: Pick<Exchange, 'request' | 'service' | 'requestId' | 'rate'>,
  { path, errorsAs }: FailedPlace,
  thrownError: unknown,
): ApiResponse {
  const error = toIdentityError(isAbort(thrownError) ? endedEarly() : thrownError);
  const refusedState = error.details['rate'] as RateState | undefined;
  const headers = rateHeaders(refusedState ?? rate);
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

/** Returns `true` if the request was aborted because its client disconnected. */
function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** The whole path of a request without its query, the base path of the API, and the endpoints of the service. */
interface Place {
  readonly path: string;
  readonly basePath: string;
  readonly served: readonly Endpoint[];
}

/**
 * Creates the 404 answer of a binding. If only the base path is missing in the path, the message names the right path.
 */
export function notFound(request: ApiRequest, { path, basePath, served }: Place): ApiResponse {
  const template = templateIn(served, path);
  const hint =
    template === undefined ? '' : ` The API is below ${basePath}: this one is ${basePath}${template}.`;
  const error = new IdentityError('not_found', `There is nothing at this path.${hint}`);
  return problem(error, readRequestId(request.rawHeaders) ?? newRequestId());
}

/** Creates the answer of a server that refuses a request before it has read all headers. */
export function headersRefused(): ApiResponse {
  return problem(headersTooLarge(), newRequestId());
}

function newRequestId(): string {
  return countedIds('req', secureRandom).next();
}

function problem(error: IdentityError, requestId: string, headers: readonly string[] = []): ApiResponse {
  const { status, ...otherFields } = toProblem(error, requestId);
  return {
    status,
    headers: [...commonHeaders(requestId), ...problemHeaders(error), ...headers],
    body: JSON.stringify({ ...otherFields, status }),
  };
}

function textProblem(error: IdentityError, requestId: string, headers: readonly string[]): ApiResponse {
  const { status } = PROBLEMS[error.code];
  return {
    status: textStatus(status),
    headers: [...commonHeaders(requestId), ...problemHeaders(error, 'application/json'), ...headers],
    body: JSON.stringify(error.message),
  };
}

function oauthProblem(error: IdentityError, requestId: string, isAuthorized: boolean): ApiResponse {
  const { status, headers, body } = toOauthError(error, isAuthorized);
  return { status, headers: [...commonHeaders(requestId), ...headers], body: JSON.stringify(body) };
}

function commonHeaders(requestId: string, cacheControl = 'no-store'): string[] {
  return ['cache-control', cacheControl, 'x-content-type-options', 'nosniff', 'x-request-id', requestId];
}

/**
 * Returns `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers) as alternating names and values.
 */
function rateHeaders(rate: RateState | undefined): string[] {
  if (rate === undefined) return [];
  const { policy, limit, remaining, resetSeconds } = rate;
  return [
    'ratelimit',
    `"${policy}";r=${remaining};t=${resetSeconds}`,
    'ratelimit-policy',
    `"${policy}";q=${limit};w=60`,
  ];
}

interface OauthAnswer {
  readonly status: number;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: {
    readonly error: string;
    readonly error_description: string;
    readonly decision_id?: unknown;
  };
}

type Row = readonly [status: number, error: string, description: string];

const FAILED: Row = [500, 'server_error', 'Something went wrong here.'];
const BUSY: Row = [503, 'temporarily_unavailable', 'The service cannot answer now.'];
const FORM = 'Send one form as application/x-www-form-urlencoded in UTF-8.';

/** The answers by error code. All other codes are failures of the service. */
const ROWS: Readonly<Partial<Record<IdentityErrorCode, Row>>> = {
  invalid_request: [400, 'invalid_request', FORM],
  unsupported_media_type: [400, 'invalid_request', FORM],
  payload_too_large: [413, 'invalid_request', 'The form is too long.'],
  rate_limited: [429, 'slow_down', 'The rate of the account is used up.'],
  storage_unavailable: BUSY,
  overloaded: BUSY,
};

/** Returns the status of an error with this code. `usual` is the status outside OAuth. */
export function oauthStatus(usual: number, code: IdentityErrorCode): number {
  return ROWS[code]?.[0] ?? usual;
}

function toOauthError({ code, message, details }: IdentityError, isAuthorized: boolean): OauthAnswer {
  const { error: name, decision_id, retryAfterSeconds = 1 } = details;
  const [status, error, error_description] =
    code === 'token_refused' ? ([400, String(name), message] as const) : (ROWS[code] ?? FAILED);
  const isChallenged = error === 'invalid_client' && isAuthorized;
  return {
    status: isChallenged ? 401 : status,
    headers: [
      'content-type',
      'application/json',
      'pragma',
      'no-cache',
      ...(isChallenged ? ['www-authenticate', 'Basic realm="agent-identity"'] : []),
      ...(status === 429 || status === 503 ? ['retry-after', `${retryAfterSeconds}`] : []),
    ],
    body: { error, error_description, ...(decision_id !== undefined && { decision_id }) },
  };
}
