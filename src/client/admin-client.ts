/** The management of an account, over HTTP: the methods of `service.as(…)`, for the account that signs in. */

import { knownOptions, type OptionNames } from '../base/known-options.ts';
import type {
  AdminKeys,
  KeyInput,
  KeyPage,
  KeyRotation,
  NewApiKey,
  OnceOptions,
  RotatedApiKey,
} from '../service.ts';
import { checkedBaseUrl } from './address.ts';
import { domainsOf } from './admin-domains.ts';
import { adminLinksOf, adminMembersOf } from './admin-members.ts';
import { passportsOf } from './admin-passports.ts';
import { type AdminRequests, createAdminRequests } from './admin-requests.ts';
import { MAKER, sessionOf } from './admin-session.ts';
import { adminApprovalsOf } from './approvals.ts';
import { stateChangesOf } from './changes.ts';
import { EVENT_STREAM, followEvents } from './events.ts';
import { pathOf } from './path-of.ts';
import { queryOf } from './query.ts';
import { receiptsOf } from './receipts.ts';
import { type AdminClient, capabilityRooms } from './rooms.ts';
import { spendsOf } from './spends.ts';
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
  const capabilities = capabilityRooms(requests);
  return {
    ...capabilities,
    keys: keysOf(requests),
    passports: { ...passportsOf(requests), ...capabilities.passports },
    members: adminMembersOf(requests),
    domains: domainsOf(requests),
    spends: spendsOf(
      ({ path, input, options }) =>
        input === undefined ? ask(path, { options }) : requests.make(path, { input, options, success: 200 }),
      requests.notThisAnswer,
    ),
    approvals: adminApprovalsOf(requests),
    verifications: {
      list: (query = {}, options) => requests.list('/verifications', query, options),
      csv: (filter = {}, options) => requests.stream(`/verifications${queryOf(filter)}`, 'text/csv', options),
      ...receiptsOf((path, options) => ask(path, { options }), requests.notThisAnswer),
    },
    evidence: {
      state: (options) => ask('/log', { options, holds: ['log_id', 'checkpoint'] }),
      entries: ({ blocks = false, ...page } = {}, options) =>
        requests.list('/log/entries', { ...page, ...(blocks && { blocks: 1 }) }, options),
    },
    audit: {
      list: (query = {}, options) => requests.list('/audit', query, options),
      csv: (filter = {}, options) => requests.stream(`/audit${queryOf(filter)}`, 'text/csv', options),
    },
    subjects: {
      erase: (input, options) =>
        change('POST', '/subjects/erase', { input, options, success: 200, holds: ['erased', 'has_more'] }),
    },
    analytics: (query = {}, options) => ask('/analytics', { query, options, holds: ['overview', 'series'] }),
    events: (query = {}, options = {}) =>
      followEvents((path, asked) => requests.stream(path, EVENT_STREAM, asked), query, options),
    ...stateChangesOf(
      (path, input, options) => change('POST', path, { input, options, success: 200 }),
      requests.notThisAnswer,
    ),
    account: (options) => ask('/account', { options, holds: ['id', 'email'] }),
    async changePassword(given, options) {
      const input = { ...given };
      await change('POST', '/auth/password', { input, options, success: 204 });
      changed(input.new_password);
    },
    async deleteAccount(input, options) {
      await change('DELETE', '/account', { input, options, success: 204 });
    },
    ...adminLinksOf(transport),
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
