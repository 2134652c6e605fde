/**
 * Uses the login of the application instead of tokens: reads the options, and asks the application who sends a request.
 */

import type { SessionCaller } from '../core.ts';
import { IdentityError } from '../errors.ts';
import type { HostLogin } from '../records.ts';
import { type OriginOptions, readTrustedOrigins, refuseCrossOrigin } from './cross-origin.ts';
import type { Exchange, LentLogin } from './exchange.ts';

/** Returns the person that the application has signed in. Returns `null` or `undefined` if no person is signed in. */
export type Authenticate<Asked> = (
  request: Asked,
) => HostLogin | null | undefined | PromiseLike<HostLogin | null | undefined>;

/** The options of a mount that uses the login of the application. */
export interface HostLoginOptions<Asked> extends OriginOptions {
  /**
   * Returns the person who sends a request, by the login of your application. If the function returns `null`, the
   * answer is 401. With this option, the API takes no access token, and `/auth/…` is 404. The function must not read
   * the body. If the function throws or returns a wrong field, the answer is 500, and the service log has the line
   * `host_login_failed`.
   */
  readonly authenticate?: Authenticate<Asked>;
}

/** Returns the login for a request of this binding. Returns `undefined` if the API uses tokens. */
export type Lender<Asked> = (request: Asked) => LentLogin | undefined;

/**
 * Reads the options.
 *
 * @throws {IdentityError} `invalid_configuration` for a wrong option.
 */
export function readLender<Asked>(options: HostLoginOptions<Asked>): Lender<Asked> {
  const { authenticate } = options;
  const trustedOrigins = readTrustedOrigins(options);
  if (authenticate === undefined) return () => undefined;
  if (typeof authenticate !== 'function')
    throw new IdentityError('invalid_configuration', 'authenticate must be a function.');
  return (request) => ({ ask: () => authenticate(request), trustedOrigins });
}

/**
 * Asks the application who sends the request, and returns that caller.
 *
 * @throws {IdentityError} `cross_origin` before the application is asked.
 * @throws {IdentityError} `unauthenticated` if no person is signed in.
 * @throws {IdentityError} `internal` if the application fails.
 * @throws {IdentityError} `storage_unavailable` if the application does not answer in time.
 */
export async function askHost(
  { request, service, deadlines }: Pick<Exchange, 'request' | 'service' | 'deadlines'>,
  { ask, trustedOrigins }: LentLogin,
): Promise<SessionCaller> {
  refuseCrossOrigin(request, trustedOrigins);
  let isAsking = true;
  try {
    return await deadlines.limit(async (call) => {
      const login = await answerOf(ask);
      isAsking = call.isLate;
      if (login === null || login === undefined) throw signedOut();
      // The request is answered already: nothing is stored for it.
      if (call.isLate) throw hostFailed('internal', 'late');
      return service.serving.authenticateHost(login);
    });
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    if (error.code === 'invalid_request') throw hostFailed('internal', ...reasonOf(error));
    throw isAsking && error.code === 'storage_unavailable'
      ? hostFailed('storage_unavailable', 'late')
      : error;
  }
}

async function answerOf(ask: LentLogin['ask']): Promise<unknown> {
  try {
    return await ask();
  } catch {
    // The error is not kept: its message may hold a value of the host.
    throw hostFailed('internal', 'threw');
  }
}

/** The wrong part of a login, for the service log. It contains no value. */
export interface HostLoginFailure {
  /** The name of the wrong field, or `authenticate` for the function itself. */
  readonly field: string;
  /** The kind of mistake. */
  readonly reason: string;
}

export function hostLoginFailure({ details }: IdentityError): HostLoginFailure | undefined {
  return details['hostLogin'] as HostLoginFailure | undefined;
}

function hostFailed(
  code: 'internal' | 'storage_unavailable',
  reason: string,
  field = 'authenticate',
): IdentityError {
  const hostLogin: HostLoginFailure = { field, reason };
  if (code === 'internal') {
    return new IdentityError(code, 'Something went wrong here; the request id leads to the log.', {
      details: { hostLogin },
    });
  }
  const details = { retryAfterSeconds: 1, hostLogin };
  return new IdentityError(code, 'The login of this application did not answer in time.', { details });
}

/** The names that a log line may contain. Any other name comes from the application, and may contain a value. */
const FIELDS: Readonly<Record<keyof HostLogin, true>> = {
  account: true,
  account_id: true,
  member: true,
  role: true,
  email: true,
  name: true,
  account_name: true,
};

function reasonOf({ details }: IdentityError): [reason: string, field: string] {
  const errors = details.errors ?? [];
  const names = errors.map(({ path }) => path.slice(1)).filter((name) => Object.hasOwn(FIELDS, name));
  return [errors[0]?.code ?? 'invalid', names.length === 0 ? 'authenticate' : names.join(', ')];
}

function signedOut(): IdentityError {
  return new IdentityError('unauthenticated', 'Sign in to this application first.');
}
