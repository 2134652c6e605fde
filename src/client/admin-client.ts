/** The management of an account, over HTTP: the verbs of the service in process, for the account that signs in. */

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

/** Where the service is, and who manages: an account by its password, or the holder of an access token. */
export type AdminClientOptions = {
  /** Where the API stands, ending in `/api`. */
  readonly baseUrl: string;
  /** Milliseconds until a request is given up; default 15,000, since a login may wait for its turn for 10 s. */
  readonly timeoutMs?: number;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
} & (
  | {
      /** Of the account. */
      readonly email: string;
      /** Of the account; kept in memory to sign in again. */
      readonly password: string;
      /** Not with a password. */
      readonly accessToken?: never;
    }
  | {
      /** Of a login; when it ends, every call rejects with `unauthenticated`. */
      readonly accessToken: string;
      /** Not with a token. */
      readonly email?: never;
      /** Not with a token. */
      readonly password?: never;
    }
);

/** The keys of the account. */
export interface AdminKeys {
  /**
   * Sent with an `Idempotency-Key`, made here where none is given, and so once more when the connection breaks. A key
   * that was made but whose secret was lost on the way is `service_unreachable`, with its `id` in the details.
   */
  create(input: KeyInput, options?: RequestOptions): Promise<NewApiKey>;
  /** With an `Idempotency-Key` of yours: a repeated request gets the key without its secret. */
  create(input: KeyInput, options: RequestOptions & OnceOptions): Promise<Repeatable<NewApiKey>>;
  /** The first page; with `for await` every page. */
  list(page?: PageRequest, options?: RequestOptions): Pages<KeyPage>;
  /** `not_found` for a key of another account as for one that does not exist. */
  get(id: string, options?: RequestOptions): Promise<ApiKey>;
  /** Changes name, scopes or agents. */
  update(id: string, patch: KeyPatch, options?: RequestOptions): Promise<ApiKey>;
  /** Sent as `create`. */
  rotate(id: string, rotation?: KeyRotation, options?: RequestOptions): Promise<RotatedApiKey>;
  /** With an `Idempotency-Key` of yours: a repeated request gets the key without its secret. */
  rotate(
    id: string,
    rotation: KeyRotation,
    options: RequestOptions & OnceOptions,
  ): Promise<Repeatable<RotatedApiKey>>;
  /** Ends the key; that is final. */
  revoke(id: string, options?: RequestOptions): Promise<void>;
}

/** The recorded verdicts of the account. */
export interface AdminVerifications {
  /** Newest first: the first page, with `for await` every page. */
  list(query?: VerificationFilter & PageRequest, options?: RequestOptions): Pages<Page<VerdictRecord>>;
  /** The whole list as CSV, as it comes; what breaks off in the middle rejects. */
  csv(filter?: VerificationFilter, options?: RequestOptions): Promise<AsyncIterable<string>>;
}

/**
 * The management of an account of a service elsewhere, with the verbs and records of `IdentityService`. With e-mail
 * and password it signs in when it first has to, and again when its token has ended, once for all calls under way.
 * Reads, and what is made under an `Idempotency-Key`, are sent once more when the connection breaks; all else is sent
 * once. Rejects as `createIdentityClient`.
 */
export interface AdminClient {
  /** The API keys. */
  readonly keys: AdminKeys;
  /** The passports of the agents. */
  readonly passports: AdminPassports;
  /** The domains, and how they are proved. */
  readonly domains: AdminDomains;
  /** What verdicts have spent of budgets, or hold. */
  readonly spends: ClientSpends;
  /** Where events of the account are sent. */
  readonly webhooks: AdminWebhooks;
  /** What persons are asked before an agent may act, and what they say. */
  readonly approvals: AdminApprovals;
  /** The recorded verdicts. */
  readonly verifications: AdminVerifications;
  /** Sums over the recorded verdicts. */
  analytics(query?: AnalyticsQuery, options?: RequestOptions): Promise<Analytics>;
  /**
   * What happens in the account, from now on or behind `after`: each event once. After a break it connects again, and
   * continues after the last event. Rejects as the other calls do where that is of no use, and with the reason of the
   * signal, which ends it.
   */
  events(query?: EventQuery, options?: RequestOptions): AsyncIterable<IdentityEvent>;
  /** Revokes a passport; that is final. */
  revoke(input: RevokeInput, options?: RequestOptions): Promise<Revocation>;
  /** Suspends a passport, until an instant or until it is reinstated. */
  suspend(input: SuspendInput, options?: RequestOptions): Promise<Suspension>;
  /** Ends a suspension. */
  reinstate(input: ReinstateInput, options?: RequestOptions): Promise<Reinstatement>;
  /** The account with its usage and limits. */
  account(options?: RequestOptions): Promise<AccountOverview>;
  /** Ends every session of the account; this client signs in with the new password from then on. */
  changePassword(change: PasswordChange, options?: RequestOptions): Promise<void>;
  /** Closes the account for good: no session and no key of it works, and all that it has is erased but the ids of its passports. */
  deleteAccount(deletion: AccountDeletion, options?: RequestOptions): Promise<void>;
  /**
   * Ends the session, if there is one; with `everywhere` every session of the account, those of other clients, too. A
   * call after it signs in again, where it can.
   */
  logout(options?: RequestOptions & LogoutInput): Promise<void>;
}

const OPTIONS: OptionNames<AdminClientOptions> = {
  ...{ baseUrl: true, email: true, password: true, accessToken: true, timeoutMs: true, fetch: true },
};

/** A client of the management of the service at `baseUrl`; `invalid_configuration` for what cannot work. */
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
