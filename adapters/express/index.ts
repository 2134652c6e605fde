/** The door `./express`: mounts the API on a host's own Express application. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DidServingOptions, didListener } from '../../src/did/index.ts';
import {
  assertService,
  createDispatch,
  knownOptions,
  type OptionNames,
  type ProxyOptions,
  pipelineBound,
  readTrustProxy,
  send,
  toApiRequest,
} from '../../src/http/index.ts';
import type { IdentityService } from '../../src/index.ts';

export type { DidOptions, DidServingOptions } from '../../src/did/index.ts';
export type { ProxyOptions } from '../../src/http/index.ts';
export type { IdentityService } from '../../src/index.ts';
export { createExpressServer, type ExpressServerOptions } from './server.ts';

/** A handler for `app.use`; it needs no types of Express. */
export type IdentityRouter = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Middleware that serves the API below where it is mounted: `app.use('/api', identityRouter(service))`. Calls
 * `next()` for paths it does not serve. It reads the body itself, exactly: mount it before a body parser, or
 * let the parser keep the raw body with `keepRawBody`.
 */
export function identityRouter(service: IdentityService, options: ProxyOptions = {}): IdentityRouter {
  assertService(service);
  const proxies = readTrustProxy(knownOptions('identityRouter', options, OPTIONS));
  const dispatch = createDispatch(service);
  const admits = pipelineBound();
  return (request, response, next) => {
    if (!admits(request, response)) return;
    dispatch(toApiRequest(request, response, { basePath: '', proxies }))
      .then((answer) => (answer === undefined ? next() : send(response, answer)))
      .catch(next);
  };
}

const OPTIONS: OptionNames<ProxyOptions> = { trustProxy: true };

/**
 * Middleware that serves the DID documents of agents and domains, for the domain that a request is for:
 * `app.use(didRouter(service))`, at the root. With `account_id` only those of that account: a host that knows whose
 * domains it serves should say so. Serves the metadata of a service with `authzen`, too. Calls `next()` for every other
 * path.
 */
export function didRouter(service: IdentityService, options: DidServingOptions = {}): IdentityRouter {
  const serve = didListener(service, options);
  return (request, response, next) => void serve(request, response, next).catch(next);
}

/** For a parser that comes before the router: `express.json({ verify: keepRawBody })`. */
export function keepRawBody(request: IncomingMessage, _response: ServerResponse, body: Uint8Array): void {
  Object.assign(request, { rawBody: body });
}
