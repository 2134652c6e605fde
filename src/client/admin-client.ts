/** Manages an account over HTTP, with the methods of `service.as(…)` for the account that signs in. */

import { knownOptions, type OptionNames } from '../base/known-options.ts';
import { jsonData, jsonText, MAX_BODY_MEMBERS } from '../base/values/json-data.ts';
import type { AcceptInput, AccountRooms, LinkInput, Session } from '../core.ts';
import type { AccountEvents } from '../events/index.ts';
import type { AccountLogins } from '../people/index.ts';
import type { ReadLink } from '../records/member.ts';
import { checkedBaseUrl } from './address.ts';
import { logout, MAKER, sessionOf } from './admin-session.ts';
import { followEvents } from './events.ts';
import { createRequests } from './requests.ts';
import { type ClientRooms, roomsOf } from './rooms.ts';
import {
  checkedSignal,
  checkedTimeout,
  createTransport,
  type RequestOptions,
  type Transport,
} from './transport.ts';

/**
 * A client that manages an account of a remote service, with the methods and records of `IdentityService`. With e-mail
 * and password, the client signs in before the first call, and again if its token has expired. If the connection
 * breaks, the client repeats reads and requests with an `Idempotency-Key` once. Rejects as `createIdentityClient` does.
 * A method throws `not_found` if the service does not list the capability of the method.
 */
export type AdminClient = AccountRooms & AccountEvents & AccountLogins & ClientRooms;

/**
 * The options of `createAdminClient`: the address of the service, and either e-mail and password, an access token or a
 * management key.
 */
export type AdminClientOptions = {
  /** The URL of the API, which ends in `/api`. */
  readonly baseUrl: string;
  /** The milliseconds after which a request fails; default 15,000, because a login may wait 10 s for its turn. */
  readonly timeoutMs?: number;
  /** The `fetch` to use; default: the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
} & (PasswordLogin | TokenLogin | KeyLogin);

/** A sign-in with a password. */
export interface PasswordLogin {
  /** The e-mail address of the account. */
  readonly email: string;
  /** The password of the account. It is kept in memory to sign in again. */
  readonly password: string;
  /** Not allowed with a password. */
  readonly accessToken?: never;
  /** Not allowed with a password. */
  readonly apiKey?: never;
}

/** A login with an access token. */
export interface TokenLogin {
  /** The access token of a login. After it has expired, every call rejects with `unauthenticated`. */
  readonly accessToken: string;
  /** Not allowed with a token. */
  readonly email?: never;
  /** Not allowed with a token. */
  readonly password?: never;
  /** Not allowed with a token. */
  readonly apiKey?: never;
}

/** A login with a management key. */
export interface KeyLogin {
  /** A management key, `ais_manage_…`. A method that its scopes do not allow rejects with `insufficient_scope`. */
  readonly apiKey: string;
  /** Not allowed with a key. */
  readonly email?: never;
  /** Not allowed with a key. */
  readonly password?: never;
  /** Not allowed with a key. */
  readonly accessToken?: never;
}

const OPTIONS: OptionNames<AdminClientOptions> = {
  baseUrl: true,
  email: true,
  password: true,
  accessToken: true,
  apiKey: true,
  timeoutMs: true,
  fetch: true,
};

/**
 * Makes a client that manages an account of the service at `baseUrl`. The example passes `fetch` because its service
 * runs in the same process.
 *
 * @throws {IdentityError} `invalid_configuration` for options that cannot work.
 *
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { createAdminClient } from 'agent-identity-service/client';
 * import { fetchHandler } from 'agent-identity-service/http';
 * import { people } from 'agent-identity-service/people';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 *
 * const who = { email: 'ada@example.com', password: 'a-long-password-of-ada' };
 * const session = { secret: 'a secret of 32 characters or more' };
 * const service = createIdentityService({ storage: memoryStorage(), session, capabilities: [people()] });
 * await service.accounts.create(who);
 * const fetch = async (url, init) => fetchHandler(service)(new Request(url, init));
 * const admin = createAdminClient({ baseUrl: 'https://id.example.com/api', ...who, fetch });
 * console.log((await admin.account()).email); // ada@example.com
 */
export function createAdminClient(options: AdminClientOptions): AdminClient {
  const givenOptions = knownOptions(MAKER, options, OPTIONS);
  const { baseUrl, timeoutMs, fetch = globalThis.fetch, ...credentials } = givenOptions;
  const transport = createTransport({
    baseUrl: checkedBaseUrl(MAKER, baseUrl),
    timeoutMs: checkedTimeout(MAKER, timeoutMs, 15_000),
    fetch,
  });
  const { session, changed, credential } = sessionOf(credentials, transport);
  const requests = createRequests(transport, credential);
  const rooms = roomsOf(requests);
  return {
    ...rooms,
    events: (query = {}, options = {}) => followEvents(requests, query, options),
    async changePassword(change, options) {
      const input = { ...change };
      await rooms.changePassword(input, options);
      changed(input.new_password);
    },
    ...linksOf(transport),
    logout: (options) => logout(transport, session, options),
  };
}

// Creates the methods for links over HTTP. People use links to join an account.

/**
 * Creates the methods for links. The person with a link has no credential, so the requests are sent without the session
 * of the account.
 */
function linksOf({ send, notThisAnswer }: Transport): Pick<AccountLogins, 'readLink' | 'acceptLink'> {
  async function post<Answer>(
    path: string,
    { input, options, holds }: { input: object; options: RequestOptions | undefined; holds: string },
  ): Promise<Answer> {
    const call = {
      method: 'POST',
      path,
      body: jsonText(jsonData(input, MAX_BODY_MEMBERS)),
      success: 200,
      isRepeatable: false,
    } as const;
    const answer = await send({ ...call, ...checkedSignal(options) });
    if (!Object.hasOwn(Object(answer), holds)) throw notThisAnswer();
    return answer as Answer;
  }

  return {
    readLink: (input: LinkInput, options?: RequestOptions) =>
      post<ReadLink>('/auth/link', { input, options, holds: 'resets' }),
    acceptLink: (input: AcceptInput, options?: RequestOptions) =>
      post<Session>('/auth/accept', { input, options, holds: 'access_token' }),
  };
}
