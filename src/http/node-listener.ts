import { joinBytes } from '../base/bytes/join-bytes.ts';
import { knownOptions, type OptionNames } from '../base/known-options.ts';
import { IdentityError } from '../errors.ts';
import { utf8Length } from '../platform/index.ts';
import { headersKeptBy } from './admit.ts';
import { notFound } from './answer.ts';
import type { ApiHost } from './api-host.ts';
import { clientAddress, type ProxyOptions, readTrustProxy } from './client-address.ts';
import { createDispatch } from './dispatch.ts';
import {
  type ApiRequest,
  type ApiResponse,
  endedEarly,
  type LentLogin,
  type StreamBody,
} from './exchange.ts';
import type { FaceOptions } from './fetch-handler.ts';
import { type HostLoginOptions, readLender } from './host-login.ts';
import type { NodeRequest, NodeResponse } from './pipelining.ts';
import { pipelineBound } from './pipelining.ts';
import { servedBy } from './served.ts';

/**
 * Creates a listener for a plain `node:http` server. The listener serves the API, and answers 404 for every other path.
 *
 * @throws {IdentityError} `invalid_configuration` for no service, or for options that cannot work.
 */
export function nodeListener<Asked extends NodeRequest = NodeRequest>(
  service: ApiHost,
  options: ListenerOptions<Asked> = {},
): (request: Asked, response: NodeResponse) => Promise<void> {
  const { basePath = '/api' } = knownOptions('nodeListener', options, OPTIONS);
  const proxies = readTrustProxy(options);
  const lend = readLender(service, options);
  const servedEndpoints = servedBy(service, options.authenticate !== undefined);
  const dispatch = createDispatch(service);
  const admits = pipelineBound();
  return (request, response) => {
    if (!admits(request, response)) return Promise.resolve();
    const askedRequest = toApiRequest(request, response, { basePath, proxies, hostLogin: lend(request) });
    return dispatch(askedRequest).then((answer) =>
      send(
        response,
        answer ??
          notFound(askedRequest, {
            path: request.url?.split('?', 1)[0] ?? '',
            basePath,
            served: servedEndpoints,
          }),
      ),
    );
  };
}

/** The options of `nodeListener`; `Asked` is the type of its requests. */
export interface ListenerOptions<Asked> extends FaceOptions, ProxyOptions, HostLoginOptions<Asked> {}

const OPTIONS: OptionNames<ListenerOptions<NodeRequest>> = {
  basePath: true,
  trustProxy: true,
  authenticate: true,
  trustedOrigins: true,
};

/**
 * The settings of a mount: the base path of the API, the number of trusted proxies, and the login of the application.
 */
export interface Stand {
  readonly basePath: string;
  readonly proxies: number;
  readonly hostLogin?: LentLogin | undefined;
}

/**
 * Converts a request of Node. The signal of the request is aborted if the connection closes before the
 * response was sent completely.
 */
export function toApiRequest(
  request: NodeRequest,
  response: NodeResponse,
  { basePath, proxies, hostLogin }: Stand,
): ApiRequest {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const { rawHeaders } = request;
  return {
    method: request.method ?? 'GET',
    path: path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : '',
    query: mark < 0 ? '' : url.slice(mark + 1),
    rawHeaders,
    headersKept: headersKeptBy(request.socket?.server),
    // No getter: each object literal with one gets a hidden class of its own, which keeps the request in memory until
    // a full garbage collection.
    client: () => ({ address: clientAddress(request.socket?.remoteAddress, rawHeaders, proxies) }),
    signal: () => signalOf(response),
    hostLogin,
    readBody: (limit) => readNodeBody(request, limit),
  };
}

function signalOf(response: NodeResponse): AbortSignal {
  const goneController = new AbortController();
  if (response.destroyed === true) goneController.abort();
  else {
    response.on('close', () => {
      // An answer that was sent whole is closed as well.
      if (response.writableFinished !== true) goneController.abort();
    });
  }
  return goneController.signal;
}

/** Sends an answer through Node's response. */
export function send(response: NodeResponse, { status, headers, body }: ApiResponse): void {
  // A host with a timeout of its own may have answered already.
  if (response.headersSent === true) return;
  const sentHeaders = [...headers];
  // Node would read the rest of a body that is too long as the next request.
  if (status === 413) sentHeaders.push('connection', 'close');
  if (typeof body === 'string') sentHeaders.push('content-length', `${utf8Length(body)}`);
  if (body instanceof Uint8Array) sentHeaders.push('content-length', `${body.length}`);
  response.writeHead(status, sentHeaders);
  if (typeof body !== 'object' || body instanceof Uint8Array) response.end(body);
  // A problem cannot be sent any more: the broken connection shows the client that the answer is not complete.
  else stream(response, body).catch(() => response.destroy());
}

/** The milliseconds in which a client must read the rest of a stream that the server has ended. */
const LAST_WORDS_MS = 250;

async function stream(response: NodeResponse, pieces: StreamBody): Promise<void> {
  pieces.closed?.addEventListener('abort', () => setTimeout(() => response.destroy(), LAST_WORDS_MS));

  let isGone = false;
  let wake = (): void => {};
  response.on('drain', () => wake());
  response.on('close', () => {
    isGone = true;
    wake();
  });
  for await (const piece of pieces) {
    // The client may have disconnected before the listener was added.
    if (isGone || response.destroyed === true) return;
    if (response.write(piece)) continue;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  response.end();
}

/**
 * The maximum bytes to read and discard from a body over the limit. Reading them lets the client receive the answer.
 */
const MAX_DRAINED = 16 * 1024 * 1024;

const BODY_CONSUMED =
  'The body was read before the identity router saw it. Mount the router before the body parser, or parse with express.json({ verify: keepRawBody }).';

const warn = (globalThis as { process?: { emitWarning?: (text: string) => void } }).process?.emitWarning;

function readNodeBody(request: NodeRequest, limit: number): Promise<Uint8Array | undefined> {
  if (request.rawBody instanceof Uint8Array) {
    return Promise.resolve(request.rawBody.length > limit ? undefined : request.rawBody);
  }
  if (request.readableDidRead === true || request.readableEnded === true) {
    return Promise.reject(bodyConsumed());
  }
  if (request.destroyed === true) return Promise.reject(endedEarly());
  if (Number(request.headers['content-length'] ?? 0) > MAX_DRAINED) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    let isWhole = false;
    request.on('data', (chunk) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else if (length > MAX_DRAINED) {
        request.pause();
        resolve(undefined);
      }
    });
    request.on('end', () => {
      isWhole = true;
      resolve(length > limit ? undefined : joinBytes(chunks, length));
    });
    request.on('error', () => reject(endedEarly()));
    // `close` follows every request: the error, with its stack, is made only for a body that broke off.
    request.on('close', () => isWhole || reject(endedEarly()));
  });
}

function bodyConsumed(): IdentityError {
  const cause = new Error(BODY_CONSUMED);
  warn?.(BODY_CONSUMED);
  return new IdentityError('internal', 'Something went wrong here; the request id leads to the log.', {
    cause,
  });
}
