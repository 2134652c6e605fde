import { joinBytes } from '../base/join-bytes.ts';
import { knownOptions, type OptionNames } from '../base/known-options.ts';
import { IdentityError } from '../errors.ts';
import { utf8Length } from '../platform/index.ts';
import type { IdentityService } from '../service.ts';
import { notFound } from './answer.ts';
import { assertService } from './assert-service.ts';
import { clientAddress, type ProxyOptions, readTrustProxy } from './client-address.ts';
import { createDispatch } from './dispatch.ts';
import { type ApiRequest, type ApiResponse, endedEarly, type StreamBody } from './exchange.ts';
import type { FaceOptions } from './fetch-handler.ts';
import { headersKeptBy } from './header-limit.ts';
import type { NodeRequest, NodeResponse } from './node-exchange.ts';
import { pipelineBound } from './pipelining.ts';

/** Serves the API as the listener of a plain `node:http` server; 404 for every other path. */
export function nodeListener(
  service: IdentityService,
  options: FaceOptions & ProxyOptions = {},
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  assertService(service);
  const { basePath = '/api' } = knownOptions('nodeListener', options, OPTIONS);
  const proxies = readTrustProxy(options);
  const dispatch = createDispatch(service);
  const admits = pipelineBound();
  return (request, response) => {
    if (!admits(request, response)) return Promise.resolve();
    const asked = toApiRequest(request, response, { basePath, proxies });
    return dispatch(asked).then((answer) =>
      send(response, answer ?? notFound(asked, { path: request.url?.split('?', 1)[0] ?? '', basePath })),
    );
  };
}

const OPTIONS: OptionNames<FaceOptions & ProxyOptions> = { basePath: true, trustProxy: true };

/** Where the table stands, and how many proxies before it are believed about the client's address. */
export interface Stand {
  readonly basePath: string;
  readonly proxies: number;
}

/** What the table needs of Node's request, and of the response whose end is that of its client. */
export function toApiRequest(
  request: NodeRequest,
  response: NodeResponse,
  { basePath, proxies }: Stand,
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
    // No getter: each literal with one has a hidden class of its own, which holds the request until a full collection.
    client: () => ({ address: clientAddress(request.socket?.remoteAddress, rawHeaders, proxies) }),
    signal: () => signalOf(response),
    readBody: (limit) => readNodeBody(request, limit),
  };
}

function signalOf(response: NodeResponse): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed === true) gone.abort();
  else response.on('close', () => gone.abort());
  return gone.signal;
}

/** Sends the answer of the table. */
export function send(response: NodeResponse, { status, headers, body }: ApiResponse): void {
  // A host that gave up waiting has answered already.
  if (response.headersSent === true) return;
  const sent = [...headers];
  // The rest of a body that is too long would be read as the next request.
  if (status === 413) sent.push('connection', 'close');
  if (typeof body === 'string') sent.push('content-length', `${utf8Length(body)}`);
  response.writeHead(status, sent);
  if (typeof body !== 'object') response.end(body);
  // Too late for a problem: the client sees by the broken connection that the answer is not complete.
  else stream(response, body).catch(() => response.destroy());
}

/** What was written before a stream ended by itself has this long to be taken. */
const LAST_WORDS_MS = 250;

/** No faster than the client takes it, and no longer than it is there. */
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
    // It may have gone before a listener was added.
    if (isGone || response.destroyed === true) return;
    if (response.write(piece)) continue;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  response.end();
}

/** A body that is too long is still read up to here, so that the client is there to see the answer. */
const MAX_DRAINED = 16 * 1024 * 1024;

const BODY_CONSUMED =
  'The body was read before the identity router saw it. Mount the router before the body parser, or parse with express.json({ verify: keepRawBody }).';

/** Node's own way to warn a host about a mistake in its set-up: one line on stderr. */
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
    // It comes after every request: an error, with its stack, is made only for one that broke off.
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
