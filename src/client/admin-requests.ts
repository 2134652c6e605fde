import { jsonData, jsonText, MAX_BODY_MEMBERS } from '../base/json-data.ts';
import { IdentityError, invalidRequest } from '../errors.ts';
import type { Page } from '../records.ts';
import type { OnceOptions } from '../service/index.ts';
import { isPage } from './answers.ts';
import type { ClientSession } from './session.ts';
import { type ClientRequest, type RequestOptions, signalOf, type Transport } from './transport.ts';

/** The first page, and by `for await` that page and every later one. */
export type Pages<Whole extends Page<unknown>> = Promise<Whole> & AsyncIterable<Whole>;

/** What an answer has to hold to be taken, and how the call is ended early. */
interface Asked {
  readonly options: RequestOptions | undefined;
  /** Names that the answer must have. */
  readonly holds?: readonly string[];
}

/** The requests of an account that is signed in. */
export interface AdminRequests {
  ask<Answer>(path: string, asked: Asked & { readonly query?: object }): Promise<Answer>;
  /** Sent once: a change may have been made although no answer came. */
  change<Answer>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    asked: Asked & {
      readonly input?: object;
      readonly headers?: Readonly<Record<string, string>> | undefined;
      readonly success: 200 | 204;
    },
  ): Promise<Answer>;
  /** Sent under an `Idempotency-Key`; `secret` names what a repeated answer lacks. */
  make<Answer extends object>(
    path: string,
    asked: Asked & {
      readonly input: object;
      readonly options: (RequestOptions & OnceOptions) | undefined;
      readonly secret?: string;
    },
  ): Promise<Answer>;
  list<Whole extends Page<unknown>>(
    path: string,
    query: { readonly cursor?: string | null },
    options: RequestOptions | undefined,
  ): Pages<Whole>;
  csv(path: string, query: object, options: RequestOptions | undefined): Promise<AsyncIterable<string>>;
  logout(options: RequestOptions | undefined): Promise<void>;
  notThisAnswer(): IdentityError;
}

/** The requests of who holds the session. */
export function createAdminRequests(transport: Transport, session: ClientSession): AdminRequests {
  const { send, stream, notThisAnswer } = transport;

  function signedIn<Answer>(
    call: ClientRequest,
    use: (call: ClientRequest) => Promise<Answer>,
  ): Promise<Answer> {
    return session.use((token) => use(withToken(call, token)), signalOf(call));
  }

  async function answerOf(call: ClientRequest, holds: readonly string[] = []) {
    const answer = await signedIn(call, send);
    if (!holds.every((name) => Object.hasOwn(Object(answer), name))) throw notThisAnswer();
    return answer;
  }

  async function ask<Answer>(path: string, { query = {}, options, holds }: Asked & { query?: object }) {
    const call = {
      method: 'GET',
      path: `${path}${queryOf(query)}`,
      success: 200,
      isRepeatable: true,
    } as const;
    return (await answerOf({ ...call, ...signalOf(options) }, holds)) as Answer;
  }

  async function readPage<Whole>(path: string, query: object, options: RequestOptions | undefined) {
    const page = await ask<Whole>(path, { query, options });
    if (!isPage(page)) throw notThisAnswer();
    return page;
  }

  return {
    ask,
    notThisAnswer,

    async change<Answer>(
      method: ClientRequest['method'],
      path: string,
      { input, options, headers = {}, success, holds }: Parameters<AdminRequests['change']>[2],
    ) {
      const body = input && { body: toBody(input) };
      const call = { method, path, headers, ...body, success, isRepeatable: false, ...signalOf(options) };
      return (await answerOf(call, holds)) as Answer;
    },

    async make<Answer extends object>(
      path: string,
      { input, options, holds, secret }: Parameters<AdminRequests['make']>[1],
    ) {
      const { idempotencyKey } = options ?? {};
      const headers = { 'idempotency-key': checkedKey(idempotencyKey ?? crypto.randomUUID()) };
      const call = { method: 'POST', path, headers, body: toBody(input), success: 201 } as const;
      const made = await answerOf({ ...call, isRepeatable: true, ...signalOf(options) }, holds);
      // A key that was made here is asked again only where the first answer was lost.
      const isLost =
        secret !== undefined && idempotencyKey === undefined && !Object.hasOwn(Object(made), secret);
      if (isLost) throw secretLost(Object(made).id);
      return made as Answer;
    },

    list<Whole extends Page<unknown>>(
      path: string,
      query: { readonly cursor?: string | null },
      options: RequestOptions | undefined,
    ) {
      const first = readPage<Whole>(path, query, options);
      return Object.assign(first, {
        async *[Symbol.asyncIterator]() {
          let page = await first;
          for (;;) {
            yield page;
            if (page.next_cursor === null) return;
            page = await readPage<Whole>(path, { ...query, cursor: page.next_cursor }, options);
          }
        },
      });
    },

    csv(path, query, options) {
      const headers = { accept: 'text/csv' };
      const call = { method: 'GET', path: `${path}${queryOf(query)}`, headers, success: 200 } as const;
      return signedIn({ ...call, isRepeatable: true, ...signalOf(options) }, (asked) =>
        stream(asked, 'text/csv'),
      );
    },

    logout: (options) =>
      session.end(async (token) => {
        const call = { method: 'POST', path: '/auth/logout', success: 204, isRepeatable: false } as const;
        await send(withToken({ ...call, ...signalOf(options) }, token)).catch((error: unknown) => {
          const hasEnded = error instanceof IdentityError && error.code === 'unauthenticated';
          if (!hasEnded) throw error;
        });
      }),
  };
}

/** The path with the values as segments of it. */
export function pathOf(texts: TemplateStringsArray, ...values: readonly unknown[]): string {
  return texts.map((text, index) => (index === 0 ? text : `${segment(values[index - 1])}${text}`)).join('');
}

/** What a URL would read as something else becomes an id that the service does not know either. */
function segment(value: unknown): string {
  const isId = typeof value === 'string' && !/^\.{0,2}$/.test(value) && !/\p{Surrogate}/u.test(value);
  return isId ? encodeURIComponent(value) : '-';
}

/** A request says of a bad header what it holds. */
function checkedKey(text: string): string {
  if (/^[\x20-\x7e]+$/.test(text)) return text;
  const message = 'An idempotency key has 1 to 255 printable ASCII characters.';
  throw invalidRequest([{ path: '', code: 'invalid_idempotency_key', message }]);
}

/** `undefined` and `null` are left out. */
function queryOf(query: object): string {
  const named = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  if (named.length === 0) return '';
  return `?${new URLSearchParams(named.map(([name, value]) => [name, `${value}`]))}`;
}

function toBody(input: object): string {
  return jsonText(jsonData(input, MAX_BODY_MEMBERS));
}

function withToken(call: ClientRequest, token: string): ClientRequest {
  return { ...call, headers: { ...call.headers, authorization: `Bearer ${token}` } };
}

function secretLost(id: unknown): IdentityError {
  const message =
    'The key was made, but the connection broke before its secret came, which is shown once. Rotate or revoke it.';
  return new IdentityError('service_unreachable', message, { details: { id } });
}
