/** The request that a binding (Express, fetch, node) passes to `dispatch`, and the answer that `dispatch` returns. */
import type { Deadlines } from '../base/async/deadlines.ts';
import { readEventId } from '../base/bytes/event-position.ts';
import { readTraceparent } from '../base/values/trace-id.ts';
import type { AuthenticateHost } from '../core.ts';
import {
  type CallerOrigin,
  type EventStream,
  eventFrame,
  type IdentityService,
  type RateState,
} from '../core.ts';
import { IdentityError } from '../errors.ts';
import type { IdentityEvent } from '../records/event.ts';
import type { SharedDocument } from './endpoint.ts';

/** The application's login, which the API uses for one request. */
export interface LentLogin {
  /** Asks the application which person sends the request. */
  readonly ask: () => unknown;
  /** Returns the caller for the person. */
  readonly authenticateHost: AuthenticateHost;
  /** The origins of other sites that may use the login. */
  readonly trustedOrigins: ReadonlySet<string>;
}

/** A request, with only the properties that the API needs. */
export interface ApiRequest {
  readonly method: string;
  /** The path below the base path, percent-encoded as the client sent it, without the query. */
  readonly path: string;
  /** `true` if the path may differ from the path that the client sent: a `Request` of Fetch resolves dot segments. */
  readonly isRewritten?: true;
  /** The text after the `?`, or `''` without a query. */
  readonly query: string;
  /** Alternating names and values, as in Node's `rawHeaders`, so that a header that was sent twice is visible. */
  readonly rawHeaders: readonly string[];
  /**
   * The number of names and values at which the server starts to drop headers, if the application has set it; default
   * 2,000.
   */
  readonly headersKept?: number | undefined;
  /** Returns the client. It is a function, because only few requests are limited by address. */
  readonly client: () => CallerOrigin;
  /**
   * Returns a signal that is aborted if the client disconnects. It is a function, because few requests take long enough
   * to need it.
   */
  readonly signal: () => AbortSignal;
  /** The login of the application, on a mount that uses it instead of tokens. */
  readonly hostLogin?: LentLogin | undefined;
  /** Reads the body. Returns `undefined` if it is longer than `limit` bytes. */
  readonly readBody: (limit: number) => Promise<Uint8Array | undefined>;
}

/** The state of one request while it is handled. */
export interface Exchange {
  readonly request: ApiRequest;
  readonly service: IdentityService;
  /** The deadlines for work that waits for the storage. */
  readonly deadlines: Deadlines;
  /** The OpenAPI document of the endpoints on this mount. */
  readonly document: SharedDocument;
  /** The `X-Request-ID` of the answer: from the client, or generated. */
  readonly requestId: string;
  /** The remaining part of the caller's rate, after the request was counted. */
  rate: RateState | undefined;
}

/** An answer that is ready to send. */
export interface ApiResponse {
  readonly status: number;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  /** One text, bytes, or a stream of texts. */
  readonly body: string | Uint8Array<ArrayBuffer> | StreamBody | undefined;
}

/** A body that is sent in pieces. */
export interface StreamBody extends AsyncIterable<string> {
  /**
   * A signal that is aborted when the server has ended the body. The client must then read the rest within a moment, or
   * it is disconnected.
   */
  readonly closed?: AbortSignal;
}

/**
 * Returns the value of a header; `name` is in lower case. Joins several values with commas, as Fetch does (RFC 9110
 * section 5.3). If the header allows no comma, a comma shows that it was sent twice.
 */
export function headerOf(rawHeaders: readonly string[], name: string): string | undefined {
  let index = indexOfHeader(rawHeaders, name, 0);
  if (index < 0) return undefined;
  let value = rawHeaders[index + 1] ?? '';
  for (;;) {
    index = indexOfHeader(rawHeaders, name, index + 2);
    if (index < 0) return value;
    value += `, ${rawHeaders[index + 1]}`;
  }
}

/** Returns `true` if a header was sent more than once; `name` is in lower case. */
export function isDoubled(rawHeaders: readonly string[], name: string): boolean {
  const index = indexOfHeader(rawHeaders, name, 0);
  return index >= 0 && indexOfHeader(rawHeaders, name, index + 2) >= 0;
}

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** Reads the `X-Request-ID` of a request. Returns `undefined` if it is absent or invalid. */
export function readRequestId(rawHeaders: readonly string[]): string | undefined {
  const header = headerOf(rawHeaders, 'x-request-id');
  return header !== undefined && REQUEST_ID.test(header) ? header : undefined;
}

/** Reads the trace id of a request. Returns `null` if `traceparent` is absent, sent twice or invalid. */
export function readTraceId(rawHeaders: readonly string[]): string | null {
  const trace_id = readTraceparent(headerOf(rawHeaders, 'traceparent'));
  return trace_id === null || isDoubled(rawHeaders, 'traceparent') ? null : trace_id;
}

/** Finds a header by linear search. An index would take longer, because few headers are read. */
function indexOfHeader(rawHeaders: readonly string[], name: string, start: number): number {
  for (let index = start; index + 1 < rawHeaders.length; index += 2) {
    const rawHeader = rawHeaders[index] ?? '';
    if (rawHeader.length === name.length && (rawHeader === name || rawHeader.toLowerCase() === name))
      return index;
  }
  return -1;
}

/** Returns the error for an incomplete body. The client has disconnected, so the error is neither sent nor logged. */
export function endedEarly(): IdentityError {
  return new IdentityError('invalid_json', 'The body ended too early.');
}

/**
 * The line of the stream with the time after which a client reconnects. While no event happens, the stream sends a
 * comment every 15 s, because proxies close silent connections.
 */
const RETRY = 'retry: 2000\n';
const STILL_HERE = ': still here\n\n';
const SILENCE_MS = 15_000;

/** Creates the body of an event stream. Closes the event stream when the client stops reading. */
export function eventBody(stream: EventStream): StreamBody {
  const beginMs = readEventId(stream.begin)?.ms ?? 0;
  let isBegun = false;
  const iterator: AsyncIterator<string, undefined> = {
    async next() {
      if (!isBegun) {
        isBegun = true;
        return { done: false, value: `${RETRY}id: ${stream.begin}\n\n` };
      }
      const events = await stream.read(SILENCE_MS);
      if (events === undefined) return { done: true, value: undefined };
      if (events.length === 0) return { done: false, value: STILL_HERE };
      return { done: false, value: events.map((event) => frameOf(event, beginMs)).join('') };
    },
    async return() {
      stream.close();
      return { done: true, value: undefined };
    },
  };
  return { closed: stream.closed, [Symbol.asyncIterator]: () => iterator };
}

/**
 * Returns the text of an event in the stream. An event from before the start of the stream gets no id, because the
 * client may already have it. A client that reconnects continues after the last event with an id.
 */
function frameOf(event: IdentityEvent, beginMs: number): string {
  const frame = eventFrame(event);
  return Date.parse(event.timestamp) < beginMs ? frame.slice(frame.indexOf('\n') + 1) : frame;
}
