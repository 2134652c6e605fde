/** Refuses requests of which the server may have dropped headers: what is missing may be a second credential. */
import { IdentityError } from '../errors.ts';
import type { ApiRequest } from './exchange.ts';

/**
 * Names and values together. Node 20 keeps about this many of a request and drops the rest without an error; Node 22
 * and later refuse them. Every server refuses from this number on, so that the answer does not depend on which one it is.
 */
const MAX_RAW_HEADERS = 2_000;

/** `headers_too_large` unless it is certain that all headers of the request are there. */
export function requireAllHeaders({ rawHeaders, headersKept = MAX_RAW_HEADERS }: ApiRequest): void {
  if (rawHeaders.length >= Math.min(headersKept, MAX_RAW_HEADERS)) throw headersTooLarge();
}

/** The error of a request with more headers, or longer ones, than are read. */
export function headersTooLarge(): IdentityError {
  return new IdentityError('headers_too_large', 'The request has too many headers, or too long ones.');
}

/** How many names and values a server keeps whose `maxHeadersCount` was set by its host; `undefined`: Node's default. */
export function headersKeptBy(
  server: { readonly maxHeadersCount?: number | null } | undefined,
): number | undefined {
  const count = server?.maxHeadersCount;
  // 0 stands for any number.
  return typeof count === 'number' && count > 0 ? 2 * count : undefined;
}
