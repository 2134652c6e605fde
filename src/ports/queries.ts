/** Queries of a storage. Long lists are read in pages: no single call takes long, no matter how much is stored. */

import type { Instant, PassportStatus } from '../records.ts';
import type { CollectionName } from './stored-records.ts';

/** A position in a list: the last record of the page before. */
export interface Position {
  readonly created_at: Instant;
  readonly id: string;
}

/** A query for records whose fields equal `where`, newest first by (`created_at`, `id`), strictly after `after`. */
export interface ListQuery {
  readonly where: Readonly<Record<string, string>>;
  readonly after?: Position;
  /** The most records to return, 1 to `MAX_PAGE_SIZE`. */
  readonly limit: number;
}

/**
 * The sets of fields with an index, by collection; the first, empty one lists all records. The cost of a page by one of
 * them depends on its own records only. A list by other fields is correct, but may take longer.
 */
export const LISTED_BY: Readonly<Record<CollectionName, readonly (readonly string[])[]>> = {
  accounts: [[]],
  sessions: [[], ['account_id']],
  members: [[], ['account_id'], ['account_id', 'status']],
  logins: [[], ['account_id'], ['member_id']],
  keys: [[], ['account_id']],
  passports: [
    [],
    ['account_id'],
    ['account_id', 'status'],
    ['account_id', 'domain'],
    ['account_id', 'parent_agent_id'],
  ],
  passport_versions: [[], ['agent_id']],
  domains: [[], ['account_id']],
  idempotency: [[], ['account_id']],
  events: [[], ['account_id']],
  signing_keys: [[]],
  status_slots: [[]],
  spends: [[], ['account_id']],
  webhooks: [[], ['account_id']],
  webhook_deliveries: [[], ['webhook_id']],
  erasures: [[]],
  log_heads: [[], ['account_id']],
  log_entries: [[], ['account_id'], ['account_id', 'subject']],
  log_tiles: [[], ['account_id']],
  approvals: [
    [],
    ['account_id'],
    ['account_id', 'status'],
    ['account_id', 'agent_id'],
    ['environment', 'digest'],
  ],
};

/** The fields by which `listExpired` filters. */
export const EXPIRING_BY = {
  keys: ['account_id', 'status'],
  passports: ['account_id'],
} as const;

/** The collections that can be listed by `expires_at`. */
export type ExpiringCollection = keyof typeof EXPIRING_BY;

/**
 * A query for records whose `expires_at` is `by` or before, and whose fields equal `where`, which names all those of
 * `EXPIRING_BY`.
 */
export interface ExpiredQuery {
  readonly where: Readonly<Record<string, string>>;
  readonly by: Instant;
  readonly after?: ExpiryPosition;
  /** The most records to return, 1 to `MAX_PAGE_SIZE`. */
  readonly limit: number;
}

/** A position in a list by expiry: the last record of the page before. */
export interface ExpiryPosition {
  readonly expires_at: Instant;
  readonly id: string;
}

/** The collections that can be listed by `due_at`. */
export type DueCollection = 'spends' | 'webhook_deliveries' | 'approvals' | 'events';

/** The fields by which a list of due records can be filtered: by none of them, or by exactly one. */
export const DUE_BY: Readonly<Record<DueCollection, readonly string[]>> = {
  spends: ['root_agent_id'],
  webhook_deliveries: [],
  approvals: ['account_id', 'agent_id'],
  events: ['account_id'],
};

/** A part of the due records. */
export interface DuePart {
  /** Only records with this field of `DUE_BY`. Absent: all. */
  readonly where?: Readonly<Record<string, string>>;
  /** Only records after this one. */
  readonly after?: DuePosition;
}

/** A position in a list of due records: the last record of the page before. */
export interface DuePosition {
  readonly due_at: Instant;
  readonly id: string;
}

/** The number of an account's passports in each status at an instant. */
export type PassportCounts = Readonly<Record<PassportStatus, number>>;

/** The count of one call. */
export interface PassportCountsPiece extends PassportCounts {
  /** The start of the next call, which only the storage can read; `null`: all are counted. */
  readonly next: string | null;
}

/** A query for writers that have something to merge. */
export interface UnmergedQuery {
  /** Only writers with a higher id, by the order of code units of ASCII. */
  readonly after?: string;
  /** The most writers to return, 1 to `MAX_LISTED_WRITERS`. */
  readonly limit: number;
}
