/**
 * Sends requests to a remote service. Each request has a deadline, is repeated if that is safe, and fails with an error
 * that names the cause.
 */
import { knownOptions, misconfigured } from '../base/known-options.ts';
import { IdentityError, type IdentityErrorCode, type IdentityErrorDetails } from '../errors.ts';
import { type TraceparentSource, traceHeader } from './trace-header.ts';
import { failureOf, notTheApi, notThisAnswer, unreachable } from './unreachable.ts';

/** The options of a transport. */
export interface TransportOptions {
  readonly baseUrl: string;
  /** The deadline in milliseconds; `null` if the signal of each call sets the deadline. */
  readonly timeoutMs: number | null;
  readonly fetch: typeof globalThis.fetch;
  readonly traceparent?: TraceparentSource | undefined;
}

/** The options of a single call. */
export interface RequestOptions {
  /** Cancels the call, which rejects with the reason of the signal. The service may still carry out the request. */
  readonly signal?: AbortSignal;
}

/** A request to the service. */
export interface ClientRequest extends RequestOptions {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below the base URL, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON text, or a function that creates the text for each attempt. */
  readonly body?: string | (() => Promise<string>) | undefined;
  /** The status of a successful answer. */
  readonly success: 200 | 201 | 202 | 204;
  /** The status of the answer if the requested object existed already. */
  readonly again?: 200 | undefined;
  /** True if a repeated request does no harm, even if the service has already carried out the first request. */
  readonly isRepeatable: boolean;
}

/** Sends requests to one service. */
export interface Transport {
  /** Sends a request and returns the JSON of the answer; `undefined` for the status 204. */
  send(call: ClientRequest): Promise<unknown>;
  /** Streams a text. The deadline applies to the first piece of the text. */
  stream(call: ClientRequest, type: string): Promise<AsyncIterable<string>>;
  /** Creates the error for an answer that does not belong to its request. */
  notThisAnswer(): IdentityError;
}

/**
 * Creates the transport to the service at `baseUrl`. The transport follows no redirect, so that no other server
 * receives the credential.
 */
export function createTransport(options: TransportOptions): Transport {
  const { baseUrl, timeoutMs } = options;

  /** Throws the error of a failed attempt, unless the connection broke and another attempt may follow. */
  function throwFinal(error: unknown, { signal }: ClientRequest, watch: Watch, isLast: boolean): void {
    if (signal?.aborted) throw signal.reason;
    if (watch.signal.aborted) throw unreachable(baseUrl, `none came within ${timeoutMs} ms`, error);
    if (error instanceof IdentityError) throw error;
    const { text, isBroken } = failureOf(error);
    if (isLast || !isBroken) throw unreachable(baseUrl, text, error);
  }

  async function exchange<Read>(
    call: ClientRequest,
    watch: Watch,
    read: (response: Response) => Promise<Read>,
  ): Promise<Read> {
    // Not every `fetch` observes its signal.
    call.signal?.throwIfAborted();
    for (let isLast = !call.isRepeatable; ; isLast = true) {
      try {
        return await read(await request(options, call, watch.signal));
      } catch (error) {
        throwFinal(error, call, watch, isLast);
      }
    }
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

async function request(
  { baseUrl, fetch, traceparent }: TransportOptions,
  { method, path, headers, body: givenBody }: ClientRequest,
  signal: AbortSignal,
): Promise<Response> {
  const body = typeof givenBody === 'function' ? await givenBody() : givenBody;
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

async function readWhole(
  response: Response,
): Promise<{ readonly response: Response; readonly text: string }> {
  return { response, text: await response.text() };
}

const SIGNAL = { signal: true } as const;

/**
 * Checks the options of a call and returns its signal.
 *
 * @throws {IdentityError} `invalid_configuration` for any option except `signal` and the names in `more`.
 */
export function checkedSignal(
  options: RequestOptions | undefined,
  methods: Readonly<Record<string, true>> = {},
): RequestOptions {
  if (options !== undefined)
    knownOptions<object>('the options of a call', options, { ...SIGNAL, ...methods });
  return signalOf(options);
}

/** Returns the signal of the options, if there is one. */
export function signalOf(options: RequestOptions | undefined): RequestOptions {
  return options?.signal === undefined ? {} : { signal: options.signal };
}

/** Returns the timeout in milliseconds: `timeoutMs` if it is set, else `standard`. */
export function checkedTimeout(maker: string, timeoutMs: number | undefined, standard: number): number {
  if (timeoutMs === undefined) return standard;
  // The longest time of a timer.
  if (typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs < 2 ** 31) return timeoutMs;
  throw misconfigured(maker, 'timeoutMs is not a number of milliseconds');
}

interface Watch {
  readonly signal: AbortSignal;
  disarm(): void;
  end(): void;
}

function watchOver(signal: AbortSignal | undefined, timeoutMs: number | null): Watch {
  if (timeoutMs === null && signal !== undefined) return { signal, disarm: () => {}, end: () => {} };
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  signal?.addEventListener('abort', abort);
  const timer = timeoutMs === null ? undefined : setTimeout(abort, timeoutMs);
  const disarm = (): void => clearTimeout(timer);
  return {
    signal: controller.signal,
    disarm,
    end() {
      disarm();
      signal?.removeEventListener('abort', abort);
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

function problemOf(baseUrl: string, response: Response, problem: unknown): IdentityError {
  const { code, detail, errors, token, dns, https, change, roles, until } = Object(problem) as Partial<
    Record<string, unknown>
  >;
  if (typeof code !== 'string' || typeof detail !== 'string') return notTheApi(baseUrl, response);
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const details: IdentityErrorDetails = {
    ...(Array.isArray(errors) && { errors }),
    ...(seconds > 0 && { retryAfterSeconds: seconds }),
    ...(code === 'domain_unproven' && token !== undefined && { token, dns, https }),
    ...(code === 'insufficient_role' && roles !== undefined && { roles }),
    ...(code === 'would_widen' && change !== undefined && { change }),
    ...(code === 'conflict' && until !== undefined && { until }),
    ...(code === 'second_person_required' && secondPersonIn(Object(problem))),
  };
  return new IdentityError(code as IdentityErrorCode, detail, { details });
}

const SECOND_PERSON = ['because', 'approval_id', 'expires_at', 'too_many'];

function secondPersonIn(problem: object): IdentityErrorDetails {
  return Object.fromEntries(Object.entries(problem).filter(([name]) => SECOND_PERSON.includes(name)));
}
