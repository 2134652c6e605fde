import type { OnceOptions, ReplayOptions } from '../core.ts';
import { hashing } from '../platform/index.ts';
import type { Reply } from './endpoint.ts';
import { headerOf } from './exchange.ts';

export async function replayable(
  onceOptions: OnceOptions,
  answer: (options: ReplayOptions) => Promise<unknown>,
): Promise<Reply> {
  let isReplayed = false;
  const onReplayed = (): void => {
    isReplayed = true;
  };
  const wasReplayed = (): boolean => isReplayed;
  const body = await answer({ onReplayed, ...onceOptions });
  return wasReplayed() ? { body, headers: { 'idempotent-replayed': 'true' } } : { body };
}

// Replies in CSV (RFC 4180).

export function csvReply(name: string, text: AsyncIterable<string>, bom: string | undefined): Reply {
  return {
    body: bom === 'true' ? marked(text) : text,
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${name}.csv"`,
    },
  };
}

async function* marked(text: AsyncIterable<string>): AsyncIterable<string> {
  yield '\ufeff';
  yield* text;
}

/** Returns `true` if the client asks for CSV by name with a weight above 0. `*` gets JSON. */
export function wantsCsv(accept: string | undefined): boolean {
  const isCsv = (range: string): boolean => /^[ \t]*text\/csv[ \t]*(;|$)/i.test(range);
  const isRefused = (range: string): boolean => /;[ \t]*q=0(\.0{0,3})?[ \t]*$/i.test(range);
  return (accept ?? '').split(',').some((range) => isCsv(range) && !isRefused(range));
}

// Creates answers that caches may keep for a while, instead of the default `no-store`.

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
