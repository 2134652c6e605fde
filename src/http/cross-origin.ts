/**
 * Refuses requests that another site makes a browser send. The login of an application may be a cookie, which a
 * browser sends automatically.
 */
import { elementsOf } from '../base/values/plain-data.ts';
import { IdentityError } from '../errors.ts';

/** The parts of a request that show which site made a browser send it. */
export interface Sent {
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
