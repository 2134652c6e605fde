/**
 * All that the core asks of the world. A storage adapter is written against this file and proved by
 * the suite in `agent-identity-service/testing`.
 */

import type { Instant } from '../records.ts';
import type { JournalStorage } from './journal.ts';
import type {
  DueCollection,
  DuePart,
  ExpiredQuery,
  ExpiringCollection,
  ListQuery,
  PassportCountsPiece,
} from './queries.ts';
import type { StoredRecord } from './stored.ts';
import type { CollectionName } from './stored-records.ts';

export type { Clock, LogEvent, Logger, PasswordHasher, RandomSource } from './host.ts';

/** One step of a `write`. */
export type Change =
  /** Stores a new record; fails with `exists` when the id is taken. */
  | { readonly op: 'insert'; readonly collection: CollectionName; readonly record: StoredRecord }
  /** Stores a new record, or does nothing when the same account already holds the id; fails with `claimed` when another does. */
  | { readonly op: 'claim'; readonly collection: CollectionName; readonly record: StoredRecord }
  /** Overwrites the record of that id whose stored version is `version`; fails with `stale` when there is none. */
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
   * Adds `by` (may be negative) to a counter that starts at 0; fails with `limit` when the sum would exceed
   * `max`. A counter whose `expires_at` is not after `at` starts again at 0 and takes the new `expires_at`. With a `by`
   * of 0 it changes nothing: it reads the counter, and compares it with `max`.
   */
  | {
      readonly op: 'add';
      readonly counter: string;
      readonly by: number;
      readonly max?: number;
      readonly expires_at?: Instant;
      readonly at: Instant;
    };

/** Why a step of a `write` failed. */
export type WriteFailure = 'exists' | 'claimed' | 'stale' | 'limit';

/** A step that failed, by its index. */
export interface FailedStep {
  readonly step: number;
  readonly failure: WriteFailure;
}

/** A `write` that was stored. */
export interface Written {
  readonly written: true;
  /** The sum after each `add`, in the order of these steps; empty without one. */
  readonly sums: readonly number[];
}

/** A `write` that has changed nothing, with the first step that failed. */
export interface NotWritten extends FailedStep {
  readonly written: false;
  /** All steps that failed, in their order. Each was judged as if the failed ones before it were not there. */
  readonly failed: readonly FailedStep[];
  /** The value at `at` that each `add` had to add to, in the order of these steps; read in the same moment. */
  readonly found: readonly number[];
}

/** Whether a `write` was stored; if not, which steps stood in the way. */
export type WriteResult = Written | NotWritten;

/** Records that expire, and records that are kept for a limited time. */
export type Purgeable =
  | 'sessions'
  | 'counters'
  | 'idempotency'
  | 'events'
  | 'spends'
  | 'webhook_deliveries'
  | 'approvals'
  | 'verdicts'
  | 'rollups';

/** What a store promises about an acknowledged write. */
export interface StorageHealth {
  /** `durable`: survives the death of process and machine. `volatile`: lost when the process ends. `unproved`: the store is set up so that it may lose some. */
  readonly durability: 'durable' | 'volatile' | 'unproved';
  /** Names what is missing, for the operator; absent when all is well. */
  readonly detail?: string;
}

/** A text that all nodes must agree on, to be set where it is as expected. */
export interface TextChange {
  /** What it must be now; absent: it must not be set. */
  readonly from?: string;
  /** What it becomes. */
  readonly to: string;
}

/** The present, as a store has it. */
export interface StoreTime {
  readonly at: Instant;
  /** `false`: read from the store's own clock. `true`: the store has no clock, and this is the mark that `time` raises. */
  readonly isMark: boolean;
}

/** The name of the text by which nodes see that they have the same signing secret. It does not reveal the secret. */
export const SECRET_TEXT = 'session_secret';

/** A record that was written, and the version that it has now; of a removed one, the version after its last. */
export interface ChangeNotice {
  readonly collection: CollectionName;
  readonly id: string;
  readonly version: number;
}

/**
 * Where the records live. An outage rejects; it is never reported as "not found" and never as success.
 * Adapters throw what their driver throws: the service wraps it. A TypeError without a cause, a RangeError,
 * ReferenceError or SyntaxError is a programming error, no outage. An error with the name `TimeoutError` says that the
 * store gave up this call because it took too long, and still answers others.
 */
export interface StorageAdapter {
  /** A short name for logs and health, such as `memory` or `sqlite`. */
  readonly name: string;
  /** The verdicts and what is counted of them. */
  readonly journal: JournalStorage;
  /** The record, or `undefined` when the store answered that there is none. */
  get(collection: CollectionName, id: string): Promise<StoredRecord | undefined>;
  /**
   * Newest first, at most `limit`; complete: everything stored before the first page appears exactly once. The cost
   * of a page does not depend on other records for the fields of `LISTED_BY`.
   */
  list(collection: CollectionName, query: ListQuery): Promise<readonly StoredRecord[]>;
  /** By (`expires_at`, `id`), the latest first, at most `limit`; complete as `list` is, for records that do not change. */
  listExpired(collection: ExpiringCollection, query: ExpiredQuery): Promise<readonly StoredRecord[]>;
  /**
   * The records whose `due_at` is `before` or earlier, by (`due_at`, `id`), the earliest first, at most `limit`, 1 to
   * `MAX_PAGE_SIZE`; a part of them costs as much as its own records.
   */
  due(
    collection: DueCollection,
    before: Instant,
    limit: number,
    part?: DuePart,
  ): Promise<readonly StoredRecord[]>;
  /**
   * All steps or none, atomic in the store itself against every other process. Steps are judged in order and
   * see those before them. A sum beyond the safe integers that exceeds no `max` rejects, unless a step before it failed.
   */
  write(changes: readonly Change[]): Promise<WriteResult>;
  /** The value of a counter at `at`: 0 when it was never added to, or has expired. */
  count(counter: string, at: Instant): Promise<number>;
  /** Removes counters, at most `MAX_PURGE_SIZE` of them: as if they were never added to. */
  forget(counters: readonly string[]): Promise<void>;
  /**
   * The passports of an account by their status at `at`: revoked before suspended (until `suspended_until`)
   * before expired (from `expires_at` on) before active. Counted in the store, a piece with each call: `from` is the
   * `next` of the piece before.
   */
  countPassports(account_id: string, at: Instant, from?: string): Promise<PassportCountsPiece>;
  /**
   * Removes at most `MAX_PURGE_SIZE` of what is older than `before`: sessions, counters, idempotency records, events,
   * spends, deliveries and approvals by `expires_at`, rollups by `start`; and of `verdicts` at most `MAX_PURGED_BLOCKS`
   * merged blocks by their `to_ms`, with the writers that were not seen since `before` and have nothing left to merge.
   * The number removed, of a block that of its records, at least 1: 0 only when nothing is left.
   * `before` was reckoned from `present`, by default from itself. As far as `present` is ahead of the store's own time,
   * `before` is moved back: no clock of a caller makes the store remove more than its own time allows. A mark is raised
   * first, as `time` does.
   */
  purge(what: Purgeable, before: Instant, present?: Instant): Promise<number>;
  /**
   * The store's own time: that of its clock; where it has none, the latest `present` that it was given, kept as
   * durably as the records. Such a mark is set by the first call, then raised at the latest when it is
   * `MARK_INTERVAL_MS` behind, by a day at most: a `present` that is further ahead leaves it as it is. It is never lowered. With
   * `isTrusted` a mark is set to `present` in any case.
   */
  time(present: Instant, isTrusted?: boolean): Promise<StoreTime>;
  /**
   * The instant from which on the account has all its verdicts and rollups: after it `purge` of any process removed none,
   * nor did a limit on their number. `undefined`: none was removed.
   */
  completeSince(account_id: string): Promise<Instant | undefined>;
  /**
   * The text under a name of `[a-z_]`, kept beside the records for what all nodes must agree on; `undefined` where
   * the name has no text. With `change` the text becomes `to` if it equals `from` at that moment (without `from`: if
   * the name has no text), atomically against every other process. The answer is the text after that.
   */
  remember(name: string, change?: TextChange): Promise<string | undefined>;
  /**
   * Calls the listener for written records of `WATCHED_COLLECTIONS`, of every process, soon after the write; the
   * function it gives back ends that. Notices may be lost, doubled and late. `undefined` stands for any number of
   * them: what was missed, or cannot be named.
   */
  subscribe?(listener: (notice: ChangeNotice | undefined) => void): () => void;
  /** Answers within the store's own deadline, or rejects. */
  check(): Promise<StorageHealth>;
  /** Closes files and connections; every later call rejects. Closing twice is allowed. */
  close(): Promise<void>;
}
