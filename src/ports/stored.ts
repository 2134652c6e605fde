/** What a storage keeps. */

import type { Instant } from '../records.ts';

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

/** What every record has. */
export type RecordBase = {
  readonly id: string;
  readonly account_id: string;
  readonly version: number;
  readonly created_at: Instant;
};
