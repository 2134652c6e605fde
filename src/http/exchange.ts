/** The request that a binding (Express, fetch, node) hands to `dispatch`, and the answer that it gets. */
import type { Deadlines } from '../base/async/deadlines.ts';
import { readEventId } from '../base/bytes/event-position.ts';
import { readTraceparent } from '../base/values/trace-id.ts';
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

/** The login that an application lends to the API for one request. */
export interface LentLogin {
  /** Asks the application who sends the request. */
  readonly ask: () => unknown;
  /** The origins of other sites that may use it. */
  readonly trustedOrigins: ReadonlySet<string>;
}

/** A request, with the few members that the table needs. */
export interface ApiRequest {
  readonly method: string;
  /** The path below the base path, percent-encoded as the client sent it, without the query. */
  readonly path: string;
  /** `true` if the path is not as the client sent it: a `Request` of Fetch resolves dot segments. */
  readonly isRewritten?: true;
  /** The text after the `?`, or `''`. */
  readonly query: string;
  /** Names and values in turn, as in Node's `rawHeaders`, so that a header sent twice is visible. */
  readonly rawHeaders: readonly string[];
  /**
   * The count of names and values from which the server drops headers, if its application has set one; default 2,000.
   */
  readonly headersKept?: number | undefined;
  /** Returns the client. A function, because only few requests are limited by address. */
  readonly client: () => CallerOrigin;
  /**
   * Returns a signal that aborts when the client disconnects. A function, because few requests take long enough to
   * need it.
   */
  readonly signal: () => AbortSignal;
  /** The login of the application, on a mount that uses it instead of tokens. */
  readonly hostLogin?: LentLogin | undefined;
  /** Reads the body; `undefined` if it is longer than `limit` bytes. */
  readonly readBody: (limit: number) => Promise<Uint8Array | undefined>;
}

/** The state of one request on its way through the table. */
export interface Exchange {
  readonly request: ApiRequest;
  readonly service: IdentityService;
  /** The deadlines for work that waits for the storage. */
  readonly deadlines: Deadlines;
  /** The OpenAPI document of the table. */
  readonly document: SharedDocument;
  /** The `X-Request-ID` of the answer: the client's, or a generated one. */
  readonly requestId: string;
  /** The rest of the caller's rate, once the request was counted. */
  rate: RateState | undefined;
}

/** An answer that is ready to be sent. */
export interface ApiResponse {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** One text, bytes, or a stream of pieces. */
  readonly body: string | Uint8Array<ArrayBuffer> | StreamBody | undefined;
}

/** A body that is sent in pieces. */
export interface StreamBody extends AsyncIterable<string> {
  /**
   * A signal that aborts when the body has ended on the server's side. A client that does not read the rest within a
   * moment is disconnected.
   */
  readonly closed?: AbortSignal;
}

/**
 * Returns the value of a header; `name` is in lower case. Several values are joined with commas (RFC 9110 section
 * 5.3), as Fetch does. A header that allows no comma therefore shows that it was sent twice.
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

/** Says whether a header was sent more than once; `name` is in lower case. */
export function isDoubled(rawHeaders: readonly string[], name: string): boolean {
  const index = indexOfHeader(rawHeaders, name, 0);
  return index >= 0 && indexOfHeader(rawHeaders, name, index + 2) >= 0;
}

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** Reads the `X-Request-ID` of a request; `undefined` if it is absent or invalid. */
export function readRequestId(rawHeaders: readonly string[]): string | undefined {
  const given = headerOf(rawHeaders, 'x-request-id');
  return given !== undefined && REQUEST_ID.test(given) ? given : undefined;
}

/** Reads the trace id of a request; `null` if `traceparent` is absent, sent twice or invalid. */
export function readTraceId(rawHeaders: readonly string[]): string | null {
  const trace_id = readTraceparent(headerOf(rawHeaders, 'traceparent'));
  return trace_id === null || isDoubled(rawHeaders, 'traceparent') ? null : trace_id;
}

/** Finds a header by a linear search. An index would cost more, because few headers are read. */
function indexOfHeader(rawHeaders: readonly string[], name: string, from: number): number {
  for (let index = from; index + 1 < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] ?? '';
    if (given.length === name.length && (given === name || given.toLowerCase() === name)) return index;
  }
  return -1;
}

/** Makes the error of a body that broke off. The client has disconnected: the error reaches no client and no log. */
export function endedEarly(): IdentityError {
  return new IdentityError('invalid_json', 'The body ended too early.');
}

/**
 * The wait of a client before it reconnects. While no event happens, it gets a comment every 15 s: proxies close
 * connections that stay silent.
 */
const RETRY = 'retry: 2000\n';
const STILL_HERE = ': still here\n\n';
const SILENCE_MS = 15_000;

/** Makes the body. Closes the stream of events when the client stops reading. */
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
 * Frames an event. An event from before the beginning of the stream may be a repetition, so its frame has no id. A
 * client that reconnects then continues after the last event that was new to it.
 */
function frameOf(event: IdentityEvent, beginMs: number): string {
  const frame = eventFrame(event);
  return Date.parse(event.timestamp) < beginMs ? frame.slice(frame.indexOf('\n') + 1) : frame;
}
