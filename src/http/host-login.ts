/**
 * Uses the login of the application instead of tokens: reads the options, and asks the application who sends a request.
 */

import { elementsOf } from '../base/values/plain-data.ts';
import type { Serving, SessionCaller } from '../core.ts';
import { IdentityError } from '../errors.ts';
import type { HostLogin } from '../records.ts';
import type { ApiHost } from './api-host.ts';
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
 * @throws {IdentityError} `invalid_configuration` for a wrong option, or for a service without the capability `people`.
 */
export function readLender<Asked>(service: ApiHost, options: HostLoginOptions<Asked>): Lender<Asked> {
  const { authenticate } = options;
  const trustedOrigins = readTrustedOrigins(options);
  if (authenticate === undefined) return () => undefined;
  if (typeof authenticate !== 'function')
    throw new IdentityError('invalid_configuration', 'authenticate must be a function.');
  const { authenticateHost } = service.serving as Partial<Serving>;
  if (authenticateHost === undefined)
    throw new IdentityError('invalid_configuration', 'authenticate needs people() in options.capabilities.');
  return (request) => ({ ask: () => authenticate(request), authenticateHost, trustedOrigins });
}

/**
 * Asks the application who sends the request, and returns that caller.
 *
 * @throws {IdentityError} `cross_origin` before the application is asked.
 * @throws {IdentityError} `unauthenticated` if no person is signed in.
 * @throws {IdentityError} `internal` if the application fails.
 * @throws {IdentityError} `storage_unavailable` if the application does not answer in time.
 */
export async function askApplication(
  { request, deadlines }: Pick<Exchange, 'request' | 'deadlines'>,
  { ask, authenticateHost, trustedOrigins }: LentLogin,
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
      return authenticateHost(login);
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

// Refuses requests that another site makes a browser send. The login of an application may be a cookie, which
// a browser sends automatically.

/** The parts of a request that show which site made a browser send it. */
interface Sent {
  readonly method: string;
  /** Alternating names and values, as in Node's `rawHeaders`. */
  readonly rawHeaders: readonly string[];
}

/** Names other sites that may use the login of the application. */
export interface OriginOptions {
  /**
   * Origins of other sites with pages that may use the login of the application, exactly as browsers send them, such as
   * `https://console.example.com`. Default: none. You also need this option behind a proxy that replaces `Host`.
   */
  readonly trustedOrigins?: readonly string[];
}

/**
 * Reads the trusted origins.
 *
 * @throws {IdentityError} `invalid_configuration` for a text that is not an origin as browsers send it.
 */
export function readTrustedOrigins({ trustedOrigins = [] }: OriginOptions): ReadonlySet<string> {
  if (!Array.isArray(trustedOrigins)) throw unfit('trustedOrigins must be a list of origins.');
  const origins = elementsOf(trustedOrigins);
  for (const origin of origins) {
    // A pattern would be compared as it is, and match nothing.
    if (typeof origin !== 'string' || webOrigin(origin) === undefined || origin.includes('*')) {
      throw unfit(
        `trustedOrigins must hold origins as browsers send them, such as ${nearestOrigin(origin)}.`,
      );
    }
  }
  return new Set(origins as string[]);
}

/**
 * Throws `cross_origin` if a page of another site may have made a browser send this request. Uses the same rule as Go's
 * `http.CrossOriginProtection`. A request without `Origin` and `Sec-Fetch-Site` does not come from a browser.
 */
export function refuseCrossOrigin(request: Sent, trustedNames: ReadonlySet<string>): void {
  if (isOwnRequest(request, trustedNames)) return;
  throw new IdentityError(
    'cross_origin',
    'A page of another origin made this request. The application can allow it in trustedOrigins.',
  );
}

function isOwnRequest({ method, rawHeaders }: Sent, trustedNames: ReadonlySet<string>): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  const [origin, ...otherOrigins] = valuesOf(rawHeaders, 'origin');
  // No browser sends two. Fetch joins them with a comma, and an origin contains none.
  if (otherOrigins.length > 0 || origin?.includes(',')) return false;
  if (origin !== undefined && trustedNames.has(origin)) return true;
  const [site, ...otherSites] = valuesOf(rawHeaders, 'sec-fetch-site');
  if (site !== undefined) return otherSites.length === 0 && OWN_SITES.includes(site);
  return (
    origin === undefined ||
    isHostOf(
      origin,
      [...HOST_HEADERS].flatMap((name) => valuesOf(rawHeaders, name)),
    )
  );
}

/**
 * The values for a request from the page's own origin, or from the user directly. `same-site` is not included, because
 * another subdomain may belong to a third party.
 */
const OWN_SITES: readonly string[] = ['same-origin', 'none'];

/** The headers that contain the requested host. HTTP/2 has the second instead of the first. */
const HOST_HEADERS = ['host', ':authority'] as const;

function isHostOf(origin: string, hosts: readonly string[]): boolean {
  const url = webOrigin(origin);
  return (
    url !== undefined && hosts.length > 0 && hosts.every((host) => hostIn(host, url.protocol) === url.host)
  );
}

function hostIn(host: string, protocol: string): string | undefined {
  return /[\s/\\?#@]/.test(host) ? undefined : urlOf(`${protocol}//${host}`)?.host;
}

function webOrigin(text: string): URL | undefined {
  const url = urlOf(text);
  return url?.origin === text && /^https?:$/.test(url.protocol) ? url : undefined;
}

function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function nearestOrigin(value: unknown): string {
  const origin = typeof value === 'string' ? urlOf(value)?.origin : undefined;
  return origin !== undefined && webOrigin(origin) !== undefined ? origin : 'https://console.example.com';
}

function unfit(message: string): IdentityError {
  return new IdentityError('invalid_configuration', message);
}

function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}
