/** The stored records of logs: a head, the texts of its leaves, and the hashes of its tree in tiles. */

import type { Collection } from '../ports/collection.ts';
import type { RecordBase } from '../ports/stored.ts';
import type { Instant } from '../records.ts';

/**
 * The head of a log. For the log that grows, its `id` is the account. A second record has the `log_id` as its `id`,
 * so that the log can be found. That record is replaced only when the log ends, by the last head.
 */
export type LogHeadRecord = RecordBase & {
  readonly log_id: string;
  readonly origin: string;
  readonly size: number;
  /** The hashes of the right edge of the tree, from left to right, in base64. */
  readonly edge: readonly string[];
  /** The signed note about the tree. */
  readonly checkpoint: string;
  /** The last block of each writer that has a leaf, and the number of its permits that have theirs. */
  readonly positions: { readonly [writer: string]: readonly [seq: number, permits: number] };
  /** The instant at which the log was turned on, according to its last entry of the kind `begin`. */
  readonly begun_at: Instant;
  /** The `created_at` of the last entry. */
  readonly appended_at: Instant;
  readonly ended_at: Instant | null;
};

/** The text of a leaf. Its `id` is the `log_id`, a colon and the index in 16 digits. */
export type LogEntryRecord = RecordBase & {
  readonly log_id: string;
  readonly leaf_index: number;
  /** The block, the decision or the event that it is about; `begin` for the first leaf. */
  readonly subject: string;
  readonly entry: string;
  readonly expires_at: Instant;
};

/** A tile of a log, full or not. Its `id` is the `log_id`, the level and the index, with colons between. */
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
