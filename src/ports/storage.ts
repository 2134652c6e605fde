/**
 * The interface that a storage adapter implements, with everything that the core needs. The suite in
 * `agent-identity-service/testing` tests an adapter.
 */

import type { Instant } from '../records.ts';
import type { JournalStorage, ListQuery, PassportCountsPiece } from './journal.ts';
import type { StorageObserver } from './storage-events.ts';
import type { StoredRecord } from './stored.ts';
import type { CollectionName } from './stored-records.ts';

export type { Clock, LogEvent, Logger, PasswordHasher, RandomSource } from './host.ts';

/** A step of a `write`. */
export type Change =
  /** Stores a new record. Fails with `exists` if the id is already used. */
  | { readonly op: 'insert'; readonly collection: CollectionName; readonly record: StoredRecord }
  /**
   * Stores a new record. Does nothing if the account already has a record with this id. Fails with `claimed` if another
   * account has one.
   */
  | { readonly op: 'claim'; readonly collection: CollectionName; readonly record: StoredRecord }
  /** Replaces the record with this id if its stored version is `version`. Fails with `stale` otherwise. */
  | {
      readonly op: 'replace';
      readonly collection: CollectionName;
      readonly record: StoredRecord;
      readonly version: number;
    }
  /** Deletes the record with this id if its stored version is `version`. Fails with `stale` otherwise. */
  | {
      readonly op: 'remove';
      readonly collection: CollectionName;
      readonly id: string;
      readonly version: number;
    }
  /**
   * Adds `by`, which may be negative, to a counter that starts at 0. Fails with `limit` if the sum would
   * exceed `max`. With a `by` of 0 it only reads the counter and compares it with `max`.
   *
   * - If the stored `expires_at` of the counter is at or before `at`, the counter has expired. It starts
   *   again at 0 and takes the new `expires_at`.
   * - Otherwise the counter keeps its stored `expires_at`. With `renew`, it takes the later of the stored and
   *   the new `expires_at`. If one of them is absent, the counter never expires.
   */
  | {
      readonly op: 'add';
      readonly counter: string;
      readonly by: number;
      readonly max?: number;
      readonly expires_at?: Instant;
      readonly renew?: true;
      readonly at: Instant;
    }
  /** Removes a counter. Its value then starts at 0 again. A write has at most `MAX_PURGE_SIZE` of these steps. */
  | { readonly op: 'forget'; readonly counter: string };

/** The reason why a step of a `write` failed. */
export type WriteFailure = 'exists' | 'claimed' | 'stale' | 'limit';

/** A step that failed, by its index. */
export interface FailedStep {
  readonly step: number;
  readonly failure: WriteFailure;
}

/** The result of a `write` that was stored. */
export interface Written {
  readonly written: true;
  /** The sum after each `add` step, in the order of these steps. Empty if there is none. */
  readonly sums: readonly number[];
}

/** The result of a `write` that changed nothing, with the first step that failed. */
export interface NotWritten extends FailedStep {
  readonly written: false;
  /** All steps that failed, in order. Each was evaluated as if the earlier failed steps did not exist. */
  readonly failed: readonly FailedStep[];
  /**
   * The value at `at` of each counter before the write. There is one for each `add` step, in their order, and all are
   * read at the same moment.
   */
  readonly found: readonly number[];
}

/** The result of a `write`: stored, or the steps that failed. */
export type WriteResult = Written | NotWritten;

/**
 * The kinds of records that are removed after a limited time: collections with `expires: true`, and some other kinds.
 */
export type Purgeable = CollectionName | 'counters' | 'verdicts' | 'rollups' | 'writers';

/** The durability that a storage promises for an acknowledged write. */
export interface StorageHealth {
  /**
   * `durable`: writes survive a crash of the process and the computer. `volatile`: writes are lost when the process
   * ends. `unproved`: the configuration of the database may lose some writes.
   */
  readonly durability: 'durable' | 'volatile' | 'unproved';
  /** A note for the operator that names what is missing. Absent if everything is well. */
  readonly detail?: string;
}

/** The current time of a storage. */
export interface StoreTime {
  readonly at: Instant;
  /**
   * `false`: `at` is the time of the storage's own clock. `true`: the storage has no clock. `at` is then its
   * mark, the latest time that `time` was given.
   */
  readonly isMark: boolean;
}

/**
 * The name of the text with which nodes check that they have the same signing secret. The text does not reveal the
 * secret.
 */
export const SECRET_TEXT = 'session_secret';

/** The name of the stored text that says whether the evidence logs are on. */
export const LOG_STATE = 'evidence_log';

/** A record that was written, and its new version. The version of a removed record is its last version plus one. */
export interface ChangeNotice {
  readonly collection: CollectionName;
  readonly id: string;
  readonly version: number;
}

/**
 * The storage of the service. During an outage, calls reject; an outage must never look like "not found" or success.
 *
 * @throws {Error} The error of the driver. The service throws `storage_unavailable` instead.
 * @throws {Error} With the name `TimeoutError`, if the database stopped this call but still answers others.
 * @throws {TypeError} Without a cause, for a programming error. The service throws `internal` instead, also for a
 * RangeError, a ReferenceError and a SyntaxError.
 */
export interface StorageAdapter {
  /** A short name for logs and health checks, such as `memory` or `sqlite`. */
  readonly name: string;
  /** The journal of verdicts and its rollups. */
  readonly journal: JournalStorage;
  /** Returns the record, or `undefined` if there is none. */
  get(collection: CollectionName, id: string): Promise<StoredRecord | undefined>;
  /**
   * Lists records in the order of the query, at most `limit`. A record that was stored before the first page and does
   * not change appears exactly once in all pages. If the query uses fields that the collection declares, the cost of a
   * page must not depend on other records.
   */
  list(collection: CollectionName, query: ListQuery): Promise<readonly StoredRecord[]>;
  /**
   * Applies all steps or none, atomically in the storage and against all other processes. Steps are evaluated in order
   * and see the results of earlier steps. Rejects if a sum is outside the safe integers although it does not exceed its
   * `max`. If an earlier step has failed, the call returns this failure instead. A storage that may switch to another
   * server during the call rejects without writing if `signal` is aborted before the changes are sent.
   */
  write(changes: readonly Change[], signal?: AbortSignal): Promise<WriteResult>;
  /** Returns the value of a counter at `instant`. Returns 0 if nothing was added to it, or if it has expired. */
  count(counter: string, instant: Instant): Promise<number>;
  /**
   * Removes at most `MAX_PURGE_SIZE` records older than `cutoff`, and returns their number. A removed block
   * adds the number of its records, or 1 if it has none. The number is 0 only if nothing is left.
   *
   * - Counters, and collections with `expires: true`, are purged by `expires_at`, and rollups by `start`.
   * - `verdicts` removes at most `MAX_PURGED_BLOCKS` merged blocks, by their `to_ms`.
   * - `writers` removes writers of the journal that have merged everything, by `seen_at`.
   * - Any other collection rejects.
   *
   * The caller must compute `cutoff` from `present`, its current time; default: `cutoff` itself. If `present` is 5 s
   * ahead of the storage's own time, the storage uses a `cutoff` that is 5 s earlier. A wrong clock of a caller
   * therefore never removes more than the storage's own time allows. A mark is raised first, as in `time`.
   */
  purge(target: Purgeable, cutoff: Instant, present?: Instant): Promise<number>;
  /**
   * Returns the storage's own time, which is the time of its clock. A storage without a clock keeps a mark:
   * the latest `present` that it was given, stored as durably as the records.
   *
   * The first call sets the mark. A later call raises the mark to `present`. A `present` that is more than a day ahead
   * leaves it unchanged. The storage must store a raised mark if the stored mark is `MARK_INTERVAL_MS` behind, and may
   * store it earlier. The mark is never lowered, with one exception: `isTrusted` always sets it to `present`.
   */
  time(present: Instant, isTrusted?: boolean): Promise<StoreTime>;
  /**
   * Calls the listener soon after a record of `WATCHED_COLLECTIONS` was written by any process. Notices may be lost,
   * repeated or late. `undefined` means that notices were lost, or the changed records are unknown. The returned
   * function unsubscribes.
   */
  subscribe?(listener: (notice: ChangeNotice | undefined) => void): () => void;
  /**
   * Calls the observer for events about the servers of the storage. The returned function removes the observer. Before
   * a call goes to a different server than the previous call, the observer must get `server_uncertain` or
   * `primary_changed`.
   */
  observe?(observer: StorageObserver): () => void;
  /**
   * Counts the passports of an account by their status at `instant`. If several apply, the order is: revoked,
   * suspended (until `suspended_until`), expired (from `expires_at` on), active. Each call counts only some
   * of the passports. To count the next passports, call it again with the `next` of the result as `firstId`.
   * Without this method, the service lists the passports and counts them.
   */
  countPassports?(account_id: string, instant: Instant, firstId?: string): Promise<PassportCountsPiece>;
  /** Checks the storage. Answers within its own deadline, or rejects. */
  check(): Promise<StorageHealth>;
  /** Closes files and connections. Every later call rejects. A second call does nothing. */
  close(): Promise<void>;
}
