/** Defines the complete list of error codes. A denial is a verdict, never an error. */
export type IdentityErrorCode =
  | 'invalid_json'
  | 'invalid_request'
  | 'unauthenticated'
  | 'invalid_credentials'
  | 'insufficient_scope'
  | 'cross_origin'
  | 'insufficient_role'
  | 'second_person_required'
  | 'plan_limit_reached'
  | 'not_found'
  | 'method_not_allowed'
  | 'already_exists'
  | 'domain_claimed'
  | 'domain_unproven'
  | 'conflict'
  | 'spend_lapsed'
  | 'version_mismatch'
  | 'would_widen'
  | 'payload_too_large'
  | 'headers_too_large'
  | 'unsupported_media_type'
  | 'idempotency_mismatch'
  | 'rate_limited'
  | 'internal'
  | 'not_implemented'
  | 'storage_unavailable'
  | 'overloaded'
  | 'invalid_configuration'
  | 'service_unreachable'
  | 'tool_denied'
  | 'invalid_token'
  | 'token_refused';

/** A wrong field of a request. */
export interface FieldError {
  /** The path of the field: a JSON Pointer (RFC 6901) into the input, `''` for the whole input. */
  readonly path: string;
  /** The kind of error, such as `required`, `unknown_field`, `malformed`. */
  readonly code: string;
  /** A sentence that says how to correct the field. */
  readonly message: string;
}

/** The details of an error. They never contain a secret. */
export interface IdentityErrorDetails {
  /** The wrong fields of an `invalid_request`, at most 20. */
  readonly errors?: readonly FieldError[];
  /** The seconds to wait before the next attempt. */
  readonly retryAfterSeconds?: number;
  readonly [fact: string]: unknown;
}

/**
 * The one error class of this package: branch on `code`, show `message`.
 *
 * @example
 * import { createIdentityService, IdentityError } from 'agent-identity-service';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 *
 * const service = createIdentityService({ storage: memoryStorage() });
 * try {
 *   await service.passports.get('did:web:example.com:agents:unknown');
 * } catch (error) {
 *   if (!(error instanceof IdentityError)) throw error;
 *   console.log(error.code); // not_found
 * }
 */
export class IdentityError extends Error {
  readonly code: IdentityErrorCode;
  readonly details: IdentityErrorDetails;

  constructor(
    code: IdentityErrorCode,
    message: string,
    options: { cause?: unknown; details?: IdentityErrorDetails } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'IdentityError';
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** Returns the JSON Pointer (RFC 6901) of these path segments. */
export function pointer(...segments: readonly (string | number)[]): string {
  return segments.map((segment) => `/${`${segment}`.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * The maximum number of field errors in a response. The number is enough to correct a request, and keeps the response
 * small if all parts of a large body are wrong.
 */
export const MAX_FIELD_ERRORS = 20;

/** Returns an `invalid_request` that names the wrong fields, at most 20 of `count`. */
export function invalidRequest(
  fieldErrors: readonly FieldError[],
  count: number = fieldErrors.length,
): IdentityError {
  const errors = fieldErrors.slice(0, MAX_FIELD_ERRORS);
  const [first, ...otherErrors] = errors;
  if (first === undefined) return new IdentityError('invalid_request', 'The request is not valid.');
  const place = first.path === '' ? 'The request' : shortened(first.path);
  const paths = [...new Set(otherErrors.map(({ path }) => path))].filter((path) => path !== first.path);
  const moreCount = count - errors.length;
  const alsoPaths = [...paths.map(shortened), ...(moreCount > 0 ? [`and ${moreCount} more`] : [])];
  const message = `${place}: ${first.message}${alsoPaths.length > 0 ? ` Also wrong: ${alsoPaths.join(', ')}.` : ''}`;
  return new IdentityError('invalid_request', message, { details: { errors } });
}

/** Returns an `invalid_request` that names one field. */
export function wrongField(path: string, code: string, message: string): IdentityError {
  return invalidRequest([{ path, code, message }]);
}

/** Throws `invalid_request` if there are field errors. */
export function refuseAny(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidRequest(errors);
}

/**
 * Returns a `not_found`. It does not repeat the id, which may be a secret that a caller passed instead. It is the same for
 * a thing that another account has.
 */
export function noSuch(thing: string): IdentityError {
  return new IdentityError('not_found', `There is no ${thing} with this id that you can access.`);
}

/** Returns a `conflict`. */
export function conflict(message: string): IdentityError {
  return new IdentityError('conflict', message);
}

/** Returns an `invalid_configuration`. */
export function unfit(message: string): IdentityError {
  return new IdentityError('invalid_configuration', message);
}

/** Returns an `overloaded` for a caller that tries again after a second. */
export function overloaded(message: string, cause?: unknown): IdentityError {
  return new IdentityError('overloaded', message, { cause, details: { retryAfterSeconds: 1 } });
}

const MAX_SHOWN = 80;

/** Shortens a path for a message, because the name of an unknown field may be as long as the body. */
function shortened(path: string): string {
  return path.length <= MAX_SHOWN ? path : `${path.slice(0, MAX_SHOWN)}…`;
}

/**
 * Returns an `invalid_request` for a value that is not plain data. The members of such a value cannot be read reliably.
 */
export function notPlain(path: readonly string[]): IdentityError {
  return wrongField(pointer(...path), 'not_plain', 'This must be plain data, such as JSON.');
}

/** Describes the cause of an error for operators. Removes the user part of a URL, which may contain a password. */
export function describeCause(error: unknown): string | undefined {
  const cause = error instanceof IdentityError ? error.cause : error;
  if (!(cause instanceof Error)) return cause === undefined ? undefined : typeof cause;
  return `${cause.name}: ${cause.message}`.replaceAll(/\/\/[^/@\s]*@/g, '//***@');
}
