/** What a storage is asked about what it holds. Long walks come in pieces: no single call takes long, however much is stored. */

import type { Instant, PassportStatus } from '../records.ts';
import type { CollectionName } from './stored-records.ts';

/** A place in a list: the last record that was already seen. */
export interface Position {
  readonly created_at: Instant;
  readonly id: string;
}

/** Records whose fields equal `where`, newest first by (`created_at`, `id`), strictly after `after`. */
export interface ListQuery {
  readonly where: Readonly<Record<string, string>>;
  readonly after?: Position;
  /** 1 to `MAX_PAGE_SIZE`. */
  readonly limit: number;
}

/**
 * The fields that a collection is listed by, the empty list first: a page of one of these costs as much as its own
 * records, however many others there are. A list by other fields is correct, and may take longer.
 */
export const LISTED_BY: Readonly<Record<CollectionName, readonly (readonly string[])[]>> = {
  accounts: [[]],
  sessions: [[], ['account_id']],
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
  approvals: [
    [],
    ['account_id'],
    ['account_id', 'status'],
    ['account_id', 'agent_id'],
    ['environment', 'digest'],
  ],
};

/** The fields by which `listExpired` narrows its list. */
export const EXPIRING_BY = {
  keys: ['account_id', 'status'],
  passports: ['account_id'],
} as const;

/** The collections whose records are found by their `expires_at`. */
export type ExpiringCollection = keyof typeof EXPIRING_BY;

/** Records whose `expires_at` is `by` or before, and whose fields equal `where`, which names all those of `EXPIRING_BY`. */
export interface ExpiredQuery {
  readonly where: Readonly<Record<string, string>>;
  readonly by: Instant;
  readonly after?: ExpiryPosition;
  /** 1 to `MAX_PAGE_SIZE`. */
  readonly limit: number;
}

/** A place in a list by expiry: the last record that was already seen. */
export interface ExpiryPosition {
  readonly expires_at: Instant;
  readonly id: string;
}

/** The collections whose records are found by their `due_at`. */
export type DueCollection = 'spends' | 'webhook_deliveries' | 'approvals';

/** The fields by which a list of what is due is narrowed: by none of them, or by exactly one. */
export const DUE_BY: Readonly<Record<DueCollection, readonly string[]>> = {
  spends: ['root_agent_id'],
  webhook_deliveries: [],
  approvals: ['account_id', 'agent_id'],
};

/** A part of what is due. */
export interface DuePart {
  /** Only records with this field of `DUE_BY`. Absent: all. */
  readonly where?: Readonly<Record<string, string>>;
  /** Only records behind this one. */
  readonly after?: DuePosition;
}

/** A place in a list of what is due: the last record that was already seen. */
export interface DuePosition {
  readonly due_at: Instant;
  readonly id: string;
}

/** How many passports an account has of each status at an instant. */
export type PassportCounts = Readonly<Record<PassportStatus, number>>;

/** What one call has counted. */
export interface PassportCountsPiece extends PassportCounts {
  /** Where the next call goes on; only the storage can read it. `null`: all are counted. */
  readonly next: string | null;
}
