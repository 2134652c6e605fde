/** The management of an account over HTTP: the verbs of the service for the account that signs in. */

import { knownOptions, type OptionNames } from '../base/known-options.ts';
import type { IdentityEvent } from '../records/event.ts';
import type {
  ReinstateInput,
  Reinstatement,
  Revocation,
  RevokeInput,
  SuspendInput,
  Suspension,
} from '../records/state.ts';
import type { AccountOverview, ApiKey, Page, VerdictRecord } from '../records.ts';
import type {
  AccountDeletion,
  Analytics,
  AnalyticsQuery,
  EventQuery,
  KeyInput,
  KeyPage,
  KeyPatch,
  KeyRotation,
  LogoutInput,
  NewApiKey,
  OnceOptions,
  PageRequest,
  PasswordChange,
  Repeatable,
  RotatedApiKey,
  VerificationFilter,
} from '../service.ts';
import { checkedBaseUrl } from './address.ts';
import { type AdminDomains, domainsOf } from './admin-domains.ts';
import { type AdminPassports, passportsOf } from './admin-passports.ts';
import { type AdminRequests, createAdminRequests, type Pages } from './admin-requests.ts';
import { MAKER, sessionOf } from './admin-session.ts';
import { type AdminWebhooks, webhooksOf } from './admin-webhooks.ts';
import { type ChangedState, isStateOf } from './answers.ts';
import { type AdminApprovals, adminApprovalsOf } from './approvals.ts';
import { EVENT_STREAM, followEvents } from './events.ts';
import { pathOf } from './path-of.ts';
import { queryOf } from './query.ts';
import { type ClientSpends, spendsOf } from './spends.ts';
import { checkedTimeout, createTransport, type RequestOptions } from './transport.ts';

/** The options of `createAdminClient`: the address of the service, and e-mail and password or an access token. */
export type AdminClientOptions = {
  /** The URL of the API, ending in `/api`. */
  readonly baseUrl: string;
  /** The milliseconds until a request is given up; default 15,000, because a login may wait 10 s for its turn. */
  readonly timeoutMs?: number;
  /** The `fetch` to use; default: that of the platform. */
  readonly fetch?: typeof globalThis.fetch;
} & (
  | {
      /** The e-mail address of the account. */
      readonly email: string;
      /** The password of the account; kept in memory to sign in again. */
      readonly password: string;
      /** Not allowed with a password. */
      readonly accessToken?: never;
    }
  | {
      /** The access token of a login; after it has expired, every call rejects with `unauthenticated`. */
      readonly accessToken: string;
      /** Not allowed with a token. */
      readonly email?: never;
      /** Not allowed with a token. */
      readonly password?: never;
    }
);

/** The keys of the account. */
export interface AdminKeys {
  /**
   * Creates a key. The request has an `Idempotency-Key`, a new one when none is given, and is sent once more when the
   * connection breaks. If a key was created but its secret was lost on the way, it rejects with `service_unreachable`,
   * with the `id` of the key in the details.
   */
  create(input: KeyInput, options?: RequestOptions): Promise<NewApiKey>;
  /** Creates a key with your own `Idempotency-Key`: a repeated request gets the key without its secret. */
  create(input: KeyInput, options: RequestOptions & OnceOptions): Promise<Repeatable<NewApiKey>>;
  /** Returns the first page; with `for await` every page. */
  list(page?: PageRequest, options?: RequestOptions): Pages<KeyPage>;
  /** Returns a key; `not_found` for a key of another account as for one that does not exist. */
  get(id: string, options?: RequestOptions): Promise<ApiKey>;
  /** Changes name, scopes or agents. */
  update(id: string, patch: KeyPatch, options?: RequestOptions): Promise<ApiKey>;
  /** Rotates a key. Sent as `create`. */
  rotate(id: string, rotation?: KeyRotation, options?: RequestOptions): Promise<RotatedApiKey>;
  /** Rotates a key with your own `Idempotency-Key`: a repeated request gets the key without its secret. */
  rotate(
    id: string,
    rotation: KeyRotation,
    options: RequestOptions & OnceOptions,
  ): Promise<Repeatable<RotatedApiKey>>;
  /** Revokes the key for good. */
  revoke(id: string, options?: RequestOptions): Promise<void>;
}

/** The recorded verdicts of the account. */
export interface AdminVerifications {
  /** Lists the verdicts, newest first: the first page, with `for await` every page. */
  list(query?: VerificationFilter & PageRequest, options?: RequestOptions): Pages<Page<VerdictRecord>>;
  /** Streams the whole list as CSV. Rejects when the stream breaks off. */
  csv(filter?: VerificationFilter, options?: RequestOptions): Promise<AsyncIterable<string>>;
}

/**
 * A client that manages an account of a remote service, with the verbs and records of `IdentityService`. With e-mail
 * and password it signs in before the first call, and again when its token has expired, once for all calls in progress.
 * Reads, and requests with an `Idempotency-Key`, are sent once more when the connection breaks; all others are sent
 * once. Rejects as `createIdentityClient` does.
 */
export interface AdminClient {
  /** The API keys. */
  readonly keys: AdminKeys;
  /** The passports of the agents. */
  readonly passports: AdminPassports;
  /** The domains and their proofs. */
  readonly domains: AdminDomains;
  /** The amounts that verdicts have spent of budgets, or hold. */
  readonly spends: ClientSpends;
  /** The webhooks of the account. */
  readonly webhooks: AdminWebhooks;
  /** The approvals that persons are asked for, and their decisions. */
  readonly approvals: AdminApprovals;
  /** The recorded verdicts. */
  readonly verifications: AdminVerifications;
  /** Returns sums over the recorded verdicts. */
  analytics(query?: AnalyticsQuery, options?: RequestOptions): Promise<Analytics>;
  /**
   * Streams the events of the account, from now on or after `after`, each once. After a break it connects again, and
   * continues after the last event. Rejects on a permanent error as the other calls do, and with the reason of the
   * signal that ends it.
   */
  events(query?: EventQuery, options?: RequestOptions): AsyncIterable<IdentityEvent>;
  /** Revokes a passport for good. */
  revoke(input: RevokeInput, options?: RequestOptions): Promise<Revocation>;
  /** Suspends a passport, until an instant or until it is reinstated. */
  suspend(input: SuspendInput, options?: RequestOptions): Promise<Suspension>;
  /** Ends a suspension. */
  reinstate(input: ReinstateInput, options?: RequestOptions): Promise<Reinstatement>;
  /** Returns the account with its usage and limits. */
  account(options?: RequestOptions): Promise<AccountOverview>;
  /**
   * Changes the password, which ends every session of the account. This client signs in with the new one from then on.
   */
  changePassword(change: PasswordChange, options?: RequestOptions): Promise<void>;
  /**
   * Deletes the account for good. Its sessions and keys stop working, and all its data is erased except the ids of its
   * passports.
   */
  deleteAccount(deletion: AccountDeletion, options?: RequestOptions): Promise<void>;
  /**
   * Ends the session, if there is one; with `everywhere` every session of the account, also those of other clients. A
   * later call signs in again, if it can.
   */
  logout(options?: RequestOptions & LogoutInput): Promise<void>;
}

const OPTIONS: OptionNames<AdminClientOptions> = {
  ...{ baseUrl: true, email: true, password: true, accessToken: true, timeoutMs: true, fetch: true },
};

/**
 * Makes a client that manages an account of the service at `baseUrl`. Throws `invalid_configuration` for options that
 * cannot work.
 *
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { createAdminClient } from 'agent-identity-service/client';
 * import { fetchHandler } from 'agent-identity-service/http';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 *
 * const who = { email: 'ada@example.com', password: 'a-long-password-of-ada' };
 * const session = { secret: 'a secret of 32 characters or more' };
 * const service = createIdentityService({ storage: memoryStorage(), session });
 * await service.accounts.create(who);
 * // A service elsewhere needs no `fetch`: this one answers in the same process.
 * const fetch = async (url, init) => fetchHandler(service)(new Request(url, init));
 * const admin = createAdminClient({ baseUrl: 'https://id.example.com/api', ...who, fetch });
 * console.log((await admin.account()).email); // ada@example.com
 */
export function createAdminClient(options: AdminClientOptions): AdminClient {
  const given = knownOptions(MAKER, options, OPTIONS);
  const { baseUrl, timeoutMs, fetch = globalThis.fetch, ...who } = given;
  const transport = createTransport({
    baseUrl: checkedBaseUrl(MAKER, baseUrl),
    timeoutMs: checkedTimeout(MAKER, timeoutMs, 15_000),
    fetch,
  });
  const { session, changed } = sessionOf(who, transport);
  const requests = createAdminRequests(transport, session);
  const { ask, change } = requests;
  return {
    keys: keysOf(requests),
    passports: passportsOf(requests),
    domains: domainsOf(requests),
    spends: spendsOf(
      ({ path, input, options }) =>
        input === undefined ? ask(path, { options }) : requests.make(path, { input, options, success: 200 }),
      requests.notThisAnswer,
    ),
    webhooks: webhooksOf(requests),
    approvals: adminApprovalsOf(requests),
    verifications: {
      list: (query = {}, options) => requests.list('/verifications', query, options),
      csv: (filter = {}, options) => requests.stream(`/verifications${queryOf(filter)}`, 'text/csv', options),
    },
    analytics: (query = {}, options) => ask('/analytics', { query, options, holds: ['overview', 'series'] }),
    events: (query = {}, options = {}) =>
      followEvents((path, asked) => requests.stream(path, EVENT_STREAM, asked), query, options),
    revoke: (input, options) => changeState(requests, '/revoke', input, ['revoked'], options),
    suspend: (input, options) => changeState(requests, '/suspend', input, ['suspended'], options),
    reinstate: (input, options) => changeState(requests, '/reinstate', input, ['active', 'expired'], options),
    account: (options) => ask('/account', { options, holds: ['id', 'email'] }),
    async changePassword(given, options) {
      const input = { ...given };
      await change('POST', '/auth/password', { input, options, success: 204 });
      changed(input.new_password);
    },
    async deleteAccount(input, options) {
      await change('DELETE', '/account', { input, options, success: 204 });
    },
    logout: (options) => requests.logout(options),
  };
}

function keysOf({ ask, change, make, list }: AdminRequests): AdminKeys {
  const holds = ['id'];
  return {
    create: (input: KeyInput, options?: RequestOptions & OnceOptions) =>
      make<NewApiKey>('/keys', { input, options, holds: ['id', 'message'], secret: 'key' }),
    list: (page = {}, options) => list<KeyPage>('/keys', page, options),
    get: (id, options) => ask(pathOf`/keys/${id}`, { options, holds }),
    update: (id, input, options) =>
      change('PATCH', pathOf`/keys/${id}`, { input, options, success: 200, holds }),
    rotate: (id: string, input: KeyRotation = {}, options?: RequestOptions & OnceOptions) =>
      make<RotatedApiKey>(pathOf`/keys/${id}/rotate`, {
        input,
        options,
        holds: ['id', 'replaces'],
        secret: 'key',
      }),
    async revoke(id, options) {
      await change('DELETE', pathOf`/keys/${id}`, { options, success: 204 });
    },
  };
}

async function changeState<State extends ChangedState>(
  { change, notThisAnswer }: AdminRequests,
  path: string,
  input: ReinstateInput,
  statuses: readonly State['status'][],
  options: RequestOptions | undefined,
): Promise<State> {
  const { agent_id } = Object(input) as ReinstateInput;
  const answer = await change('POST', path, { input, options, success: 200 });
  if (!isStateOf<State>(answer, { agent_id }, statuses)) throw notThisAnswer();
  return answer;
}
