/** What a binding (Express, fetch, node) hands to `dispatch`, and what it gets back. */
import type { Deadlines } from '../base/deadlines.ts';
import { readTraceparent } from '../base/trace-id.ts';
import { IdentityError } from '../errors.ts';
import type { Client, IdentityService, RateState } from '../service.ts';

/** A request, as little of it as the table needs. */
export interface ApiRequest {
  readonly method: string;
  /** Below the base path, percent-encoded as it came, without the query. */
  readonly path: string;
  /** Behind the `?`, or `''`. */
  readonly query: string;
  /** Names and values in turn, as in Node's `rawHeaders`, so that a doubled header is seen. */
  readonly rawHeaders: readonly string[];
  /** From how many names and values on the server drops headers, where its host has set that; default 2,000. */
  readonly headersKept?: number | undefined;
  /** Where it came from. Few requests are limited by it, and none waits for it. */
  readonly client: () => Client;
  /** Aborted when the client has gone. Made when it is asked for: few requests take long enough. */
  readonly signal: () => AbortSignal;
  /** The body, or `undefined` when it is longer than `limit` bytes. */
  readonly readBody: (limit: number) => Promise<Uint8Array | undefined>;
}

/** One request on its way through the table. */
export interface Exchange {
  readonly request: ApiRequest;
  readonly service: IdentityService;
  /** For what takes no longer than the storage may. */
  readonly deadlines: Deadlines;
  /** The OpenAPI document of the table. */
  readonly document: () => string;
  /** The `X-Request-ID` that the client gave. */
  readonly givenId: string | undefined;
  /** That one, or one of ours. */
  readonly requestId: string;
  /** What is left of the rate of the caller's plan, once it was counted. */
  rate: RateState | undefined;
}

/** An answer, ready to be sent. */
export interface ApiResponse {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** Whole, or piece by piece. */
  readonly body: string | StreamBody | undefined;
}

/** A body that comes piece by piece. */
export interface StreamBody extends AsyncIterable<string> {
  /** Aborted when it has ended by itself: a client that does not take the rest in a moment is disconnected. */
  readonly closed?: AbortSignal;
}

/**
 * The value of a header; `name` in lower case. The values of one that came more than once are joined with commas
 * (RFC 9110 section 5.3), as Fetch does it: where a comma has no place, such a header counts as doubled.
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

/** Whether a header came more than once; `name` in lower case. */
export function isDoubled(rawHeaders: readonly string[], name: string): boolean {
  const index = indexOfHeader(rawHeaders, name, 0);
  return index >= 0 && indexOfHeader(rawHeaders, name, index + 2) >= 0;
}

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** The `X-Request-ID` of a request, where it gives one that can be kept. */
export function readRequestId(rawHeaders: readonly string[]): string | undefined {
  const given = headerOf(rawHeaders, 'x-request-id');
  return given !== undefined && REQUEST_ID.test(given) ? given : undefined;
}

/** The trace that a request belongs to; `null` for a `traceparent` that is absent, doubled or not valid. */
export function readTraceId(rawHeaders: readonly string[]): string | null {
  const trace_id = readTraceparent(headerOf(rawHeaders, 'traceparent'));
  return trace_id === null || isDoubled(rawHeaders, 'traceparent') ? null : trace_id;
}

/** Few headers are asked for: no index is made of them. */
function indexOfHeader(rawHeaders: readonly string[], name: string, from: number): number {
  for (let index = from; index + 1 < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] ?? '';
    if (given.length === name.length && (given === name || given.toLowerCase() === name)) return index;
  }
  return -1;
}

/** The client has gone: the answer goes nowhere, and an operator need not know. */
export function endedEarly(): IdentityError {
  return new IdentityError('invalid_json', 'The body ended too early.');
}
