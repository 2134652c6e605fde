/** What a storage keeps. */

import type { Environment, Instant, Reason } from '../records.ts';

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
  /** The id that the caller gave its request, at most 64 units of it. */
  readonly request_id: string | null;
};

/** What a rollup counts by `key`. */
export type RollupKind = 'verdict' | 'agent' | 'action' | 'reason' | 'latency' | 'dropped';
