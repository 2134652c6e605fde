/** Sends webhooks by the network of this machine, under the rules of `safeFetch`. */
import type { WebhookTransport } from '../../src/ports/index.ts';
import { type SafeFetch, urlRefusal } from './safe-fetch.ts';

/** What is read of an answer; the rest is cut off, and all of it is thrown away. */
const MAX_BYTES = 64 * 1_024;
/** The service ends a request by its signal after 15 s; this is for one that goes on all the same. */
const TIMEOUT_MS = 60_000;

/** A transport over `fetch`. */
export function webhookTransport(fetch: SafeFetch): WebhookTransport {
  return {
    refusal: (url, allowLocalhost) => urlRefusal(url, { highPorts: true, allowLocalhost }),
    async post({ url, headers, body, signal, allowLocalhost }) {
      const answer = await fetch(url, {
        ...{ method: 'POST', headers, body, signal, allowLocalhost },
        ...{ highPorts: true, cutsBody: true, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS },
      });
      return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
    },
  };
}
