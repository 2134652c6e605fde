/** Queries of a storage. Long lists are read in pages: no single call takes long, no matter how much is stored. */

import type { Instant, PassportStatus } from '../records.ts';
import type { CollectionName, StoredRecords } from './stored-records.ts';

/** A position in a list: the last record of the page before. */
export interface Position {
  readonly created_at: Instant;
  readonly id: string;
}

/** The order of a list, then by `id`. `due_at` lists the earliest first, and the others list the latest first. */
export type ListOrder = 'created_at' | 'expires_at' | 'due_at';

/** A query for records whose fields equal `where`, strictly after `after`. */
export interface ListQuery {
  /**
   * The fields to filter by. The order of `created_at` takes any fields. The order of `expires_at` takes all fields
   * of `expired`. The order of `due_at` takes no field, or one field of `due`.
   */
  readonly where: Readonly<Record<string, string>>;
  /** Default: `created_at`. A collection has the others if it declares `expired` or `due`. */
  readonly order?: ListOrder;
  /** Lists only records whose instant of the order is this one or earlier. */
  readonly until?: Instant;
  /** The id of the last record of the page before, and its instant of the order. */
  readonly after?: { readonly id: string } & { readonly [Order in ListOrder]?: Instant };
  /** The most records to return, 1 to `MAX_PAGE_SIZE`. */
  readonly limit: number;
}

/** The collections whose records expire. Collections with `expired` in their declaration are listed by `expires_at`. */
export type ExpiringCollection = {
  [Name in CollectionName]: 'expires_at' extends keyof StoredRecords[Name] ? Name : never;
}[CollectionName];

/**
 * A query for records whose `expires_at` is `by` or before, and whose fields equal `where`, which names all
 * fields of `expired` in the declaration of the collection.
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

/** The collections whose records are due at some instant; they declare `due`. */
export type DueCollection = {
  [Name in CollectionName]: 'due_at' extends keyof StoredRecords[Name] ? Name : never;
}[CollectionName];

/** A part of the due records. */
export interface DuePart {
  /** Only records with this one field of `due` in the declaration of the collection. Absent: all. */
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
