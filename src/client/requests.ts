/** Sends requests with a credential: an API key, or the session of an account. */
import { type Pages, pagesOf } from '../base/pages.ts';
import { jsonText } from '../base/values/json-data.ts';
import type { OnceOptions } from '../core.ts';
import { IdentityError, invalidRequest } from '../errors.ts';
import type { Page } from '../records.ts';
import { isPage } from './answers.ts';
import { queryOf } from './path-of.ts';
import {
  type ClientRequest,
  checkedSignal,
  type RequestOptions,
  signalOf,
  type Transport,
} from './transport.ts';

/** A credential. */
export interface ClientCredential {
  /** Calls `send` with the header of the credential, and returns the result. */
  use<Answer>(
    send: (headers: Readonly<Record<string, string>>) => Promise<Answer>,
    options: RequestOptions,
  ): Promise<Answer>;
}

/** The options of a call, and the names of the fields that its answer must have. */
interface Asked {
  readonly options: RequestOptions | undefined;
  readonly holds?: readonly string[];
}

/** The body of a request: plain data, or a function that creates the text for each attempt. */
export type Body = unknown | (() => Promise<string>);

/** The requests of one credential. */
export interface ClientRequests {
  ask<Answer>(path: string, request: Asked & { readonly query?: object }): Promise<Answer>;
  /** Sends a change once. A second attempt could repeat the change, if only the answer was lost. */
  change<Answer>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    request: Asked & {
      readonly input?: Body;
      readonly headers?: Readonly<Record<string, string>>;
      readonly success: 200 | 201 | 202 | 204;
      /** The status of the answer if the requested object existed already. */
      readonly again?: 200;
      /** The names of the accepted options, in addition to `signal`. */
      readonly takes?: Readonly<Record<string, true>>;
    },
  ): Promise<Answer>;
  /**
   * Sends a request with an `Idempotency-Key`, and repeats the request if the connection breaks. The default key is a
   * new key for each call. `secret` names the field that only the first answer has. Throws if the first answer for a
   * new key was lost.
   */
  make<Answer>(
    path: string,
    request: Asked & {
      readonly input: Body;
      readonly options: (RequestOptions & OnceOptions) | undefined;
      readonly secret?: string | undefined;
      readonly success: 200 | 201 | 202 | 204;
    },
  ): Promise<Answer>;
  list<Whole extends Page<unknown>>(
    path: string,
    query: object,
    options: RequestOptions | undefined,
  ): Pages<Whole>;
  /** Streams a text of the media type `type`. */
  stream(path: string, type: string, options: RequestOptions | undefined): Promise<AsyncIterable<string>>;
  notThisAnswer(): IdentityError;
}

/** The option names of a call with an idempotency key. */
export const ONCE = { idempotencyKey: true } as const;

/** Creates the requests of a credential. */
export function createRequests(
  { send, stream, notThisAnswer }: Transport,
  credential: ClientCredential,
): ClientRequests {
  function withCredential<Answer>(
    call: ClientRequest,
    use: (call: ClientRequest) => Promise<Answer>,
  ): Promise<Answer> {
    return credential.use(
      (headers) => use({ ...call, headers: { ...call.headers, ...headers } }),
      signalOf(call),
    );
  }

  async function answerOf<Answer>(call: ClientRequest, holds: readonly string[] = []): Promise<Answer> {
    const answer = await withCredential(call, send);
    if (!holds.every((name) => Object.hasOwn(Object(answer), name))) throw notThisAnswer();
    return answer as Answer;
  }

  async function ask<Answer>(path: string, { query = {}, options, holds }: Asked & { query?: object }) {
    const call = { method: 'GET', path: `${path}${queryOf(query)}`, success: 200 } as const;
    return answerOf<Answer>({ ...call, isRepeatable: true, ...checkedSignal(options) }, holds);
  }

  return {
    ask,
    notThisAnswer,

    async change(method, path, { input, options, headers = {}, success, again, holds, takes }) {
      const call = { method, path, headers, body: bodyOf(input), success, again, isRepeatable: false };
      return answerOf({ ...call, ...checkedSignal(options, takes) }, holds);
    },

    async make(path, { input, options, holds, secret, success }) {
      const { idempotencyKey } = options ?? {};
      const headers = { 'idempotency-key': checkedKey(idempotencyKey ?? crypto.randomUUID()) };
      const call = { method: 'POST', path, headers, body: bodyOf(input), success } as const;
      const request = { ...call, isRepeatable: true, ...checkedSignal(options, ONCE) };
      const answer = await answerOf<never>(request, holds);
      // With an idempotency key that was made here, a repeated answer means that the first one was lost.
      if (secret !== undefined && idempotencyKey === undefined) assertHas(Object(answer), secret);
      return answer;
    },

    list<Whole extends Page<unknown>>(path: string, query: object, options: RequestOptions | undefined) {
      return pagesOf(async (cursor?: string) => {
        const askedQuery = cursor === undefined ? query : { ...query, cursor };
        const page = await ask<Whole>(path, { query: askedQuery, options });
        if (!isPage(page)) throw notThisAnswer();
        return page;
      });
    },

    async stream(path, type, options) {
      const call = { method: 'GET', path, headers: { accept: type }, success: 200 } as const;
      return withCredential({ ...call, isRepeatable: true, ...checkedSignal(options) }, (request) =>
        stream(request, type),
      );
    },
  };
}

function bodyOf(input: Body): ClientRequest['body'] {
  if (input === undefined) return undefined;
  return typeof input === 'function' ? (input as () => Promise<string>) : jsonText(input);
}

/**
 * Checks an idempotency key before it is sent, because the error of `fetch` for an invalid header would contain its
 * value.
 */
function checkedKey(text: string): string {
  if (/^[\x20-\x7e]+$/.test(text)) return text;
  const message = 'An idempotency key has 1 to 255 printable ASCII characters.';
  throw invalidRequest([{ path: '', code: 'invalid_idempotency_key', message }]);
}

function assertHas(result: { readonly id?: unknown }, secret: string): void {
  if (Object.hasOwn(result, secret)) return;
  const message =
    'The key was made, but the connection broke before its secret came, which is shown once. Rotate or revoke it.';
  throw new IdentityError('service_unreachable', message, { details: { id: result.id } });
}
