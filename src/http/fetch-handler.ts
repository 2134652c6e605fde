import { joinBytes } from '../base/bytes/join-bytes.ts';
import { knownOptions, type OptionNames } from '../base/known-options.ts';
import { notFound } from './answer.ts';
import type { ApiHost } from './api-host.ts';
import { createDispatch } from './dispatch.ts';
import { type ApiRequest, endedEarly } from './exchange.ts';
import { type HostLoginOptions, readLender } from './host-login.ts';
import { servedBy } from './served.ts';

/** The options of handlers that serve the API. */
export interface FaceOptions {
  /** The prefix of all paths of the API; default `/api`. */
  readonly basePath?: string;
}

/** Options of `fetchHandler`. */
export interface FetchOptions extends FaceOptions, HostLoginOptions<Request> {
  /**
   * Returns the client's address, which a Fetch request does not contain. All clients without an address share one
   * limit.
   */
  readonly address?: (request: Request) => string | undefined;
}

/**
 * Creates a handler that serves the API through the Fetch standard (Bun, Deno, workers, tests).
 *
 * @throws {IdentityError} `invalid_configuration` for no service, or for options that cannot work.
 */
export function fetchHandler(
  service: ApiHost,
  options: FetchOptions = {},
): (request: Request) => Promise<Response> {
  const { basePath = '/api', address } = knownOptions('fetchHandler', options, OPTIONS);
  const lend = readLender(service, options);
  const hasHostLogin = options.authenticate !== undefined;
  const servedEndpoints = servedBy(service, hasHostLogin);
  const dispatch = createDispatch(service);
  return async (request) => {
    const { pathname, search, host } = new URL(request.url);
    const askedRequest: ApiRequest = {
      method: request.method,
      path: pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : '',
      isRewritten: true,
      query: search.slice(1),
      // Pages of other origins are told apart by it.
      rawHeaders: rawHeadersOf(request.headers, hasHostLogin ? host : undefined),
      client: () => ({ address: address?.(request) }),
      signal: () => request.signal,
      hostLogin: lend(request),
      readBody: (limit) => readStream(request.body, limit),
    };
    const { status, headers, body } =
      (await dispatch(askedRequest)) ??
      notFound(askedRequest, { path: pathname, basePath, served: servedEndpoints });
    const answer = new Headers();
    for (let index = 0; index < headers.length; index += 2) {
      answer.append(headers[index] ?? '', headers[index + 1] ?? '');
    }
    const isStream = typeof body === 'object' && !(body instanceof Uint8Array);
    const sentBody = isStream ? toByteStream(body) : body;
    return new Response(request.method === 'HEAD' ? null : (sentBody ?? null), { status, headers: answer });
  };
}

const OPTIONS: OptionNames<FetchOptions> = {
  basePath: true,
  address: true,
  authenticate: true,
  trustedOrigins: true,
};

/** Returns alternating names and values. A Fetch request may have its `Host` only in its URL; `host` is then added. */
function rawHeadersOf(headers: Headers, host: string | undefined): readonly string[] {
  const raw = [...headers].flatMap(toRawHeaders);
  return host === undefined || headers.has('host') ? raw : [...raw, 'host', host];
}

/**
 * Splits an `Idempotency-Key` at a comma. Fetch joins a header that was sent twice, and two keys would look like one
 * key with a comma.
 */
function toRawHeaders([name, value]: [string, string]): string[] {
  if (name !== 'idempotency-key') return [name, value];
  return value.split(', ').flatMap((part) => [name, part]);
}

function toByteStream(pieces: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array | undefined> {
  if (stream === null) return new Uint8Array(0);
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw endedEarly();
    });
    if (done) return joinBytes(chunks, length);
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
}
