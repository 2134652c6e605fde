/** Creates the responses for public documents: a document, or a problem document (RFC 9457). */
import { crc32OfText } from '../base/bytes/crc32.ts';
import type { IdentityService } from '../core.ts';
import { describeCause, IdentityError } from '../errors.ts';
import { type ApiResponse, headerOf, readRequestId } from '../http/exchange.ts';
import { problemHeaders, toIdentityError, toProblem } from '../http/problem.ts';
import { matchesEtag } from '../http/replies.ts';

export interface PublicText {
  readonly text: string;
  readonly etag: string;
}

export function publicText(content: object, mark = ''): PublicText {
  const text = JSON.stringify(content);
  const sum = crc32OfText(text).toString(16);
  return { text, etag: `"${mark}${sum}-${text.length.toString(16)}"` };
}

export function found(
  { text, etag }: PublicText,
  {
    rawHeaders,
    mediaType,
    maxAgeSeconds,
  }: {
    readonly rawHeaders: readonly string[];
    readonly mediaType: string;
    readonly maxAgeSeconds: number;
  },
): ApiResponse {
  const headers = [...shared(`public, max-age=${maxAgeSeconds}`), 'etag', etag, 'vary', 'accept'];
  if (matchesEtag(headerOf(rawHeaders, 'if-none-match'), etag))
    return { status: 304, headers, body: undefined };
  return { status: 200, headers: [...headers, 'content-type', mediaType], body: text };
}

/** Returns the response 410, because a revocation is final. */
export function gone(rawHeaders: readonly string[], maxAgeSeconds: number): ApiResponse {
  const problem = toProblem(
    new IdentityError('not_found', 'This agent is revoked.'),
    requestIdOf(rawHeaders),
  );
  return {
    status: 410,
    headers: [...shared(`public, max-age=${maxAgeSeconds}`), 'content-type', 'application/problem+json'],
    body: JSON.stringify({ ...problem, title: 'It no longer exists', status: 410 }),
  };
}

export function problemOf(
  service: Pick<IdentityService, 'serving'>,
  rawHeaders: readonly string[],
  thrownError: unknown,
): ApiResponse {
  const error = toIdentityError(thrownError);
  const request_id = requestIdOf(rawHeaders);
  const problem = toProblem(error, request_id);
  if (problem.status >= 500) {
    service.serving.log({
      level: 'error',
      event: 'request_failed',
      message: `A public document answered ${problem.status}.`,
      request_id,
      code: error.code,
      cause: describeCause(error),
    });
  }
  return {
    status: problem.status,
    headers: [...shared('no-store'), 'x-request-id', request_id, ...problemHeaders(error)],
    body: JSON.stringify(problem),
  };
}

function requestIdOf(rawHeaders: readonly string[]): string {
  return readRequestId(rawHeaders) ?? `req_${crypto.randomUUID().replaceAll('-', '')}`;
}

/** Returns headers that let web pages of every origin read these public documents. */
function shared(cacheControl: string): string[] {
  return [
    'cache-control',
    cacheControl,
    'x-content-type-options',
    'nosniff',
    'access-control-allow-origin',
    '*',
  ];
}
