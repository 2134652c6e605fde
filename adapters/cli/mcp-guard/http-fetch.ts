/** Sends the HTTP requests of a proxy over `node:http`, because the `fetch` of Node takes more than twice as long. */
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';

/**
 * A `fetch` for requests with a text body or no body. It follows no redirects. The default `http.Agent` of
 * Node keeps connections open, and uses the proxy of the environment if Node is configured to do so.
 */
export const httpFetch: typeof globalThis.fetch = (address, init = {}) =>
  new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body, signal }: RequestInit = init;
    const send = String(address).startsWith('https:') ? requestSecure : requestPlain;
    const request = send(String(address), {
      method,
      headers: headers as Readonly<Record<string, string>>,
      ...(signal && { signal }),
    });
    request.on('error', reject);
    request.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      answer.on('error', reject).on('end', () => {
        try {
          resolve(responseOf(answer, text));
        } catch (error) {
          // A status that no response may have.
          reject(error);
        }
      });
    });
    request.end(body ?? undefined);
  });

function responseOf({ statusCode: status = 0, headers }: IncomingMessage, text: string): Response {
  const { 'content-type': type = '', 'retry-after': retryAfter = '' } = headers;
  const body = HAS_NO_BODY.includes(status) ? null : text;
  return new Response(body, { status, headers: { 'content-type': type, 'retry-after': retryAfter } });
}

const HAS_NO_BODY: readonly number[] = [204, 205, 304];
