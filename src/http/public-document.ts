/** Creates answers that caches may keep for a while, instead of the default `no-store`. */
import { hashing } from '../platform/index.ts';
import type { Reply } from './endpoint.ts';
import { headerOf } from './exchange.ts';

/** Creates the reply of a document with its ETag, or 304 if the client has this version (RFC 9110 section 13.1.2). */
export function publicDocument(text: string, rawHeaders: readonly string[], maxAgeSeconds: number): Reply {
  const etag = `"${hashing.sha256Hex(text).slice(0, 32)}"`;
  const headers = {
    'cache-control': `public, max-age=${maxAgeSeconds}`,
    etag,
    'access-control-allow-origin': '*',
  };
  const isKnown = matchesEtag(headerOf(rawHeaders, 'if-none-match'), etag);
  return isKnown ? { headers, notModified: true } : { body: text, headers };
}

/** Returns `true` if `If-None-Match` names the ETag, with the weak comparison that RFC 9110 requires. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => {
    const text = part.trim();
    return text === '*' || text.replace(/^W\//, '') === etag;
  });
}
