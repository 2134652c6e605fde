/** The values that a storage keeps. */

import type { Instant } from '../records.ts';

/** Plain data that survives a JSON round trip. */
export type StoredValue =
  | string
  | number
  | boolean
  | null
  | readonly StoredValue[]
  | { readonly [name: string]: StoredValue };

/** A stored record. Text is compared by its bytes, numbers are safe integers, and an absent field stays absent. */
export interface StoredRecord {
  /** The id, unique within the collection. */
  readonly id: string;
  /** The account that owns the record. */
  readonly account_id: string;
  /** The version, 1 for a new record. `replace` checks it. */
  readonly version: number;
  readonly created_at: Instant;
  readonly [field: string]: StoredValue;
}

/** The fields of every record. */
export type RecordBase = {
  readonly id: string;
  readonly account_id: string;
  readonly version: number;
  readonly created_at: Instant;
};

/** The author and the instant of the last change; `null` before the first. */
export type LastChange = {
  readonly changed_at: Instant | null;
  readonly changed_by: string | null;
};
