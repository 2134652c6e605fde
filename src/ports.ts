/**
 * All that the core asks of the world. A storage adapter is written against this file and proved by
 * the suite in `agent-identity-service/testing`.
 */
import type {
  CensusPiece,
  ExpiredQuery,
  ExpiringCollection,
  JournalPiece,
  JournalQuery,
  ListQuery,
  Tally,
  TallyQuery,
} from './queries.ts';
import type { Environment, Instant, Reason } from './records.ts';

/** The present, in milliseconds since the Unix epoch. */
export interface Clock {
  now(): number;
  /** Milliseconds from any beginning that never go back; default: those of `performance.now`. */
  monotonic?(): number;
}

/** Bytes from a cryptographically secure generator. */
export interface RandomSource {
  bytes(length: number): Uint8Array;
}

/** Turns passwords into self-describing hashes, off the event loop where the platform can. */
export interface PasswordHasher {
  /** A hash that carries its own parameters and salt. */
  hash(password: string): Promise<string>;
  /** Whether `password` made `hash`; `false` for a hash it cannot read. */
  verify(password: string, hash: string): Promise<boolean>;
  /** The work of `verify` for an account that does not exist, so that both answers cost the same. */
  verifyNothing(password: string): Promise<false>;
}

/** One line for whoever operates the service; never holds a secret. */
export interface LogEvent {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
  readonly message: string;
  readonly [fact: string]: unknown;
}

/** Receives log events. It must not throw. */
export type Logger = (event: LogEvent) => void;

/** The collections an adapter keeps, besides the counters. */
export type CollectionName =
  | 'accounts'
  | 'sessions'
  | 'keys'
  | 'passports'
  | 'passport_versions'
  | 'domains'
  | 'idempotency';

/** Plain data: what survives a JSON round trip. */
export type StoredValue =
  | string
  | number
  | boolean
  | null
  | readonly StoredValue[]
  | { readonly [name: string]: StoredValue };

/**
 * A record as stored. Text is compared by its bytes, numbers are safe integers, and a field that is
 * absent stays absent.
 */
export interface StoredRecord {
  /** Unique within the collection. */
  readonly id: string;
  /** Who owns it. */
  readonly account_id: string;
  /** 1 when inserted; `replace` is guarded by it. */
  readonly version: number;
  readonly created_at: Instant;
  readonly [field: string]: StoredValue;
}

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
   * `max`. A counter whose `expires_at` is not after `at` starts again at 0 and takes the new `expires_at`.
   */
  | {
      readonly op: 'add';
      readonly counter: string;
      readonly by: number;
      readonly max?: number;
      readonly expires_at?: Instant;
      readonly at: Instant;
    };

/** Why a `write` changed nothing: the first step that failed, by its index. */
export type WriteFailure = 'exists' | 'claimed' | 'stale' | 'limit';

/** Whether a `write` was stored; if not, which step stood in the way. */
export type WriteResult =
  | { readonly written: true }
  | { readonly written: false; readonly step: number; readonly failure: WriteFailure };

/** A verdict as it is filed: the verdict record with the account it belongs to. */
export type JournalEntry = {
  /** The `decision_id`. */
  readonly id: string;
  readonly account_id: string;
  /** The `evaluated_at`. */
  readonly created_at: Instant;
  readonly verdict: 'ALLOW' | 'DENY';
  /** Empty exactly when the verdict is `ALLOW`. */
  readonly reasons: readonly Reason[];
  readonly agent_id: string;
  readonly action: string;
  readonly target: string | null;
  /** Canonical decimal text. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly passport_version: number | null;
  readonly environment: Environment;
  readonly key_id: string | null;
  readonly dry_run: boolean;
};

/** How long a time a rollup covers; it starts at a multiple of that in UTC. */
export type Resolution = 'minute' | 'hour' | 'day';

/** What a rollup counts by `key`. */
export type RollupKind = 'verdict' | 'agent' | 'action' | 'reason' | 'latency' | 'dropped';

/**
 * So many more of `key` in a minute, and with it in its hour and its day: three rollups, whose starts
 * `rollupStarts` names. `agent_id` is `''` for all agents together.
 */
export type RollupDelta = {
  readonly account_id: string;
  readonly environment: Environment;
  /** The start of the minute. */
  readonly minute: Instant;
  readonly agent_id: string;
  readonly kind: RollupKind;
  readonly key: string;
  readonly count: number;
};

/** Verdicts and what they add to the rollups, stored together. */
export interface JournalBatch {
  /** A batch whose id was appended within the last hour changes nothing: a retry is safe. */
  readonly id: string;
  readonly at: Instant;
  readonly entries: readonly JournalEntry[];
  readonly rollups: readonly RollupDelta[];
}

/** What ends by itself, and what is kept for a time only. */
export type Purgeable = 'sessions' | 'counters' | 'idempotency' | 'verdicts' | 'rollups';

/** What a store promises about an acknowledged write. */
export interface StorageHealth {
  /** `durable`: survives the death of process and machine. `volatile`: gone with the process. `unproved`: the store is set up so that it may lose some. */
  readonly durability: 'durable' | 'volatile' | 'unproved';
  /** Names what is missing, for the operator; absent when all is well. */
  readonly detail?: string;
}

/** A record that was written, and the version that it has now; of a removed one, the version after its last. */
export interface ChangeNotice {
  readonly collection: CollectionName;
  readonly id: string;
  readonly version: number;
}

/**
 * Where the records live. An outage rejects; it is never reported as "not found" and never as success.
 * Adapters throw what their driver throws: the service wraps it. A TypeError without a cause, a RangeError,
 * ReferenceError or SyntaxError is a mistake, no outage; an error with the name `TimeoutError` is a call that the store
 * gave up for its time while it goes on to answer others.
 */
export interface StorageAdapter {
  /** A short name for logs and health, such as `memory` or `sqlite`. */
  readonly name: string;
  /** `false`: verdicts may be let go before their time, so that `journal: "strict"` would promise too much. */
  readonly strictJournal?: false;
  /** How many verdicts `append` is given at most: fewer than the default of 250 where they keep all others waiting. */
  readonly batchSize?: number;
  /** `true`: all is gone with the process, so that rollups may come summed up, up to some seconds after their verdicts. */
  readonly isVolatile?: true;
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
   * All steps or none, atomic in the store itself against every other process. Steps are judged in order and
   * see those before them.
   */
  write(changes: readonly Change[]): Promise<WriteResult>;
  /** The value of a counter at `at`: 0 when it was never added to, or has expired. */
  count(counter: string, at: Instant): Promise<number>;
  /**
   * Stores verdicts and adds to the rollups, all or nothing, once per batch id. An entry whose id is stored
   * already is left out. Rejects when a count would leave the safe integers.
   */
  append(batch: JournalBatch): Promise<void>;
  /** The entries that fit, newest first, at most `limit`, among as many as one call may look at; complete as `list` is. */
  read(query: JournalQuery): Promise<JournalPiece>;
  /**
   * The passports of an account by their status at `at`: revoked before suspended (until `suspended_until`)
   * before expired (from `expires_at` on) before active. Counted in the store, a piece with each call: `from` is the
   * `next` of the piece before.
   */
  census(account_id: string, at: Instant, from?: string): Promise<CensusPiece>;
  /** The sums that fit, in no particular order; the cost depends on the number of rollups, not of verdicts. */
  tally(query: TallyQuery): Promise<readonly Tally[]>;
  /**
   * Removes at most 1,000 of what is older than `before`: sessions, counters and idempotency records by
   * `expires_at`, verdicts by `created_at`, rollups by `start`. The number removed: 0 only when nothing is left.
   */
  purge(what: Purgeable, before: Instant): Promise<number>;
  /** The instant from which on the account has all its verdicts, where only so many are kept; `undefined`: none was let go. */
  wholeSince?(account_id: string): Promise<Instant | undefined>;
  /**
   * Tells of written records of `WATCHED_COLLECTIONS`, whichever process wrote them, soon after the write; the
   * function it gives back ends that. Notices may be lost, doubled and late. `undefined` stands for any number of
   * them: what was missed, or cannot be named.
   */
  subscribe?(listener: (notice: ChangeNotice | undefined) => void): () => void;
  /** Answers within the store's own deadline, or rejects. */
  check(): Promise<StorageHealth>;
  /** Lets go of files and connections; every later call rejects. Closing twice is fine. */
  close(): Promise<void>;
}
