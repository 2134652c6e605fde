import { idempotencyKeyOf } from './idempotency-key.ts';
import { type ClientRequest, type RequestOptions, signalOf, type Transport } from './transport.ts';

/** Makes requests with the headers of a key. */
export function requestsWith(headers: Readonly<Record<string, string>>, send: Transport['send']) {
  return {
    get(path: string, options: RequestOptions | undefined): Promise<unknown> {
      const call = { method: 'GET', path, headers, success: 200, isRepeatable: true } as const;
      return send({ ...call, ...signalOf(options) });
    },

    post(path: string, body: Body, options: RequestOptions | undefined): Promise<unknown> {
      const call = { method: 'POST', path, headers, body, success: 200, isRepeatable: false } as const;
      return send({ ...call, ...signalOf(options) });
    },

    /**
     * Sends a request with an idempotency key, a new one when none is given; sends it once more when the connection
     * breaks.
     */
    postOnce(
      path: string,
      body: Body,
      options: RequestOptions | undefined,
      idempotencyKey: string | undefined,
    ): Promise<unknown> {
      const keyed = { ...headers, ...idempotencyKeyOf(idempotencyKey) };
      const call = { method: 'POST', path, headers: keyed, body, success: 200 } as const;
      return send({ ...call, isRepeatable: true, ...signalOf(options) });
    },
  };
}

type Body = ClientRequest['body'];
