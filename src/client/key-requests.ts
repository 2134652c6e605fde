import { EVENT_STREAM } from './events.ts';
import { idempotencyKeyOf, ONCE } from './idempotency-key.ts';
import {
  type ClientRequest,
  checkedSignal,
  type RequestOptions,
  signalOf,
  type Transport,
} from './transport.ts';

/** Makes requests with the headers of a key. */
export function requestsWith(
  headers: Readonly<Record<string, string>>,
  { send, stream }: Pick<Transport, 'send' | 'stream'>,
) {
  return {
    /** Opens a stream of events. */
    async follow(path: string, { signal }: RequestOptions): Promise<AsyncIterable<string>> {
      const accept = { ...headers, accept: EVENT_STREAM };
      const call = { method: 'GET', path, headers: accept, success: 200, isRepeatable: true } as const;
      return stream({ ...call, ...signalOf({ ...(signal && { signal }) }) }, EVENT_STREAM);
    },

    async get(path: string, options: RequestOptions | undefined): Promise<unknown> {
      const call = { method: 'GET', path, headers, success: 200, isRepeatable: true } as const;
      return send({ ...call, ...checkedSignal(options) });
    },

    async post(path: string, body: Body, options: RequestOptions | undefined): Promise<unknown> {
      const call = { method: 'POST', path, headers, body, success: 200, isRepeatable: false } as const;
      return send({ ...call, ...checkedSignal(options) });
    },

    /**
     * Sends a request with an idempotency key, a new one when none is given; sends it once more when the connection
     * breaks.
     */
    async postOnce(
      path: string,
      body: Body,
      options: RequestOptions | undefined,
      idempotencyKey: string | undefined,
    ): Promise<unknown> {
      const keyed = { ...headers, ...idempotencyKeyOf(idempotencyKey) };
      const call = { method: 'POST', path, headers: keyed, body, success: 200 } as const;
      return send({ ...call, isRepeatable: true, ...checkedSignal(options, ONCE) });
    },
  };
}

type Body = ClientRequest['body'];
