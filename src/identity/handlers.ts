import { knownOptions, type OptionNames } from '../base/known-options.ts';
import { trimWhiteSpace } from '../base/values/white-space.ts';
import { unfit } from '../errors.ts';
import { type ProxyOptions, readTrustProxy } from '../http/client-address.ts';
import { type ApiResponse, headerOf, isDoubled } from '../http/exchange.ts';
import type { NodeRequest, NodeResponse } from '../http/pipelining.ts';
import { pipelineBound } from '../http/pipelining.ts';
import { problemOf } from './public-text.ts';
import {
  createServeDocuments,
  type DidOptions,
  type DocumentService,
  nothingHere,
} from './serve-documents.ts';

/** The options of the handlers. With `trustProxy`, `X-Forwarded-Host` sets the domain. */
export interface DidServingOptions extends DidOptions, ProxyOptions {}

/**
 * Creates a Fetch handler for `/.well-known/did.json`, `/agents/{agent_name}/did.json` and
 * `/agents/{agent_name}/jwks.json` of the domain in the request. If the service has the capability `authzen`, the
 * handler also serves the metadata of this capability. The handler returns `undefined` for every other path. Mount the
 * handler at the root.
 *
 * @throws {IdentityError} `invalid_configuration` for no service, or for options that cannot work.
 */
export function didHandler(
  service: DocumentService,
  options: DidServingOptions = {},
): (request: Request) => Promise<Response | undefined> {
  assertDocuments(service);
  const proxies = readTrustProxy(knownOptions('didHandler', options, OPTIONS));
  const serve = createServeDocuments(service, options);
  return async ({ method, url, headers: givenHeaders }) => {
    const { host, pathname } = new URL(url);
    const rawHeaders = [...givenHeaders].flat();
    const domain = domainOf(rawHeaders, { proxies, fallback: host });
    const answer = await serve({ method, path: pathname, rawHeaders, domain });
    if (answer === undefined) return undefined;
    const { status, headers, body } = answer;
    const sentHeaders = new Headers();
    for (let index = 0; index < headers.length; index += 2) {
      sentHeaders.append(headers[index] ?? '', headers[index + 1] ?? '');
    }
    const isSent = typeof body === 'string' && method !== 'HEAD';
    return new Response(isSent ? body : null, { status, headers: sentHeaders });
  };
}

/**
 * Creates the same handler as a listener of a `node:http` or `node:http2` server, or as middleware. The listener passes
 * every other path to `next`. Without `next` the listener answers 404.
 *
 * @throws {IdentityError} `invalid_configuration` for no service, or for options that cannot work.
 */
export function didListener(
  service: DocumentService,
  options: DidServingOptions = {},
): (request: NodeRequest, response: NodeResponse, next?: () => void) => Promise<void> {
  assertDocuments(service);
  const proxies = readTrustProxy(knownOptions('didListener', options, OPTIONS));
  const serve = createServeDocuments(service, options);
  const admits = pipelineBound();
  return async (request, response, next) => {
    const { method = 'GET', url = '/', rawHeaders } = request;
    const [path = ''] = url.split('?', 1);
    const answer = await serve({ method, path, rawHeaders, domain: domainOf(rawHeaders, { proxies }) });
    if (answer === undefined && next !== undefined) return next();
    if (!admits(request, response)) return;
    send(response, answer ?? problemOf(service, rawHeaders, nothingHere()));
  };
}

function assertDocuments(service: DocumentService): void {
  if (typeof Object(Object(service).published).agent === 'function') return;
  throw unfit('There is no service with documents: list identity() in options.capabilities.');
}

const OPTIONS: OptionNames<DidServingOptions> = { trustProxy: true, account_id: true };
const encoder = new TextEncoder();

function send(response: NodeResponse, { status, headers, body }: ApiResponse): void {
  const text = typeof body === 'string' ? body : undefined;
  const length = text === undefined ? [] : ['content-length', `${encoder.encode(text).length}`];
  response.writeHead(status, [...headers, ...length]);
  response.end(text);
}

/**
 * Returns the domain as in the field `domain` of passports, with a port other than 443 after `%3A`. Returns
 * `undefined` if the request names no domain or several. Does not check the domain, because a wrong domain
 * only selects another document.
 */
function domainOf(
  rawHeaders: readonly string[],
  { proxies = 0, fallback }: { readonly proxies?: number; readonly fallback?: string } = {},
): string | undefined {
  const authority =
    (proxies > 0 ? forwardedHost(rawHeaders, proxies) : undefined) ??
    only(rawHeaders, ':authority') ??
    only(rawHeaders, 'host') ??
    fallback;
  const [, host, port] = /^([^:]+)(?::(\d{1,5}))?$/.exec(authority ?? '') ?? [];
  if (host === undefined) return undefined;
  const name = host.toLowerCase();
  return port === undefined || port === '443' ? name : `${name}%3A${port}`;
}

function only(rawHeaders: readonly string[], name: string): string | undefined {
  return isDoubled(rawHeaders, name) ? '' : headerOf(rawHeaders, name);
}

/**
 * Returns the last trusted `X-Forwarded-Host`. The nearest proxy appends on the right, as with `X-Forwarded-For`, and
 * values further left may be forged.
 */
function forwardedHost(rawHeaders: readonly string[], proxies: number): string | undefined {
  const hosts = rawHeaders
    .filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'x-forwarded-host')
    .flatMap((value) => value.split(','))
    .map(trimWhiteSpace);
  return hosts[Math.max(0, hosts.length - proxies)];
}
