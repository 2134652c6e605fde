import { joinBytes } from '../../base/bytes/join-bytes.ts';

/** Fetches the body at the URL. Rejects for anything except a complete answer with status 200. */
export type FetchBytes = (url: string) => Promise<Uint8Array>;

const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 5_000;

const LOCAL_ISSUER = /^(?:did:web:localhost(?:%3A|$)|http:\/\/(?:localhost|127\.0\.0\.1)[:/])/;

/**
 * Creates the function that fetches the keys and lists of this issuer: at most 256 KiB and 5 s, and no redirects.
 * Without a function of the caller, Node connects only to public addresses, because a token may name any address. For
 * `localhost`, it connects to this computer.
 */
export function createFetchBytes(
  issuer: string,
  givenFetch: typeof globalThis.fetch | undefined,
): FetchBytes {
  const fetch = givenFetch ?? (LOCAL_ISSUER.test(issuer) ? globalThis.fetch : fetchPublic);
  return async (url) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    // `manual`, not `error`, which Workers do not have: the status of a redirect is not 200.
    const response = await fetch(url, { redirect: 'manual', signal });
    if (response.status !== 200 || response.body === null) throw new TypeError('There is no document.');
    return readBounded(response.body, signal);
  };
}

async function fetchPublic(url: string, { signal }: { readonly signal: AbortSignal }): Promise<Response> {
  const { safeFetch } = await import('#safe-fetch');
  return safeFetch(url, { signal, highPorts: true });
}

async function readBounded(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<Uint8Array> {
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) break;
      length += value.length;
      if (length > MAX_BYTES) throw new RangeError('The document is too large.');
      pieces.push(value);
    }
  } catch (error) {
    await reader.cancel(error).catch(() => undefined);
    throw error;
  }
  return joinBytes(pieces, length);
}
