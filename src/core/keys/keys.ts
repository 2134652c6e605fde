import type { Pages } from '../../base/pages.ts';
import { createApiKey } from '../../credential/api-key.ts';
import { type FieldError, IdentityError, refuseAny } from '../../errors.ts';
import type { RoomCode } from '../../operations/room-code.ts';
import type { ApiKey, Environment, Instant, Page, Plan, Scope } from '../../records.ts';
import { checkCopy } from '../../schema/check.ts';
import { mustBe } from '../../schema/expected.ts';
import { keyRequestSchema } from '../../schema/validators.generated.ts';
import type { Actor, CallOptions, KeyCaller, KeyCallers, Traced } from '../shared/callers.ts';
import { accountOf, authorOf, type Context, now, OPERATOR, usageCounter } from '../shared/context.ts';
import { futureErrors, futureInstant, instantErrors } from '../shared/future-instant.ts';
import type { Idempotency, OnceOptions, WriteOnce } from '../shared/idempotency.ts';
import { type PageRequest, readPage } from '../shared/pages.ts';
import { isSamePerson } from '../shared/people.ts';
import { everyRecord, recordsBy, recordsExpiredBy } from '../shared/record-lists.ts';
import { logChange } from '../shared/security-log.ts';
import { daysBefore, unusedErrors } from '../shared/unused.ts';
import { insert } from '../storage/store.ts';
import type { KeyUse } from './authenticate-key.ts';
import { createAuthenticateKey } from './authenticate-key.ts';
import type { KeyRecord } from './collections.ts';
import { createKeyChanges, endOf, KEY_MESSAGES, type KeyChanges } from './key-changes.ts';
import {
  assertIssues,
  behindNew,
  isManaging,
  keyEvent,
  kindErrors,
  makerOf,
  type NewApiKey,
  ownedKey,
  type Repeatable,
  scopeErrors,
  seesKey,
  toApiKey,
  toNewKey,
} from './key-record.ts';

/** The parts of the service that this file uses. */
type Needs = Pick<
  Context,
  | 'store'
  | 'caches'
  | 'clock'
  | 'random'
  | 'nextEventName'
  | 'seal'
  | 'session'
  | 'plans'
  | 'auditDays'
  | 'log'
>;

/** A key to create. */
export interface KeyInput {
  /** The name that the account gives the key, 1 to 100 characters. */
  readonly name: string;
  /** The environment; default `live`. A `test` key has no scopes except `verify`, `events`, `decide`, `permit`, `token`. */
  readonly environment?: Environment;
  /**
   * The scopes; default `verify` and `revoke`, for a `test` key `verify`. A scope such as `passports:read` makes a
   * management key. A management key may have only management scopes, `revoke` and `reinstate`.
   */
  readonly scopes?: readonly Scope[];
  /** The agents that the key is restricted to, 1 to 100; default: every agent of the account. */
  readonly agent_ids?: readonly string[];
  /** The domains that a management key is restricted to, 1 to 20; default: every domain of the account. */
  readonly domains?: readonly string[];
  /**
   * The expiry of the key, a future instant such as `2027-01-31T09:00:00Z`. A key without it does not expire. A
   * management key needs an expiry, at most 400 days ahead.
   */
  readonly expires_at?: Instant;
}

/** A page of keys, with the number of all active keys of the account. */
export interface KeyPage extends Page<ApiKey> {
  /** The number of active keys of the account, on all pages. */
  readonly active_count: number;
}

/** A query of keys. */
export interface KeyQuery extends PageRequest {
  /** Only keys of this member: the keys that the member made, and the keys that act for the member. */
  readonly created_by?: string;
  /** Only keys that are older than this number of days, 1 to 365, and were not used in these days. */
  readonly unused_days?: number;
}

/** Manages the keys of an account. */
export interface Keys<Options = CallOptions> extends KeyChanges<Options> {
  /**
   * Creates a key and counts it in the same write.
   *
   * @throws {IdentityError} `plan_limit_reached` if the account already has the number of keys that its plan allows.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   */
  create(input: KeyInput, options?: Options): Promise<NewApiKey>;
  /**
   * Creates the key once for each idempotency key. A repeated call returns the key without its secret.
   *
   * @throws {IdentityError} `plan_limit_reached` as for `create` without an idempotency key.
   * @throws {IdentityError} `idempotency_mismatch` if the idempotency key belongs to a different request.
   * @throws {IdentityError} `conflict` while a request with the same `idempotencyKey` runs.
   * @throws {IdentityError} `invalid_request` for a wrong input or idempotency key.
   */
  create(input: KeyInput, options: Options & OnceOptions): Promise<Repeatable<NewApiKey>>;
  /**
   * Lists the keys, newest first.
   *
   * @throws {IdentityError} `invalid_request` for a wrong filter, limit or cursor.
   */
  list(query?: KeyQuery, options?: Options & CallOptions): Pages<KeyPage>;
  /**
   * Returns one key.
   *
   * @throws {IdentityError} `not_found` if the key does not exist or belongs to another account.
   */
  get(id: string, options?: Options): Promise<ApiKey>;
}

/** Manages keys in process, with methods that HTTP does not have. */
export interface HostKeys extends Keys<Actor> {
  /**
   * Returns the present number of active keys of the account.
   *
   * @throws {IdentityError} `storage_unavailable` if the storage does not answer.
   */
  activeCount(actor?: Actor): Promise<number>;
  /**
   * Returns the caller that an API key identifies.
   *
   * @throws {IdentityError} `unauthenticated` if the key is unknown, expired or revoked, or its account is disabled.
   * The error is the same in each case.
   */
  authenticate(apiKey: string, trace?: Traced): Promise<KeyCaller>;
}

/** Manages keys. Other parts of the service use `callers` to authenticate the callers of requests. */
export interface KeysSince extends RoomCode<HostKeys> {
  readonly callers: KeyCallers;
}

/** The dependencies of the keys. */
export interface KeyParts {
  readonly idempotency: Idempotency;
  readonly use: KeyUse;
}

export function createKeys(context: Needs, { idempotency, use }: KeyParts): KeysSince {
  const { store } = context;
  const callers = createAuthenticateKey(context, use);
  const { monotonic } = context.caches;

  async function planOf(account_id: string, actor: Actor): Promise<Plan> {
    return actor.plan ?? (await store.get('accounts', account_id))?.plan ?? 'enterprise';
  }

  return {
    ...createKeyChanges(context, idempotency, planOf),

    async create(givenInput: KeyInput, options: Actor & OnceOptions = {}) {
      const input = checkCopy<KeyInput>(keyRequestSchema, givenInput, (fields, isRefused) =>
        keyErrors(context, fields, isRefused),
      );
      const account_id = accountOf(context, options);
      const { environment = 'live' } = input;
      const scopes = input.scopes ?? (environment === 'test' ? ['verify'] : ['verify', 'revoke']);
      assertIssues(options, { scopes, agent_ids: input.agent_ids ?? null });
      const request = { ...options, account_id, operation: 'keys.create', input };
      return idempotency.once<NewApiKey>(request, async (write) => {
        const expires_at =
          input.expires_at === undefined ? null : futureInstant(context, '/expires_at', input.expires_at);
        const plan = await planOf(account_id, options);
        const { key, record } = newKey(context, { ...input, scopes, expires_at }, options);
        const { id, start } = record;
        const repeatable = { ...toNewKey(record), plan, message: KEY_MESSAGES.again };
        const shownFields = { ...repeatable, key, message: KEY_MESSAGES.first };
        const result = { id, shown: shownFields, repeatable: repeatable as NewApiKey };
        const max = options.plan === undefined ? null : context.plans[plan].keys;
        await insertCounted(context, record, max, (changes) => write(result, changes));
        logChange(context, 'key.created', options, { key_id: id, start });
        return result;
      });
    },

    async list({ created_by, unused_days, ...request } = {}, options = {}) {
      refuseAny(unusedErrors(unused_days));
      if (created_by !== undefined && typeof created_by !== 'string')
        refuseAny([{ path: '/created_by', code: 'wrong_type', message: mustBe('/created_by') }]);
      const account_id = accountOf(context, options);
      const active_count = await settleExpired(context, account_id);
      const cutoff = unused_days === undefined ? undefined : daysBefore(context, unused_days);
      const source = {
        query: ['keys', account_id, created_by, unused_days === undefined ? undefined : `${unused_days}`],
        ...recordsBy(store, 'keys', { account_id }),
        show: (record: KeyRecord) => toApiKey(record, now(context)),
      };
      const keep = (key: KeyRecord): boolean =>
        seesKey(options, key) &&
        (created_by === undefined || isSamePerson(makerOf(key), created_by)) &&
        (cutoff === undefined || (key.created_at < cutoff && (key.last_used_at ?? '') < cutoff));
      const isWhole = created_by === undefined && cutoff === undefined && options.management === undefined;
      const query = isWhole ? source : { ...source, keep };
      return { ...(await readPage(context, query, request, options)), active_count };
    },

    get: async (id, actor = {}) => toApiKey(await ownedKey(context, id, actor), now(context)),

    activeCount: async (actor = {}) => settleExpired(context, accountOf(context, actor)),

    authenticate(apiKey, trace = {}) {
      const atMs = monotonic();
      const caller = callers.peek(apiKey, atMs);
      return caller === undefined ? callers.find(apiKey, trace, atMs) : Promise.resolve(caller);
    },

    callers,
  };
}

function newKey(
  context: Pick<Context, 'clock' | 'random' | 'session'>,
  { name, environment = 'live', scopes, agent_ids, domains, expires_at }: CheckedKey,
  actor: Actor,
): { readonly key: string; readonly record: KeyRecord } {
  const kind = isManaging(scopes) ? 'manage' : environment;
  const { key, id, digest, start } = createApiKey(kind, context.random);
  const record: KeyRecord = {
    ...unusedKey({ id, start, digest }),
    name,
    environment,
    scopes,
    agent_ids: agent_ids ?? null,
    ...(domains !== undefined && { domains }),
    ...behindNew(actor, scopes),
    created_at: now(context),
    expires_at,
    account_id: accountOf(context, actor),
    created_by: authorOf(context, actor),
  };
  return { key, record };
}

interface CheckedKey extends Omit<KeyInput, 'expires_at'> {
  readonly scopes: readonly Scope[];
  readonly expires_at: Instant | null;
}

/**
 * Returns the errors of a new key that its schema cannot find. If there are other errors, also reports an
 * expiry in the past. Otherwise the caller checks the expiry later, so that a repeated request gets the same
 * answer even after the expiry.
 */
function keyErrors(
  context: Pick<Context, 'clock'>,
  fields: Readonly<Record<string, unknown>>,
  isRefused: boolean,
): readonly FieldError[] {
  const { environment, scopes, agent_ids, domains, expires_at } = fields;
  const errors = [
    ...scopeErrors(environment, scopes),
    ...kindErrors(context, { environment, scopes, agent_ids, domains, expires_at }),
  ];
  const isSound = !isRefused && errors.length === 0;
  const ofEnd = isSound ? instantErrors : futureErrorsOf(context);
  return [...errors, ...ofEnd('/expires_at', expires_at)];
}

function futureErrorsOf(context: Pick<Context, 'clock'>): typeof instantErrors {
  return (path, text) => futureErrors(context, path, text);
}

function unusedKey(record: Pick<KeyRecord, 'id' | 'start' | 'digest'>) {
  return {
    ...record,
    version: 1,
    status: 'active',
    last_used_at: null,
    revoked_at: null,
    rotated_to: null,
    changed_at: null,
    changed_by: null,
    revoked_by: null,
  } as const;
}

async function settleExpired(context: Pick<Context, 'store' | 'clock'>, account_id: string): Promise<number> {
  const { store } = context;
  const filter = { account_id, status: 'active' };
  const expiredReader = recordsExpiredBy(store, 'keys', now(context), filter);
  for await (const record of everyRecord(expiredReader, 100)) {
    await store.write(...endOf(context, record, { status: 'expired' }));
  }
  return store.count(usageCounter('keys', account_id), now(context));
}

async function insertCounted(
  context: Needs,
  record: KeyRecord,
  max: number | null,
  write: (changes: Parameters<WriteOnce>[1]) => ReturnType<WriteOnce>,
): Promise<void> {
  const counter = usageCounter('keys', record.account_id);
  const add = { op: 'add', counter, by: 1, at: record.created_at, ...(max !== null && { max }) } as const;
  for (const isSettled of [false, true]) {
    const event = keyEvent(context, 'key.created', record, { changed_by: record.created_by ?? OPERATOR });
    const result = await write([insert('keys', record), add, event]);
    if (result.written) return;
    if (result.failure !== 'limit') throw new IdentityError('internal', 'The key could not be stored.');
    if (!isSettled) await settleExpired(context, record.account_id);
  }
  throw new IdentityError('plan_limit_reached', `The plan allows ${max} active keys. Revoke one first.`);
}
