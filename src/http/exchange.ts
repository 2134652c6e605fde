/** What a face (Express, fetch, node) hands to `dispatch`, and what it gets back. */

/** A request, as little of it as the table needs. */
export interface ApiRequest {
  readonly method: string;
  /** Below the base path, percent-encoded as it came, without the query. */
  readonly path: string;
  /** Behind the `?`, or `''`. */
  readonly query: string;
  /** Names and values in turn, as in Node's `rawHeaders`, so that a doubled header is seen. */
  readonly rawHeaders: readonly string[];
  /** Where it came from, IPv4 or IPv6; `undefined` when that is not known. */
  readonly address: string | undefined;
  /** The body, or `undefined` when it is longer than `limit` bytes. */
  readonly readBody: (limit: number) => Promise<Uint8Array | undefined>;
}

/** An answer, ready to be sent. */
export interface ApiResponse {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** Whole, or piece by piece. */
  readonly body: string | AsyncIterable<string> | undefined;
}

/** The headers of a request by lower-case name. */
export interface Headers {
  readonly first: (name: string) => string | undefined;
  /** Whether the header came more than once. */
  readonly doubled: (name: string) => boolean;
}

/** Reads `rawHeaders`. A list that a face has joined with commas counts as doubled where a comma has no place. */
export function readHeaders(rawHeaders: readonly string[]): Headers {
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (values.has(name)) repeated.add(name);
    else values.set(name, rawHeaders[index + 1] ?? '');
  }
  return { first: (name) => values.get(name), doubled: (name) => repeated.has(name) };
}
