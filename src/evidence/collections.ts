/** The stored records of evidence logs: a head, the texts of the leaves, and the hashes of the tree in tiles. */

import type { Collection } from '../ports/collection.ts';
import type { RecordBase } from '../ports/stored.ts';
import type { Instant } from '../records.ts';

/**
 * The head of a log: its size, its last hashes and its signature. While the log grows, its head has the
 * account as its `id`. A second record has the `log_id` as its `id`, so that the account of a log can be
 * found. Only when the log ends, the second record gets the last head.
 */
export type LogHeadRecord = RecordBase & {
  readonly log_id: string;
  readonly origin: string;
  readonly size: number;
  /** The hashes of the right edge of the tree, from left to right, in base64. */
  readonly edge: readonly string[];
  /** The signed note (checkpoint) of the tree. */
  readonly checkpoint: string;
  /**
   * The number of the last block that has a leaf, for each writer of the journal. The second number counts
   * the permits of this block that have a leaf.
   */
  readonly positions: { readonly [writer: string]: readonly [seq: number, permits: number] };
  /** The instant at which the log was turned on, from its last entry of the type `begin`. */
  readonly begun_at: Instant;
  /** The `created_at` of the last entry. */
  readonly appended_at: Instant;
  readonly ended_at: Instant | null;
};

/** The text of a leaf. Its `id` is the `log_id`, a colon and the index as 16 digits. */
export type LogEntryRecord = RecordBase & {
  readonly log_id: string;
  readonly leaf_index: number;
  /** The block, the verdict or the event of the leaf; `begin` for the first leaf. */
  readonly subject: string;
  readonly entry: string;
  readonly expires_at: Instant;
};

/** A tile of a log, full or not. Its `id` is the `log_id`, the level and the index, separated by colons. */
export type LogTileRecord = RecordBase & {
  readonly log_id: string;
  /** The hashes in base64. */
  readonly hashes: string;
};

export const logHeadCollection: Collection<LogHeadRecord> = {
  fields: {
    log_id: 'text',
    origin: 'text',
    size: 'integer',
    edge: 'json',
    checkpoint: 'text',
    positions: 'json',
    begun_at: 'text',
    appended_at: 'text',
    ended_at: 'text|null',
  },
  lists: [[], ['account_id']],
  isConfirmed: true,
};

export const logEntryCollection: Collection<LogEntryRecord> = {
  fields: {
    log_id: 'text',
    leaf_index: 'integer',
    subject: 'text',
    entry: 'text',
    expires_at: 'text',
  },
  lists: [[], ['account_id'], ['account_id', 'subject']],
  expires: true,
};

export const logTileCollection: Collection<LogTileRecord> = {
  fields: {
    log_id: 'text',
    hashes: 'text',
  },
  lists: [[], ['account_id']],
};
