/** Creates the caches of this process, and updates them when the storage changes. */

import { createBoundedMap } from '../../base/bounded-map.ts';
import { createTextKeeper, flattenString } from '../../base/bytes/flatten-string.ts';
import { noticesOf, WATCHED_COLLECTIONS } from '../../ports/notices.ts';
import type { Change, ChangeNotice, StorageAdapter, WriteResult } from '../../ports/storage.ts';
import type { StoredValue } from '../../ports/stored.ts';
import type { Instant, Plan } from '../../records.ts';
import type { PreparedPassport } from '../../verdict/index.ts';
import { prepareFrozen } from '../../verdict/prepare.ts';
import type { AccountRecord } from '../accounts/collections.ts';
import type { DomainRecord } from '../domains/collections.ts';
import type { KeyRecord } from '../keys/collections.ts';
import type { CacheLimits } from '../options.ts';
import type { PassportRecord } from '../passports/collections.ts';
import type { KeyCaller } from '../shared/callers.ts';
import {
  type ConfirmedCache,
  createRecordCache,
  type RecordCache,
  type RecordCacheOptions,
} from './record-cache.ts';
import type { Store } from './store.ts';

/** A passport in the prepared form that rules evaluate. */
export interface KnownPassport {
  readonly agent_id: string;
  readonly account_id: string;
  readonly version: number;
  readonly updated_at: Instant;
  /** The id of the parent agent, if it is a child agent. */
  readonly parent_agent_id: string | undefined;
  readonly prepared: PreparedPassport;
  /** The passports that limit the child agents of this agent, as they were last read. All child agents share them. */
  ancestry: Ancestry | undefined;
}

/**
 * The passports of the ancestors of an agent, nearest first, as they were last read. The list ends before a missing
 * passport.
 */
export interface Ancestry {
  readonly known: readonly KnownPassport[];
  readonly prepared: readonly PreparedPassport[];
  readonly versions: readonly number[];
  /** `true` if one of the passports has limits that the storage counts. */
  readonly isCounted: boolean;
  /** `true` if one of the passports requires approvals. */
  readonly wantsApproval: boolean;
  /** `true` if one of the passports has conditions on parameters. */
  readonly readsParameters: boolean;
}

/** A cached API key. */
export interface KnownKey {
  readonly record: KeyRecord;
  /** The caller of the key, after the first lookup. */
  caller: KeyCaller | undefined;
  /** The time by the monotonic clock from which the next use of the key is recorded. */
  noteAt: number;
}

/** The fields of an account that are needed for requests with an API key. */
export interface KnownAccount {
  readonly plan: Plan;
  readonly disabled: boolean;
}

/** The caches of one service. */
export interface Caches {
  readonly passports: RecordCache<KnownPassport>;
  readonly keys: RecordCache<KnownKey>;
  readonly accounts: RecordCache<KnownAccount>;
  /** The domains, for anonymous reads. Verdicts do not use them. */
  readonly domains: RecordCache<DomainRecord>;
  /**
   * The clock of the caches, in milliseconds. The clock never goes back and includes sleep of the computer. An argument
   * `at` of a cache method is a time of this clock.
   */
  readonly monotonic: () => number;
  /**
   * Calls the listener when cached records change, in this process or in others. The listener gets `undefined` if the
   * changed records are unknown. A version of 0 means an unknown version. The returned function unsubscribes.
   */
  watch(listener: (notice: ChangeNotice | undefined) => void): () => void;
  /** Ends the subscription to changes. */
  stop(): void;
}

/** The parts and options of the caches of a service. */
export interface CachesOptions extends CacheLimits {
  readonly storage: StorageAdapter;
  readonly store: Store;
  readonly monotonic: () => number;
  readonly isStrict: boolean;
  readonly deadlineMs: number;
}

/**
 * Opens the caches for `store`, and uses the notices of `storage` if it sends them. The returned store updates the
 * caches before it acknowledges a write.
 */
export function openCaches(options: CachesOptions): { readonly caches: Caches; readonly store: Store } {
  const { storage, store, monotonic } = options;
  const passports = createPassportCache({ ...options, read: (id) => store.get('passports', id) });
  const keys = createRecordCache<KeyRecord, KnownKey>({
    ...options,
    read: (id) => store.get('keys', id),
    keep: (record) => ({ record, caller: undefined, noteAt: Number.NEGATIVE_INFINITY }),
    // Safe, because a missing key grants nothing.
    mayGo: true,
    bytesOf: () => KEY_BYTES,
  });
  const accounts = createRecordCache<AccountRecord, KnownAccount>({
    ...options,
    read: (id) => store.get('accounts', id),
    keep: ({ plan, disabled_at }) => ({ plan, disabled: disabled_at !== null }),
    bytesOf: () => ACCOUNT_BYTES,
  });
  const domains = createRecordCache<DomainRecord, DomainRecord>({
    ...options,
    read: (id) => store.get('domains', id),
    keep: (record) => record,
    mayGo: true,
    bytesOf: () => DOMAIN_BYTES,
  });
  const caches: Readonly<Record<string, Pick<RecordCache<unknown>, 'note' | 'forgetAll'>>> = {
    passports,
    keys,
    accounts,
  };

  const listeners = new Set<(notice: ChangeNotice | undefined) => void>();

  function noted(notice: ChangeNotice | undefined): void {
    if (notice === undefined) for (const name of WATCHED_COLLECTIONS) caches[name]?.forgetAll();
    else caches[notice.collection]?.note(notice.id, notice.version);
    for (const listener of listeners) listener(notice);
  }

  const stop = storage.subscribe?.(noted);

  async function noting(changes: readonly Change[], write: () => Promise<WriteResult>): Promise<WriteResult> {
    let isWritten = false;
    try {
      const result = await write();
      isWritten = result.written;
      return result;
    } finally {
      // A failed write may have been stored, and a refused one shows that there is a newer version.
      for (const { collection, id, version } of noticesOf(changes)) {
        noted({ collection, id, version: isWritten ? version : 0 });
      }
    }
  }

  return {
    caches: {
      passports,
      keys,
      accounts,
      domains,
      monotonic,
      watch(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      stop: () => stop?.(),
    },
    store: {
      ...store,
      write: (...changes) => noting(changes, () => store.write(...changes)),
      writeUnless: (signal, ...changes) => noting(changes, () => store.writeUnless(signal, ...changes)),
    },
  };
}

export function createPassportCache(
  options: Omit<RecordCacheOptions<PassportRecord, KnownPassport>, 'keep' | 'idOf' | 'bytesOf'>,
): ConfirmedCache<PassportRecord, KnownPassport> {
  const shareParts = createSharedParts();
  return createRecordCache<PassportRecord, KnownPassport>({
    ...options,
    keep: (record, passportBefore) =>
      isSame(record, passportBefore) ? passportBefore : toKnownPassport(record, shareParts),
    idOf: (passport) => passport?.agent_id,
    bytesOf: (record) =>
      PASSPORT_BYTES + BYTES_PER_CHARACTER * jsonLengthOf(record as unknown as StoredValue),
  });
}

/**
 * The estimated bytes of a passport in addition to its text. A measured passport with 8 actions and 575 characters of
 * JSON takes 0.9 kB. It takes 1.3 kB if no other passport has the same actions.
 */
const PASSPORT_BYTES = 600;
const BYTES_PER_CHARACTER = 1.3;
const KEY_BYTES = 1_000;
const ACCOUNT_BYTES = 600;
const DOMAIN_BYTES = 600;

/** Converts a passport record into the prepared form that rules evaluate. */
export function toKnownPassport(
  record: PassportRecord,
  shareParts: ShareParts = createSharedParts(),
): KnownPassport {
  // The new field is first: after the spread, it would make V8 store the object as a hash table, with 500 bytes more.
  // Frozen, so that rules of the application and the prepared passport need no copies.
  const passport = shareParts({ agent_id: record.id, ...record });
  const { agent_id, account_id, version, updated_at, parent_agent_id } = passport;
  return {
    agent_id,
    account_id,
    version,
    updated_at,
    parent_agent_id,
    prepared: prepareFrozen(passport),
    ancestry: undefined,
  };
}

/** Compares version and instant, because the same version may be written again after a backup was restored. */
function isSame(
  record: PassportRecord,
  passportBefore: KnownPassport | undefined,
): passportBefore is KnownPassport {
  return passportBefore?.version === record.version && passportBefore.updated_at === record.updated_at;
}

/** The number of characters around a value: two quotes or brackets, and a comma or colon. */
const AROUND = 3;

/** Estimates the length of a value as JSON. This takes a third of the time of serializing it. */
export function jsonLengthOf(value: StoredValue): number {
  if (typeof value !== 'object' || value === null) return String(value).length + AROUND;
  let length = AROUND;
  if (Array.isArray(value)) {
    for (const item of value) length += jsonLengthOf(item);
    return length;
  }
  for (const [name, part] of Object.entries(value)) length += name.length + AROUND + jsonLengthOf(part);
  return length;
}

// Shares equal parts of the passports in memory: many passports of an account have the same actions and
// domain.

const LEAST_LISTS = 200;

/** Freezes an object deeply. Its texts and lists are then those that equal objects have. */
type ShareParts = <Copy extends object>(copy: Copy) => Copy;

export function createSharedParts(): ShareParts {
  const keepText = createTextKeeper(flattenString);
  const lists = createBoundedMap<string, readonly unknown[]>(LEAST_LISTS);
  return shareParts;

  function shareParts<Copy extends object>(copy: Copy): Copy {
    const parts = copy as Record<string, unknown>;
    for (const name of Object.keys(parts)) parts[name] = shared(parts[name]);
    return Object.freeze(copy);
  }

  function shared(value: unknown): unknown {
    if (typeof value === 'string') return keepText(value);
    if (Array.isArray(value)) return sharedList(value);
    return typeof value === 'object' && value ? shareParts({ ...value }) : value;
  }

  function sharedList(list: readonly unknown[]): readonly unknown[] {
    // Short, so that the map does not keep long lists twice. Lists with the same key have the same length.
    const [first] = list;
    const key = `${list.length} ${typeof first === 'string' ? first : ''}`;
    const knownList = lists.get(key);
    if (knownList?.every((entry, index) => entry === list[index])) return knownList;
    const ownList = Object.freeze(list.map(shared));
    lists.set(key, ownList);
    return ownList;
  }
}
