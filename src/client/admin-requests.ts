import { type Pages, pagesOf } from '../base/pages.ts';
import { jsonData, jsonText, MAX_BODY_MEMBERS } from '../base/values/json-data.ts';
import { IdentityError } from '../errors.ts';
import type { Page } from '../records.ts';
import type { LogoutInput, OnceOptions } from '../service.ts';
import { isPage } from './answers.ts';
import { idempotencyKeyOf, ONCE } from './idempotency-key.ts';
import { queryOf } from './query.ts';
import type { ClientSession } from './session.ts';
import {
  type ClientRequest,
  checkedSignal,
  type RequestOptions,
  signalOf,
  type Transport,
} from './transport.ts';

/** The options of a call, and the check of its answer. */
interface Asked {
  readonly options: RequestOptions | undefined;
  /** The names that the answer must have. */
  readonly holds?: readonly string[];
}

/** The requests of an account that is signed in. */
export interface AdminRequests {
  ask<Answer>(path: string, asked: Asked & { readonly query?: object }): Promise<Answer>;
  /** Sends a change once: it may have been made although no answer came. */
  change<Answer>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    asked: Asked & {
      readonly input?: object;
      readonly headers?: Readonly<Record<string, string>> | undefined;
      readonly success: 200 | 201 | 202 | 204;
      /** The status of an answer for something that existed already. */
      readonly again?: 200;
      /** The names of options next to the signal. */
      readonly takes?: Readonly<Record<string, true>>;
    },
  ): Promise<Answer>;
  /** Sends a request with an `Idempotency-Key`; `secret` names the field that a repeated answer lacks. */
  make<Answer extends object>(
    path: string,
    asked: Asked & {
      readonly input: object;
      readonly options: (RequestOptions & OnceOptions) | undefined;
      readonly secret?: string;
      /** The status of the answer; default 201. */
      readonly success?: 200 | 201;
    },
  ): Promise<Answer>;
  list<Whole extends Page<unknown>>(
    path: string,
    query: { readonly cursor?: string | null },
    options: RequestOptions | undefined,
  ): Pages<Whole>;
  /** Streams a text of this media type. */
  stream(path: string, type: string, options: RequestOptions | undefined): Promise<AsyncIterable<string>>;
  logout(options: (RequestOptions & LogoutInput) | undefined): Promise<void>;
  notThisAnswer(): IdentityError;
}

/** Makes the requests of the account with this session. */
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
    return (await answerOf({ ...call, ...checkedSignal(options) }, holds)) as Answer;
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
      { input, options, headers = {}, success, again, holds, takes }: Parameters<AdminRequests['change']>[2],
    ) {
      const body = input && { body: toBody(input) };
      const call = { method, path, headers, ...body, success, again, isRepeatable: false };
      return (await answerOf({ ...call, ...checkedSignal(options, takes) }, holds)) as Answer;
    },

    async make<Answer extends object>(
      path: string,
      { input, options, holds, secret, success = 201 }: Parameters<AdminRequests['make']>[1],
    ) {
      const { idempotencyKey } = options ?? {};
      const headers = idempotencyKeyOf(idempotencyKey);
      const call = { method: 'POST', path, headers, body: toBody(input), success } as const;
      const made = await answerOf({ ...call, isRepeatable: true, ...checkedSignal(options, ONCE) }, holds);
      // With an idempotency key that was made here, a repeated answer means that the first one was lost.
      if (secret !== undefined && idempotencyKey === undefined) assertHas(Object(made), secret);
      return made as Answer;
    },

    list<Whole extends Page<unknown>>(
      path: string,
      query: { readonly cursor?: string | null },
      options: RequestOptions | undefined,
    ) {
      const read = (cursor?: string) =>
        readPage<Whole>(path, cursor === undefined ? query : { ...query, cursor }, options);
      return pagesOf(read);
    },

    async stream(path, type, options) {
      const call = { method: 'GET', path, headers: { accept: type }, success: 200 } as const;
      return signedIn({ ...call, isRepeatable: true, ...checkedSignal(options) }, (asked) =>
        stream(asked, type),
      );
    },

    logout: (options) => logout(transport, session, options),
  };
}

/** Ends the session, or with `everywhere` every session of the account. */
async function logout(
  { send }: Transport,
  session: ClientSession,
  options: (RequestOptions & LogoutInput) | undefined,
): Promise<void> {
  const ended = checkedSignal(options, { everywhere: true });
  const call = { method: 'POST', path: '/auth/logout', success: 204, isRepeatable: false } as const;
  if (options?.everywhere === true) {
    const body = toBody({ everywhere: true });
    // The sessions to end may all belong to other clients: this one is opened for the call.
    const all = { ...call, body, ...ended };
    await session.use((token) => send(withToken(all, token)), ended);
    return session.forget();
  }
  await session.end(async (token) => {
    await send(withToken({ ...call, ...ended }, token)).catch((error: unknown) => {
      const hasEnded = error instanceof IdentityError && error.code === 'unauthenticated';
      if (!hasEnded) throw error;
    });
  });
}

/** Returns the JSON text of an input. */
export function toBody(input: object): string {
  return jsonText(jsonData(input, MAX_BODY_MEMBERS));
}

function withToken(call: ClientRequest, token: string): ClientRequest {
  return { ...call, headers: { ...call.headers, authorization: `Bearer ${token}` } };
}

/** Throws for an answer without its secret, which is shown only once. */
function assertHas(made: { readonly id?: unknown }, secret: string): void {
  if (Object.hasOwn(made, secret)) return;
  const message =
    'The key was made, but the connection broke before its secret came, which is shown once. Rotate or revoke it.';
  throw new IdentityError('service_unreachable', message, { details: { id: made.id } });
}
