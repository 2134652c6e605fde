/** Refuses requests of which the server may have dropped headers: a dropped one may be a second credential. */
import { IdentityError } from '../errors.ts';
import type { ApiRequest } from './exchange.ts';

/**
 * The limit of names and values together. Node 20 drops the headers beyond about this many without an error; Node 22
 * and later refuse the request. This limit makes the answer the same on every server.
 */
const MAX_RAW_HEADERS = 2_000;

/** Throws `headers_too_large` unless it is certain that the request has all of its headers. */
export function requireAllHeaders({ rawHeaders, headersKept = MAX_RAW_HEADERS }: ApiRequest): void {
  if (rawHeaders.length >= Math.min(headersKept, MAX_RAW_HEADERS)) throw headersTooLarge();
}

/** Makes the error of a request whose headers are too many or too long. */
export function headersTooLarge(): IdentityError {
  return new IdentityError('headers_too_large', 'The request has too many headers, or too long ones.');
}

/**
 * Returns the number of names and values that a server keeps if its host set `maxHeadersCount`; `undefined` means
 * Node's default.
 */
export function headersKeptBy(
  server: { readonly maxHeadersCount?: number | null } | undefined,
): number | undefined {
  const count = server?.maxHeadersCount;
  // 0 means no limit.
  return typeof count === 'number' && count > 0 ? 2 * count : undefined;
}
