/** From the headers and the bytes of a body to its value. */
import { MAX_BATCH_MEMBERS } from '../base/json-data.ts';
import { IdentityError } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';
import { headerOf } from './exchange.ts';
import { readJson } from './read-json.ts';

const MAX_BYTES = 64 * 1024;
const MAX_BATCH_BYTES = 1024 * 1024;
const JSON_TYPE =
  /^application\/(json|merge-patch\+json)[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?$/i;

/** How many bytes the body may have; `unsupported_media_type` when it need not be read to be refused. */
export function mostBytes(endpoint: Endpoint, rawHeaders: readonly string[]): number {
  const mayLack = endpoint.optionalBody && headerOf(rawHeaders, 'content-type') === undefined;
  if (!mayLack) requireType(endpoint, rawHeaders);
  return endpoint.batch ? MAX_BATCH_BYTES : MAX_BYTES;
}

/** The value of the body, which is `undefined` where it had more bytes than it may have. */
export function readBody(
  endpoint: Endpoint,
  rawHeaders: readonly string[],
  bytes: Uint8Array | undefined,
): unknown {
  if (endpoint.optionalBody) {
    if (bytes?.length === 0) return {};
    requireType(endpoint, rawHeaders);
  }
  if (bytes === undefined) {
    const most = endpoint.batch ? MAX_BATCH_BYTES : MAX_BYTES;
    throw new IdentityError('payload_too_large', `The body must be at most ${most} bytes.`);
  }
  return endpoint.batch ? readJson(bytes, { maxMembers: MAX_BATCH_MEMBERS }) : readJson(bytes);
}

function requireType({ mergePatch }: Endpoint, rawHeaders: readonly string[]): void {
  const type = typeOf(headerOf(rawHeaders, 'content-type') ?? '');
  const encoding = headerOf(rawHeaders, 'content-encoding')?.toLowerCase() ?? 'identity';
  if ((type === 'json' || (mergePatch && type !== undefined)) && encoding === 'identity') return;
  throw new IdentityError(
    'unsupported_media_type',
    'Send the body as application/json in UTF-8, uncompressed.',
  );
}

/** What nearly everybody sends is compared; a match of the pattern costs more than all of the headers. */
function typeOf(named: string): string | undefined {
  return named === 'application/json' ? 'json' : JSON_TYPE.exec(named)?.[1]?.toLowerCase();
}
