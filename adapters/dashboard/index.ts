/** The entry point `./dashboard`: web pages over the API, for the members of an account. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { assertService, knownOptions, type OptionNames } from '../../src/http/binding.ts';
import { IdentityError, type IdentityService } from '../../src/index.ts';
import type { Asset } from './assets.ts';
import { createAssets } from './assets.ts';
import { checkLogin, type DashboardOptions } from './options.ts';

/** @public */
export type { IdentityService } from '../../src/index.ts';
export type { DashboardOptions } from './options.ts';

/** A handler for `app.use`, without the types of Express. */
export type DashboardRouter = (
  request: IncomingMessage & { readonly originalUrl?: string },
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Creates middleware that serves the dashboard below its mount path: `app.use('/', dashboardRouter(service))`, after
 * the API. It calls `next()` for other paths.
 *
 * @throws {IdentityError} `invalid_configuration` if there is no way to sign in.
 */
export function dashboardRouter(service: IdentityService, options: DashboardOptions = {}): DashboardRouter {
  assertService(service);
  knownOptions('dashboardRouter', options, NAMES);
  const find = createFinder(service, options);
  return (request, response, next) => {
    const answer = find(request.method ?? 'GET', request.url ?? '/', request.headers['if-none-match']);
    if (answer === undefined) return next();
    const movedUrl = answer.status === 200 ? redirectOf(request.originalUrl ?? '/') : undefined;
    if (movedUrl !== undefined) response.writeHead(308, { location: movedUrl }).end();
    else response.writeHead(answer.status, answer.headers).end(answer.body);
    // Node would read an unread body as the next request.
    request.resume();
  };
}

/**
 * Creates the same handler for the Fetch standard. It answers 404 for other paths.
 *
 * @throws {IdentityError} `invalid_configuration` if there is no way to sign in, or an option is unknown.
 */
export function dashboardHandler(
  service: IdentityService,
  options: DashboardOptions & { readonly basePath?: string } = {},
): (request: Request) => Response {
  assertService(service);
  const { basePath = '' } = knownOptions('dashboardHandler', options, { ...NAMES, basePath: true });
  const find = createFinder(service, options);
  return (request) => {
    const { pathname } = new URL(request.url);
    if (basePath !== '' && pathname === basePath) {
      return new Response(null, { status: 308, headers: { location: redirectOf(basePath) ?? '/' } });
    }
    const path = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : '';
    const answer = find(request.method, path, request.headers.get('if-none-match') ?? undefined);
    if (answer === undefined) return new Response('There is nothing here.', { status: 404 });
    return new Response(answer.body ?? null, { status: answer.status, headers: answer.headers });
  };
}

const NAMES: OptionNames<DashboardOptions> = { api: true, login: true, signIn: true, signOut: true };

/** A response. `body` is absent for 304 and HEAD. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

function createFinder(
  service: IdentityService,
  options: DashboardOptions,
): (method: string, url: string, knownEtag: string | undefined) => Answer | undefined {
  checkLogin(options);
  if (!service.serving.logins && options.login === undefined) {
    throw new IdentityError(
      'invalid_configuration',
      "The dashboard needs accounts that can sign in: give the service session.secret and the capability people(), or the dashboard login: 'host'.",
    );
  }
  const assets = createAssets(service, options);
  return (method, url, knownEtag) => {
    const asset = assets.get(url.split('?', 1)[0] ?? '');
    if (asset === undefined) return undefined;
    if (method === 'GET' || method === 'HEAD') return answerOf(asset, method, knownEtag);
    return { status: 405, headers: { allow: 'GET, HEAD', 'content-length': '0' } };
  };
}

function answerOf({ headers, body }: Asset, method: string, knownEtag: string | undefined): Answer {
  if (knownEtag !== undefined && knownEtag === headers['etag']) {
    const { 'content-length': _, ...otherFields } = headers;
    return { status: 304, headers: otherFields };
  }
  return { status: 200, headers, ...(method === 'GET' && { body }) };
}

/**
 * Returns the redirect to the path with a trailing slash, which relative addresses need. The redirect is relative as
 * well, for proxies that remove a prefix.
 */
function redirectOf(original: string): string | undefined {
  const [path = '', query] = original.split('?', 2);
  const last = path.split('/').at(-1) ?? '';
  if (last === '' || ASSET_NAMES.test(last)) return undefined;
  return `./${last}/${query === undefined ? '' : `?${query}`}`;
}

const ASSET_NAMES = /^(?:[a-z-]+\.(?:js|css|json|svg)|reference)$/;
