import { createBoundedMap } from '../../base/bounded-map.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { rollupStarts } from '../../base/values/time-buckets.ts';
import { apiKeyDigest, apiKeyId, readApiKey, shownStart } from '../../credential/api-key.ts';
import type { IdentityError } from '../../errors.ts';
import type { Instant, Plan } from '../../records.ts';
import type { KeyCaller, KeyCallers, Traced } from '../shared/callers.ts';
import { type Context, now } from '../shared/context.ts';
import { keyRefused } from '../shared/key-refused.ts';
import { logSecurityEvent } from '../shared/security-log.ts';
import { createChore } from '../shared/timers.ts';
import type { KnownAccount, KnownKey } from '../storage/caches.ts';
import { replace } from '../storage/store.ts';
import type { KeyRecord } from './collections.ts';
import { keyStatusAt } from './key-record.ts';

/** The reason why an API key is refused. Only the log contains it. */
export interface Refusal {
  readonly refused: 'malformed' | 'unknown' | 'expired' | 'revoked' | 'account_disabled' | 'person_removed';
  readonly record?: KeyRecord;
}

export const MALFORMED: Refusal = { refused: 'malformed' };
export const UNKNOWN: Refusal = { refused: 'unknown' };

const LEAST_IDS = 10_000;

export function createAuthenticateKey(
  context: Pick<Context, 'caches' | 'clock' | 'log'>,
  use: KeyUse,
): KeyCallers {
  const { caches } = context;
  /** The id of each existing key, by digest. The map saves time, because deriving an id takes some microseconds. */
  const ids = createBoundedMap<string, string>(LEAST_IDS);

  /**
   * Returns the caller of a key that was found, or the reason of a refusal. An account that the application manages has
   * no limits.
   */
  function admit(
    key: KnownKey,
    account: KnownAccount | undefined,
    digest: string,
    atMs: number,
  ): KeyCaller | Refusal {
    const { record } = key;
    const status = record.expires_at === null ? record.status : keyStatusAt(record, now(context));
    if (record.digest !== digest) return UNKNOWN;
    if (status !== 'active' && status !== 'rotating') return { refused: status, record };
    if (account?.disabled === true) return { refused: 'account_disabled', record };
    if (atMs >= key.noteAt) key.noteAt = atMs + use.note(record);
    const plan = account?.plan ?? 'enterprise';
    if (key.caller?.plan !== plan) key.caller = toCaller(record, plan);
    return key.caller;
  }

  async function find(apiKey: string, atMs: number): Promise<KeyCaller | Refusal> {
    const digest = typeof apiKey === 'string' ? apiKeyDigest(apiKey) : undefined;
    if (digest === undefined) return MALFORMED;
    const knownId = ids.get(digest);
    if (knownId === undefined && readApiKey(apiKey) === undefined) return MALFORMED;
    const id = knownId ?? apiKeyId(digest);
    const { value: key } = caches.keys.peek(id, atMs) ?? (await caches.keys.load(id, atMs));
    if (key === undefined) return UNKNOWN;
    if (knownId === undefined) ids.set(key.record.digest, id);
    const { account_id } = key.record;
    const { value: account } =
      caches.accounts.peek(account_id, atMs) ?? (await caches.accounts.load(account_id, atMs));
    return admit(key, account, digest, atMs);
  }

  return {
    peek(apiKey, atMs) {
      const digest = typeof apiKey === 'string' ? apiKeyDigest(apiKey) : undefined;
      const id = digest === undefined ? undefined : ids.get(digest);
      if (digest === undefined || id === undefined) return undefined;
      const key = caches.keys.peek(id, atMs)?.value;
      const account = key && caches.accounts.peek(key.record.account_id, atMs);
      if (key === undefined || account === undefined) return undefined;
      const state = admit(key, account.value, digest, atMs);
      return 'refused' in state ? undefined : state;
    },

    async find(apiKey, trace, atMs) {
      const state = await find(apiKey, atMs);
      if ('refused' in state) throw refusalOf(context, state, shownStart(apiKey), trace);
      return state;
    },

    async confirm({ key_id, account_id, request_id = null }, sinceMs) {
      const [key, account] = await Promise.all([
        caches.keys.confirmed(key_id, sinceMs),
        caches.accounts.confirmed(account_id, sinceMs),
      ]);
      const record = key.value?.record;
      const state = key.value
        ? admit(key.value, account.value, key.value.record.digest, caches.monotonic())
        : UNKNOWN;
      if ('refused' in state) throw refusalOf(context, state, record?.start ?? '', { request_id });
      return { caller: state, asOf: Math.min(key.asOf, account.asOf) };
    },
  };
}

/**
 * Creates the error for a refused key. The caller cannot distinguish unknown, expired and revoked keys; the log can.
 */
export function refusalOf(
  context: Pick<Context, 'log'>,
  { refused: reason, record }: Refusal,
  start: string | undefined,
  { request_id }: Traced,
): IdentityError {
  const { id: key_id, account_id } = record ?? {};
  const facts = { account_id, key_id, start, reason, request_id };
  logSecurityEvent(context, 'key.refused', facts);
  return keyRefused();
}

function toCaller({ id, account_id, agent_ids, environment, scopes }: KeyRecord, plan: Plan): KeyCaller {
  return { account_id, key_id: id, agent_ids, environment, scopes, plan };
}

/** Remembers when keys were used, to the minute. */
export interface KeyUse {
  /** Records the use of a key. Returns the milliseconds until the next use has to be recorded. */
  note(record: KeyRecord): number;
  /** Writes the recorded uses that the storage still accepts. */
  close(): Promise<void>;
}

const MINUTE_MS = 60_000;
const EVERY_MS = 10_000;
/** The maximum number of keys that wait for their use to be written. Uses of further keys wait for the next batch. */
const MOST = 10_000;

/** Creates the memory of the times at which the keys of one service were used. */
export function createKeyUse({ store, clock, after }: Pick<Context, 'store' | 'clock' | 'after'>): KeyUse {
  const notedMap = new Map<string, Instant>();
  const chore = createChore(after, EVERY_MS, flush);

  /**
   * Writes the use of a key. If another change was stored in the meantime, the use is not written. The next use is
   * written again.
   */
  async function write(id: string, instant: Instant): Promise<void> {
    const record = await store.get('keys', id);
    if (record === undefined || (record.last_used_at ?? '') >= instant) return;
    const next = { ...record, last_used_at: instant, version: record.version + 1 };
    await store.write(replace('keys', next, record.version));
  }

  async function flush(): Promise<boolean> {
    for (const [id, instant] of [...notedMap]) {
      try {
        await write(id, instant);
      } catch {
        // The storage is down: what is noted waits in memory.
        return true;
      }
      if (notedMap.get(id) === instant) notedMap.delete(id);
    }
    return notedMap.size > 0;
  }

  return {
    note({ id, created_at, last_used_at }) {
      const present = clock.now();
      const instant = laterOf(
        formatInstant(present - (present % MINUTE_MS)),
        rollupStarts(created_at).minute,
      );
      const isNew = (last_used_at ?? '') < instant && notedMap.get(id) !== instant;
      if (isNew && (notedMap.size < MOST || notedMap.has(id))) {
        notedMap.set(id, instant);
        chore.ask();
      }
      return MINUTE_MS - (present % MINUTE_MS);
    },
    async close() {
      await chore.stop();
      await flush();
    },
  };
}

/** Returns the later instant. A use is never before the creation of its key, even if the clock of this node is slow. */
function laterOf(first: Instant, second: Instant): Instant {
  return first < second ? second : first;
}
