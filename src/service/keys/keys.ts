/** API keys: made, shown by their start only, checked by their digest. */
import { createBoundedMap } from '../../base/bounded-map.ts';
import { apiKeyDigest, apiKeyId, createApiKey, readApiKey, shownStart } from '../../credential/api-key.ts';
import { type FieldError, IdentityError } from '../../errors.ts';
import type { KeyRecord } from '../../ports/stored-records.ts';
import type { ApiKey, Environment, Instant, Page, Plan, Scope } from '../../records.ts';
import { checkCopy } from '../../schema/check.ts';
import type { CallOptions, Traced } from '../shared/call-options.ts';
import type { Actor, KeyCaller } from '../shared/callers.ts';
import { accountOf, authorOf, type Context, now, usageCounter } from '../shared/context.ts';
import { futureErrors, futureInstant, instantErrors } from '../shared/future-instant.ts';
import type { Idempotency, OnceOptions, WriteOnce } from '../shared/idempotency.ts';
import { type PageRequest, readPage } from '../shared/pages.ts';
import { everyRecord, recordsBy, recordsExpiredBy } from '../shared/record-lists.ts';
import { tellChange, tellSecurity } from '../shared/security-log.ts';
import type { KnownAccount, KnownKey } from '../storage/caches.ts';
import { insert } from '../storage/store.ts';
import { createKeyChanges, endOf, KEY_MESSAGES, type KeyChanges } from './key-changes.ts';
import type { NewApiKey, Repeatable } from './key-record.ts';
import { keyStatusAt, ownedKey, scopeErrors, toApiKey, toNewKey } from './key-record.ts';
import type { KeyUse } from './key-use.ts';

/** The key to make. */
export interface KeyInput {
  /** What the account calls it; 1 to 100 characters. */
  readonly name: string;
  /** Default `live`; a `test` key may only ask for verdicts. */
  readonly environment?: Environment;
  /** Default `verify` and `revoke`; of a `test` key `verify`. */
  readonly scopes?: readonly Scope[];
  /** The only agents it may ask about, 1 to 100; absent: every agent of the account. */
  readonly agent_ids?: readonly string[];
  /** A future instant, such as `2027-01-31T09:00:00Z`; absent: never. */
  readonly expires_at?: Instant;
}

/** A page of keys, with how many of the account's keys are active at all. */
export interface KeyPage extends Page<ApiKey> {
  /** How many keys of the account are active, on all pages. */
  readonly active_count: number;
}

/** Manages the keys of an account. */
export interface Keys extends KeyChanges {
  /** `plan_limit_reached` over the number of the plan, counted in one step with the insert. */
  create(input: KeyInput, actor?: Actor): Promise<NewApiKey>;
  /** The same; answered again it is without the secret. */
  create(input: KeyInput, actor: Actor, options: OnceOptions): Promise<Repeatable<NewApiKey>>;
  /** Newest first. */
  list(request?: PageRequest, actor?: Actor, options?: CallOptions): Promise<KeyPage>;
  /** `not_found` for a key of another account as for one that does not exist. */
  get(id: string, actor?: Actor): Promise<ApiKey>;
  /** How many keys of the account are active now. */
  activeCount(actor?: Actor): Promise<number>;
  /** Who is behind a key, or `unauthenticated`: unknown, expired, revoked and a disabled account look the same. */
  authenticate(apiKey: string, traced?: Traced): Promise<KeyCaller>;
}

/** The same with a question that began before it got here. */
export interface KeysSince extends Keys {
  /** What `authenticate` answers to a question that began at `at`, by the monotonic clock; default: now. */
  authenticateSince(apiKey: string, traced?: Traced, at?: number): Promise<KeyCaller>;
}

/** Why a key is refused: for the log alone. */
interface Refusal {
  readonly refused: 'malformed' | 'unknown' | 'expired' | 'revoked' | 'account_disabled';
  readonly record?: KeyRecord;
}

const MALFORMED: Refusal = { refused: 'malformed' };
const UNKNOWN: Refusal = { refused: 'unknown' };

/** What keys work with. */
export interface KeyParts {
  readonly idempotency: Idempotency;
  readonly use: KeyUse;
}

const LEAST_IDS = 10_000;

/** The keys of one service. */
export function createKeys(context: Context, { idempotency, use }: KeyParts): KeysSince {
  const { store, caches } = context;
  /** Ids by digest: deriving one takes some microseconds. Only of keys that exist. */
  const ids = createBoundedMap<string, string>(LEAST_IDS);

  async function planOf(account_id: string, actor: Actor): Promise<Plan> {
    return actor.plan ?? (await store.get('accounts', account_id))?.plan ?? 'enterprise';
  }

  /** Takes keys that have expired off the account's count; the number of active ones that remain. */
  async function settleExpired(account_id: string): Promise<number> {
    const where = { account_id, status: 'active' };
    const expired = recordsExpiredBy(store, 'keys', now(context), where);
    for await (const record of everyRecord(expired, 100)) {
      await store.write(...endOf(context, record, { status: 'expired' }));
    }
    return store.count(usageCounter('keys', account_id), now(context));
  }

  /** Writes a new key and counts it. What has expired is taken off the count before it is called full. */
  async function insertCounted(
    record: KeyRecord,
    max: number | null,
    write: (changes: Parameters<WriteOnce>[1]) => ReturnType<WriteOnce>,
  ): Promise<void> {
    const counter = usageCounter('keys', record.account_id);
    const add = { op: 'add', counter, by: 1, at: record.created_at, ...(max !== null && { max }) } as const;
    for (const settled of [false, true]) {
      const result = await write([insert('keys', record), add]);
      if (result.written) return;
      if (result.failure !== 'limit') throw new IdentityError('internal', 'The key could not be stored.');
      if (!settled) await settleExpired(record.account_id);
    }
    throw new IdentityError('plan_limit_reached', `The plan allows ${max} active keys. Revoke one first.`);
  }

  /** Who is behind a key that was found, or a refusal. An account that the host keeps itself has no limits. */
  function admit(
    key: KnownKey,
    account: KnownAccount | undefined,
    digest: string,
    at: number,
  ): KeyCaller | Refusal {
    const { record } = key;
    const status = record.expires_at === null ? record.status : keyStatusAt(record, now(context));
    if (record.digest !== digest) return UNKNOWN;
    if (status !== 'active' && status !== 'rotating') return { refused: status, record };
    if (account?.disabled === true) return { refused: 'account_disabled', record };
    if (at >= key.noteAt) key.noteAt = at + use.note(record);
    const plan = account?.plan ?? 'enterprise';
    if (key.caller?.plan !== plan) key.caller = toCaller(record, plan);
    return key.caller;
  }

  async function authenticateSince(
    apiKey: string,
    traced: Traced = {},
    at: number = caches.monotonic(),
  ): Promise<KeyCaller> {
    const found = await find(apiKey, at);
    if ('refused' in found) throw refusal(found, apiKey, traced);
    return found;
  }

  async function find(apiKey: string, at: number): Promise<KeyCaller | Refusal> {
    const digest = typeof apiKey === 'string' ? apiKeyDigest(apiKey) : undefined;
    if (digest === undefined) return MALFORMED;
    const knownId = ids.get(digest);
    if (knownId === undefined && readApiKey(apiKey) === undefined) return MALFORMED;
    const id = knownId ?? apiKeyId(digest);
    const { value: key } = caches.keys.peek(id, at) ?? (await caches.keys.load(id, at));
    if (key === undefined) return UNKNOWN;
    if (knownId === undefined) ids.set(key.record.digest, id);
    const { account_id } = key.record;
    const { value: account } =
      caches.accounts.peek(account_id, at) ?? (await caches.accounts.load(account_id, at));
    return admit(key, account, digest, at);
  }

  /** Unknown, expired and revoked look the same outside: only the log says which. */
  function refusal(
    { refused: reason, record }: Refusal,
    apiKey: string,
    { request_id }: Traced,
  ): IdentityError {
    const { id: key_id, account_id } = record ?? {};
    const facts = { account_id, key_id, start: shownStart(apiKey), reason, request_id };
    tellSecurity(context, 'key.refused', facts);
    return new IdentityError('unauthenticated', 'The API key is missing or not valid.');
  }

  return {
    ...createKeyChanges(context, idempotency, planOf),

    async create(given: KeyInput, actor: Actor = {}, options: OnceOptions = {}) {
      const input = checkCopy<KeyInput>('KeyRequest', given, (fields, isRefused) =>
        keyErrors(context, fields, isRefused),
      );
      const account_id = accountOf(context, actor);
      const { environment = 'live' } = input;
      const scopes = input.scopes ?? (environment === 'test' ? ['verify'] : ['verify', 'revoke']);
      const request = { ...options, account_id, operation: 'keys.create', input };
      return idempotency.once<NewApiKey>(request, async (write) => {
        const expires_at =
          input.expires_at === undefined ? null : futureInstant(context, '/expires_at', input.expires_at);
        const plan = await planOf(account_id, actor);
        const { key, id, digest, start } = createApiKey(environment, context.random);
        const record: KeyRecord = {
          id,
          name: input.name,
          start,
          environment,
          scopes,
          agent_ids: input.agent_ids ?? null,
          created_at: now(context),
          expires_at,
          account_id,
          version: 1,
          digest,
          status: 'active',
          last_used_at: null,
          revoked_at: null,
          rotated_to: null,
          created_by: authorOf(context, actor),
          changed_at: null,
          changed_by: null,
          revoked_by: null,
        };
        const repeatable = { ...toNewKey(record), plan, message: KEY_MESSAGES.again };
        const shown = { ...repeatable, key, message: KEY_MESSAGES.first };
        const made = { id, shown, repeatable: repeatable as NewApiKey };
        const max = actor.plan === undefined ? null : context.plans[plan].keys;
        await insertCounted(record, max, (changes) => write(made, changes));
        tellChange(context, 'key.created', actor, { key_id: id, start });
        return made;
      });
    },

    async list(request = {}, actor = {}, options = {}) {
      const account_id = accountOf(context, actor);
      const active_count = await settleExpired(account_id);
      const source = {
        query: ['keys', account_id],
        ...recordsBy(store, 'keys', { account_id }),
        show: (record: KeyRecord) => toApiKey(record, now(context)),
      };
      return { ...(await readPage(context, source, request, options)), active_count };
    },

    get: async (id, actor = {}) => toApiKey(await ownedKey(context, id, actor), now(context)),

    activeCount: async (actor = {}) => settleExpired(accountOf(context, actor)),

    authenticate: (apiKey, traced) => authenticateSince(apiKey, traced),

    authenticateSince,
  };
}

/**
 * What is wrong with a key to make beyond its schema. Whether its end is in the future is judged later, as a request
 * that is repeated has the same answer; a request that is refused anyway has none to repeat.
 */
function keyErrors(
  context: Context,
  { environment, scopes, expires_at }: Readonly<Record<string, unknown>>,
  isRefused: boolean,
): readonly FieldError[] {
  const errors = [...scopeErrors(environment, scopes), ...instantErrors('/expires_at', expires_at)];
  if (!isRefused && errors.length === 0) return [];
  return [...scopeErrors(environment, scopes), ...futureErrors(context, '/expires_at', expires_at)];
}

function toCaller({ id, account_id, agent_ids, environment, scopes }: KeyRecord, plan: Plan): KeyCaller {
  return { account_id, key_id: id, agent_ids, environment, scopes, plan };
}
