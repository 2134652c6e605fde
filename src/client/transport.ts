/** Requests to a service elsewhere: a deadline each, one more try where that is safe, and errors that say what happened. */
import { IdentityError, type IdentityErrorCode, type IdentityErrorDetails } from '../errors.ts';
import { misconfigured } from './address.ts';
import { type TraceparentSource, traceHeader } from './trace-header.ts';
import { failureOf, notTheApi, notThisAnswer, unreachable } from './unreachable.ts';

/** Where the requests go, and how. */
export interface TransportOptions {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
  readonly traceparent?: TraceparentSource | undefined;
}

/** How a single call is ended early. */
export interface RequestOptions {
  /** Ends the call, which rejects with the reason of the signal. The service may still carry out what was sent. */
  readonly signal?: AbortSignal;
}

/** One request. */
export interface ClientRequest extends RequestOptions {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the base URL, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text; a function makes it anew for each try. */
  readonly body?: string | (() => Promise<string>) | undefined;
  /** The status that is an answer. */
  readonly success: 200 | 201 | 202 | 204;
  /** Another status that is an answer: what was to be made existed already. */
  readonly again?: 200 | undefined;
  /** Whether it may be sent a second time though the first may have been carried out. */
  readonly isRepeatable: boolean;
}

/** Sends requests to one service. */
export interface Transport {
  /** The JSON of the answer; `undefined` with 204. */
  send(call: ClientRequest): Promise<unknown>;
  /** A text that comes piece by piece: the deadline is for its first. */
  stream(call: ClientRequest, type: string): Promise<AsyncIterable<string>>;
  /** The error for an answer that does not belong to its request. */
  notThisAnswer(): IdentityError;
}

/** Requests to the service at `baseUrl`. They follow no redirect: a credential goes nowhere else. */
export function createTransport({ baseUrl, timeoutMs, fetch, traceparent }: TransportOptions): Transport {
  /** What `read` makes of the answer. A connection that breaks before or in it is one more try. */
  async function exchange<Read>(
    call: ClientRequest,
    watch: Watch,
    read: (response: Response) => Promise<Read>,
  ): Promise<Read> {
    // Not every `fetch` looks at its signal.
    call.signal?.throwIfAborted();
    for (let isLast = !call.isRepeatable; ; isLast = true) {
      try {
        return await read(await request(call, watch.signal));
      } catch (thrown) {
        if (call.signal?.aborted) throw call.signal.reason;
        if (watch.signal.aborted) throw unreachable(baseUrl, `none came within ${timeoutMs} ms`, thrown);
        if (thrown instanceof IdentityError) throw thrown;
        const { text, isBroken } = failureOf(thrown);
        if (isLast || !isBroken) throw unreachable(baseUrl, text, thrown);
      }
    }
  }

  async function request(
    { method, path, headers, body: given }: ClientRequest,
    signal: AbortSignal,
  ): Promise<Response> {
    const body = typeof given === 'function' ? await given() : given;
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...traceHeader(traceparent),
        ...headers,
      },
      ...(body !== undefined && { body }),
      // Not every runtime has `error`.
      redirect: 'manual',
      signal,
    });
    const { status, type } = response;
    if (type !== 'opaqueredirect' && (status < 300 || status > 399)) return response;
    await response.body?.cancel();
    throw unreachable(baseUrl, 'it redirects to another address; make that one the baseUrl');
  }

  return {
    async send(call) {
      const watch = watchOver(call.signal, timeoutMs);
      try {
        const { response, text } = await exchange(call, watch, readWhole);
        const isDone = response.status === call.success || response.status === call.again;
        if (isDone && call.success === 204) return undefined;
        const body = parse(baseUrl, response, text);
        if (isDone) return body;
        throw problemOf(baseUrl, response, body);
      } finally {
        watch.end();
      }
    },

    async stream(call, type) {
      const watch = watchOver(call.signal, timeoutMs);
      try {
        const response = await exchange(call, watch, async (answer) => answer);
        if (response.status !== call.success)
          throw problemOf(baseUrl, response, parse(baseUrl, response, await response.text()));
        const { body, headers } = response;
        if (body === null || !headers.get('content-type')?.startsWith(type))
          throw notTheApi(baseUrl, response);
        watch.disarm();
        return pieces(body, { baseUrl, watch, signal: call.signal });
      } catch (error) {
        watch.end();
        throw error;
      }
    },

    notThisAnswer: () => notThisAnswer(baseUrl),
  };
}

async function readWhole(
  response: Response,
): Promise<{ readonly response: Response; readonly text: string }> {
  return { response, text: await response.text() };
}

/** The signal of what a caller gave, where there is one. */
export function signalOf(options: RequestOptions | undefined): RequestOptions {
  return options?.signal === undefined ? {} : { signal: options.signal };
}

/** Milliseconds that a request has: `timeoutMs` of the options, else `standard`. */
export function checkedTimeout(maker: string, timeoutMs: number | undefined, standard: number): number {
  if (timeoutMs === undefined) return standard;
  // Timers take no more.
  if (typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs < 2 ** 31) return timeoutMs;
  throw misconfigured(maker, 'timeoutMs is not a number of milliseconds');
}

/** A signal that ends a request when its time is over, or when its caller gives it up. */
interface Watch {
  readonly signal: AbortSignal;
  /** Lifts the deadline. */
  disarm(): void;
  end(): void;
}

function watchOver(given: AbortSignal | undefined, timeoutMs: number): Watch {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  given?.addEventListener('abort', abort);
  const timer = setTimeout(abort, timeoutMs);
  const disarm = (): void => clearTimeout(timer);
  return {
    signal: controller.signal,
    disarm,
    end() {
      disarm();
      given?.removeEventListener('abort', abort);
    },
  };
}

async function* pieces(
  body: ReadableStream<Uint8Array>,
  { baseUrl, watch, signal }: { baseUrl: string; watch: Watch; signal: AbortSignal | undefined },
): AsyncIterable<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw unreachable(baseUrl, 'the answer broke off in the middle', cause);
  } finally {
    // For a caller that stops reading early; at the end of the body there is nothing to cancel.
    await reader.cancel().catch(() => undefined);
    watch.end();
  }
}

function parse(baseUrl: string, response: Response, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notTheApi(baseUrl, response, cause);
  }
}

/** The error that the service names in a problem (RFC 9457). */
function problemOf(baseUrl: string, response: Response, problem: unknown): IdentityError {
  const { code, detail, errors, token, dns, https } = Object(problem) as Partial<Record<string, unknown>>;
  if (typeof code !== 'string' || typeof detail !== 'string') return notTheApi(baseUrl, response);
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const details: IdentityErrorDetails = {
    ...(Array.isArray(errors) && { errors }),
    ...(seconds > 0 && { retryAfterSeconds: seconds }),
    ...(code === 'domain_unproven' && token !== undefined && { token, dns, https }),
  };
  return new IdentityError(code as IdentityErrorCode, detail, { details });
}
