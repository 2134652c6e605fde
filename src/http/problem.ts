/** Converts errors to RFC 9457 problem details. */
import { IdentityError, type IdentityErrorCode, type IdentityErrorDetails } from '../errors.ts';

export const PROBLEMS: Readonly<Record<IdentityErrorCode, { status: number; title: string }>> = {
  invalid_json: { status: 400, title: 'The body is not the JSON we accept' },
  invalid_request: { status: 400, title: 'The request is not valid' },
  unauthenticated: { status: 401, title: 'Authentication is required' },
  invalid_credentials: { status: 401, title: 'The credentials are wrong' },
  insufficient_scope: { status: 403, title: 'The key lacks the scope' },
  cross_origin: { status: 403, title: 'The request comes from another site' },
  insufficient_role: { status: 403, title: 'The role of the member does not allow it' },
  second_person_required: { status: 403, title: 'Another person has to approve' },
  domain_unproven: { status: 403, title: 'The account has not proved the domain' },
  plan_limit_reached: { status: 403, title: 'The limit of the plan is reached' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  already_exists: { status: 409, title: 'It exists already' },
  domain_claimed: { status: 409, title: 'The domain belongs to another account' },
  conflict: { status: 409, title: 'The state of the object forbids it' },
  spend_lapsed: { status: 409, title: 'The hold has expired' },
  version_mismatch: { status: 412, title: 'The passport has another version' },
  would_widen: { status: 412, title: 'The change would allow more than before' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be application/json' },
  idempotency_mismatch: { status: 422, title: 'The idempotency key was used for another request' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  internal: { status: 500, title: 'Something went wrong here' },
  not_implemented: { status: 501, title: 'This is not offered here' },
  invalid_configuration: { status: 500, title: 'An option is missing or wrong' },
  storage_unavailable: { status: 503, title: 'The storage does not answer' },
  overloaded: { status: 503, title: 'The node has too much work' },
  service_unreachable: { status: 503, title: 'The service cannot be reached' },
  tool_denied: { status: 403, title: 'The verdict is not ALLOW' },
  invalid_token: { status: 401, title: 'The token is not valid' },
  token_refused: { status: 400, title: 'No access token is issued' },
};

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: IdentityErrorCode;
  readonly request_id: string;
  readonly errors?: readonly unknown[];
  readonly token?: unknown;
  /** The DNS record in which you can publish the token. */
  readonly dns?: unknown;
  /** The URL at which you can publish the token, in place of the DNS record. */
  readonly https?: unknown;
  readonly roles?: unknown;
  /** The reason why the approval of this person does not count, for `second_person_required`. */
  readonly because?: unknown;
  readonly approval_id?: unknown;
  /** The instant at which the required approval expires. */
  readonly expires_at?: unknown;
  readonly too_many?: unknown;
  readonly change?: unknown;
  /** The instant after which a `conflict` no longer applies, if it is known. */
  readonly until?: unknown;
}

/** Returns an `IdentityError` as it is if the client may see it. Converts everything else to `internal`. */
export function toIdentityError(error: unknown): IdentityError {
  if (error instanceof IdentityError && error.code !== 'invalid_configuration') return error;
  return new IdentityError('internal', 'Something went wrong here; the request id leads to the log.', {
    cause: error,
  });
}

/** Returns the `type` of a problem: a link to the code in the reference that the dashboard serves at `/`. */
export function problemType(code: IdentityErrorCode): string {
  return `/reference#${code}`;
}

/** Creates the problem document of an error. It contains no stack, no cause and no secret. */
export function toProblem(error: IdentityError, request_id: string): Problem {
  const { status, title } = PROBLEMS[error.code];
  const { errors, token, dns, https, change, roles, until } = error.details;
  return {
    type: problemType(error.code),
    title,
    status,
    detail: error.message,
    code: error.code,
    request_id,
    ...(errors !== undefined && { errors }),
    ...(error.code === 'domain_unproven' && token !== undefined && { token, dns, https }),
    ...(error.code === 'insufficient_role' && { roles }),
    ...(error.code === 'would_widen' && { change }),
    ...(error.code === 'conflict' && until !== undefined && { until }),
    ...(error.code === 'second_person_required' && secondPerson(error.details)),
  };
}

function secondPerson({
  because,
  approval_id,
  expires_at,
  too_many,
}: IdentityErrorDetails): Partial<Problem> {
  return {
    ...(because !== undefined && { because }),
    ...(approval_id !== undefined && { approval_id, expires_at }),
    ...(too_many !== undefined && { too_many }),
  };
}

/** Returns 400 instead of 415 for endpoints that send errors as text, because AuthZEN has no 415. */
export function textStatus(status: number): number {
  return status === 415 ? 400 : status;
}

const DEFAULT_RETRY: Partial<Record<IdentityErrorCode, number>> = { service_unreachable: 1 };

export function problemHeaders(error: IdentityError, mediaType = 'application/problem+json'): string[] {
  const { retryAfterSeconds = DEFAULT_RETRY[error.code], allow } = error.details;
  const headers = ['content-type', mediaType];
  if (retryAfterSeconds !== undefined) headers.push('retry-after', `${retryAfterSeconds}`);
  if (typeof allow === 'string') headers.push('allow', allow);
  if (error.code === 'unauthenticated' || error.code === 'invalid_credentials') {
    headers.push('www-authenticate', 'Bearer realm="agent-identity", ApiKey realm="agent-identity"');
  }
  return headers;
}
