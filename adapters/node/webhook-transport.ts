/** Sends webhooks over the network of this machine, under the rules of `safeFetch`. */
import type { WebhookTransport } from '../../src/ports/index.ts';
import { type SafeFetch, urlRefusal } from './safe-fetch.ts';

/**
 * The maximum number of bytes to read from a response. Only its status and `Retry-After` are used, so longer
 * bodies are cut off.
 */
const MAX_BYTES = 64 * 1_024;
/** A second time limit. The service aborts a request after 15 s; this limit ends a request that ignores the abort. */
const TIMEOUT_MS = 60_000;

export function webhookTransport(fetch: SafeFetch): WebhookTransport {
  return {
    refusal: (url, allowLocalhost) => urlRefusal(url, { highPorts: true, allowLocalhost }),
    async post({ url, headers, body, signal, allowLocalhost }) {
      const answer = await fetch(url, {
        method: 'POST',
        headers,
        body,
        signal,
        allowLocalhost,
        highPorts: true,
        cutsBody: true,
        maxBytes: MAX_BYTES,
        timeoutMs: TIMEOUT_MS,
      });
      return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
    },
  };
}
