/**
 * The storage port, with all that the core needs from a storage. A storage adapter implements this file; the suite in
 * `agent-identity-service/testing` tests it.
 */

import type { Instant } from '../records.ts';
import type { JournalStorage } from './journal.ts';
import type { ListQuery, PassportCountsPiece } from './queries.ts';
import type { StorageObserver } from './storage-events.ts';
import type { StoredRecord } from './stored.ts';
import type { CollectionName } from './stored-records.ts';

export type { Clock, LogEvent, Logger, PasswordHasher, RandomSource } from './host.ts';

/** A step of a `write`. */
export type Change =
  /** Stores a new record; fails with `exists` when the id is taken. */
  | { readonly op: 'insert'; readonly collection: CollectionName; readonly record: StoredRecord }
  /** Stores a new record. Does nothing when the account already holds the id; fails with `claimed` when another does. */
  | { readonly op: 'claim'; readonly collection: CollectionName; readonly record: StoredRecord }
  /** Replaces the record of that id whose stored version is `version`; fails with `stale` when there is none. */
  | {
      readonly op: 'replace';
      readonly collection: CollectionName;
      readonly record: StoredRecord;
      readonly version: number;
    }
  /** Deletes the record of that id whose stored version is `version`; fails with `stale` when there is none. */
  | {
      readonly op: 'remove';
      readonly collection: CollectionName;
      readonly id: string;
      readonly version: number;
    }
  /**
   * Adds `by`, which may be negative, to a counter that starts at 0; fails with `limit` when the sum would exceed
   * `max`. A counter whose `expires_at` is not after `at` starts again at 0 and takes the new `expires_at`. With `renew` a
   * live counter takes the later of both ends; without one it never ends. With a `by` of 0 it changes nothing: it reads
   * the counter, and compares it with `max`.
   */
  | {
      readonly op: 'add';
      readonly counter: string;
      readonly by: number;
      readonly max?: number;
      readonly expires_at?: Instant;
      readonly renew?: true;
      readonly at: Instant;
    };

/** The reason why a step of a `write` failed. */
export type WriteFailure = 'exists' | 'claimed' | 'stale' | 'limit';

/** A failed step, by its index. */
export interface FailedStep {
  readonly step: number;
  readonly failure: WriteFailure;
}

/** A `write` that was stored. */
export interface Written {
  readonly written: true;
  /** The sum after each `add`, in the order of these steps; empty if there is none. */
  readonly sums: readonly number[];
}

/** A `write` that changed nothing, with the first step that failed. */
export interface NotWritten extends FailedStep {
  readonly written: false;
  /** All failed steps, in their order. Each was evaluated as if the failed steps before it were absent. */
  readonly failed: readonly FailedStep[];
  /**
   * The value at `at` of the counter of each `add` before the write, in the order of these steps, read at the same
   * moment.
   */
  readonly found: readonly number[];
}

/** The result of a `write`: stored, or the steps that failed. */
export type WriteResult = Written | NotWritten;

/** Records that are kept for a limited time: a collection that `expires`, or one of the other kinds. */
export type Purgeable = CollectionName | 'counters' | 'verdicts' | 'rollups' | 'writers';

/** The durability that a store promises for an acknowledged write. */
export interface StorageHealth {
  /**
   * `durable`: survives a crash of process and machine. `volatile`: lost when the process ends. `unproved`: the
   * configuration of the store allows it to lose some.
   */
  readonly durability: 'durable' | 'volatile' | 'unproved';
  /** A note for the operator that names the missing part. Absent if all is well. */
  readonly detail?: string;
}

/** A change of a text that all nodes must agree on. It is made only when the text is as expected. */
export interface TextChange {
  /** The expected text; absent: the name must have no text yet. */
  readonly from?: string;
  /** The new text. */
  readonly to: string;
}

/** The present according to a store. */
export interface StoreTime {
  readonly at: Instant;
  /**
   * `false`: read from the store's own clock. `true`: the store has no clock, and this is the high-water mark that
   * `time` raises.
   */
  readonly isMark: boolean;
}

/** The name of the text by which nodes check that they have the same signing secret. It does not reveal the secret. */
export const SECRET_TEXT = 'session_secret';

/** The name of the text of a storage that says whether the logs are on. */
export const LOG_STATE = 'evidence_log';

/** A record that was written, and its new version; for a removed record, its last version plus one. */
export interface ChangeNotice {
  readonly collection: CollectionName;
  readonly id: string;
  readonly version: number;
}

/**
 * The storage of the service. An outage rejects; it is never reported as "not found" and never as success. Adapters
 * throw what their driver throws: the service wraps it. A TypeError without a cause, a RangeError, ReferenceError or
 * SyntaxError is a programming error, not an outage. An error with the name `TimeoutError` means that the store gave up
 * this call because it took too long, and still answers others.
 */
export interface StorageAdapter {
  /** A short name for logs and health, such as `memory` or `sqlite`. */
  readonly name: string;
  /** The journal of verdicts and their rollups. */
  readonly journal: JournalStorage;
  /** Returns the record, or `undefined` when the store has none. */
  get(collection: CollectionName, id: string): Promise<StoredRecord | undefined>;
  /**
   * Lists records in the order of the query, at most `limit`. The list is complete: a record that was stored before the
   * first page, and does not change, appears exactly once. By the fields that the collection declares, the cost of a
   * page does not depend on other records.
   */
  list(collection: CollectionName, query: ListQuery): Promise<readonly StoredRecord[]>;
  /**
   * Applies all steps or none, atomically in the store itself against every other process. Steps are evaluated in order
   * and see the results of those before them. Rejects when a sum exceeds the safe integers without exceeding a `max`,
   * unless a step before it failed. A storage that may find another server during the call rejects without writing if
   * `signal` is aborted before the changes are sent.
   */
  write(changes: readonly Change[], signal?: AbortSignal): Promise<WriteResult>;
  /** Returns the value of a counter at `at`: 0 when nothing was added to it, or it has expired. */
  count(counter: string, at: Instant): Promise<number>;
  /** Removes counters, at most `MAX_PURGE_SIZE` of them, as if nothing had been added to them. */
  forget(counters: readonly string[]): Promise<void>;
  /**
   * Counts the passports of an account by their status at `at`: revoked before suspended (until `suspended_until`)
   * before expired (from `expires_at` on) before active. Counts in the store, a part with each call: `from` is the
   * `next` of the part before.
   */
  countPassports(account_id: string, at: Instant, from?: string): Promise<PassportCountsPiece>;
  /**
   * Removes at most `MAX_PURGE_SIZE` records older than `before`, and returns their number. A block counts as its
   * records, at least 1. The number is 0 only when nothing is left.
   *
   * - Counters and a collection that `expires` are purged by `expires_at`, and rollups by `start`.
   * - Of `verdicts` it removes at most `MAX_PURGED_BLOCKS` merged blocks, by their `to_ms`.
   * - Of `writers` it removes writers of the journal that have merged everything, by `seen_at`.
   * - Any other collection rejects.
   *
   * The caller computed `before` from `present`, by default `before` itself. If `present` is ahead of the store's own
   * time, `before` is moved back by as much. So no clock of a caller makes the store remove more than its own time
   * allows. A mark is raised first, as `time` does.
   */
  purge(what: Purgeable, before: Instant, present?: Instant): Promise<number>;
  /**
   * Returns the store's own time, which is the time of its clock. A store without a clock keeps a high-water mark:
   * the latest `present` that it was given, kept as durably as the records.
   *
   * The first call sets the mark. Later calls raise it at the latest when it is `MARK_INTERVAL_MS` behind, and by a
   * day at most. A `present` that is further ahead leaves it unchanged. The mark is never lowered, except that
   * `isTrusted` sets it to `present` in any case.
   */
  time(present: Instant, isTrusted?: boolean): Promise<StoreTime>;
  /**
   * Returns the instant from which on the account has all its verdicts and rollups: neither a `purge` of any process
   * nor a limit on their number removed one after it. `undefined`: none was removed.
   */
  completeSince(account_id: string): Promise<Instant | undefined>;
  /**
   * Returns the text stored under a name of `[a-z_]`, for values that all nodes must agree on; `undefined` when the
   * name has no text. With `change`, first sets the text to `to` if it equals `from` (without `from`: if the name has
   * no text), atomically against every other process. Returns the text after that.
   */
  remember(name: string, change?: TextChange): Promise<string | undefined>;
  /**
   * Calls the listener for written records of `WATCHED_COLLECTIONS`, of every process, soon after the write; the
   * returned function ends that. Notices may be lost, repeated and late. `undefined` means that notices were lost or
   * cannot be named.
   */
  subscribe?(listener: (notice: ChangeNotice | undefined) => void): () => void;
  /**
   * Calls the observer when something happens to the servers of the storage. The returned function ends that. Before
   * a call goes to a different server than the previous call, the observer has got `server_uncertain` or
   * `primary_changed`.
   */
  observe?(observer: StorageObserver): () => void;
  /** Checks the store: answers within its own deadline, or rejects. */
  check(): Promise<StorageHealth>;
  /** Closes files and connections; every later call rejects. It may be called twice. */
  close(): Promise<void>;
}
