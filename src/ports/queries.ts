/** Queries of a storage. Long lists are read in pages, so that no single call takes long. */

import type { Instant, PassportStatus } from '../records.ts';
import type { CollectionName, StoredRecords } from './stored-records.ts';

/** A position in a list: the last record of the previous page. */
export interface Position {
  readonly created_at: Instant;
  readonly id: string;
}

/**
 * The order of a list. Records with the same instant are sorted by `id`. `due_at` lists the earliest first. The other
 * orders list the latest first.
 */
export type ListOrder = 'created_at' | 'expires_at' | 'due_at';

/** A query for records with the field values in `where`, strictly after the position `after`. */
export interface ListQuery {
  /**
   * The fields to filter by. The order `created_at` accepts any fields. The order `expires_at` needs all fields of
   * `expired`. The order `due_at` accepts no field or one field of `due`.
   */
  readonly where: Readonly<Record<string, string>>;
  /**
   * The order; default `created_at`. A collection supports `expires_at` if it declares `expired`, and `due_at` if it
   * declares `due`.
   */
  readonly order?: ListOrder;
  /** Only records at this instant or earlier, by the field of the order. */
  readonly until?: Instant;
  /** The id of the last record of the previous page, and its value in the field of the order. */
  readonly after?: { readonly id: string } & { readonly [Order in ListOrder]?: Instant };
  /** The maximum number of records to return, 1 to `MAX_PAGE_SIZE`. */
  readonly limit: number;
}

/** The collections of records that expire. A collection that declares `expired` can be listed by `expires_at`. */
export type ExpiringCollection = {
  [Name in CollectionName]: 'expires_at' extends keyof StoredRecords[Name] ? Name : never;
}[CollectionName];

/**
 * A query for records with an `expires_at` of `by` or earlier, and with the field values in `where`. `where` must
 * contain all fields of `expired` in the declaration of the collection.
 */
export interface ExpiredQuery {
  readonly where: Readonly<Record<string, string>>;
  readonly by: Instant;
  readonly after?: ExpiryPosition;
  /** The maximum number of records to return, 1 to `MAX_PAGE_SIZE`. */
  readonly limit: number;
}

/** A position in a list by expiry: the last record of the previous page. */
export interface ExpiryPosition {
  readonly expires_at: Instant;
  readonly id: string;
}

/** The collections of records that become due at an instant. These collections declare `due`. */
export type DueCollection = {
  [Name in CollectionName]: 'due_at' extends keyof StoredRecords[Name] ? Name : never;
}[CollectionName];

/** Selects a part of the due records. */
export interface DuePart {
  /** Only records with this value of one field of `due` in the declaration of the collection. Absent: all records. */
  readonly where?: Readonly<Record<string, string>>;
  /** Only records after this position. */
  readonly after?: DuePosition;
}

/** A position in a list of due records: the last record of the previous page. */
export interface DuePosition {
  readonly due_at: Instant;
  readonly id: string;
}

/** The number of passports of an account with each status at an instant. */
export type PassportCounts = Readonly<Record<PassportStatus, number>>;

/** The numbers that one call has counted. */
export interface PassportCountsPiece extends PassportCounts {
  /**
   * The position at which the next call continues, in a form that only the storage can read. `null`: all are counted.
   */
  readonly next: string | null;
}

/** A query for writers with unmerged blocks. */
export interface UnmergedQuery {
  /** Only writers with a higher id, in ASCII order. */
  readonly after?: string;
  /** The maximum number of writers to return, 1 to `MAX_LISTED_WRITERS`. */
  readonly limit: number;
}
