/** The entry point `./express`: mounts the API on your Express application. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import {
  type ApiHost,
  assertService,
  createDispatch,
  knownOptions,
  type OptionNames,
  readLender,
  readTrustProxy,
  send,
  toApiRequest,
} from '../../src/http/binding.ts';
import { type HostLoginOptions, type ProxyOptions, pipelineBound } from '../../src/http/index.ts';
import { type DidServingOptions, type DocumentService, didListener } from '../../src/identity/index.ts';

export type {
  ApiHost,
  Authenticate,
  HostLogin,
  HostLoginOptions,
  ProxyOptions,
  VerdictHost,
  VerdictServing,
} from '../../src/http/index.ts';
export type { DidOptions, DidServingOptions, DocumentService, Published } from '../../src/identity/index.ts';
export type { IdentityService } from '../../src/index.ts';
export type { Access, AccessAuthInfo, AccessNeeds, TokenVerifier } from '../../src/tokens/index.ts';
export type { Permit, PermitAction, PermitVerifier } from '../../src/tokens/proof/index.ts';
export { requirePermit } from './require-permit.ts';
export { requireToken, type TokenRequest } from './require-token.ts';
export { createExpressServer, type ExpressServerOptions } from './server.ts';

/** A handler for `app.use`, without the types of Express. */
export type IdentityRouter = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Creates middleware that serves the API below its mount path: `app.use('/api', identityRouter(service))`. It calls
 * `next()` for paths that the API does not have. It reads the raw body, so mount it before a body parser, or let the
 * parser keep the raw body with `keepRawBody`.
 *
 * @throws {IdentityError} `invalid_configuration` for no service, or for options that cannot work.
 */
export function identityRouter<Asked extends IncomingMessage = Request>(
  service: ApiHost,
  options: RouterOptions<Asked> = {},
): IdentityRouter {
  assertService(service);
  const proxies = readTrustProxy(knownOptions<RouterOptions<Asked>>('identityRouter', options, OPTIONS));
  const lend = readLender(service, options);
  const dispatch = createDispatch(service);
  const admits = pipelineBound();
  return (request, response, next) => {
    if (!admits(request, response)) return;
    const hostLogin = lend(request as Asked);
    dispatch(toApiRequest(request, response, { basePath: '', proxies, hostLogin }))
      .then((answer) => (answer === undefined ? next() : send(response, answer)))
      .catch(next);
  };
}

/** The options of `identityRouter`. `Asked` is the type of the requests. */
export interface RouterOptions<Asked> extends ProxyOptions, HostLoginOptions<Asked> {}

const OPTIONS: OptionNames<RouterOptions<Request>> = {
  trustProxy: true,
  authenticate: true,
  trustedOrigins: true,
};

/**
 * Creates middleware that serves the DID documents of agents and domains. The host name of each request selects
 * the domain. Mount it at the root: `app.use(didRouter(service))`.
 *
 * If the service has the capability `authzen`, the middleware also serves the metadata of this capability. It
 * calls `next()` for other paths. `account_id` restricts it to the domains of one account. Set it if your
 * application serves a single account.
 *
 * @throws {IdentityError} `invalid_configuration` for no service, or for options that cannot work.
 */
export function didRouter(service: DocumentService, options: DidServingOptions = {}): IdentityRouter {
  const serve = didListener(service, options);
  return (request, response, next) => void serve(request, response, next).catch(next);
}

/** Keeps the raw body, for a parser that is mounted before the router: `express.json({ verify: keepRawBody })`. */
export function keepRawBody(request: IncomingMessage, _response: ServerResponse, body: Uint8Array): void {
  Object.assign(request, { rawBody: body });
}
