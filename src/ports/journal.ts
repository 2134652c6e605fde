/**
 * The journal of a storage: blocks of bytes, with an index for searches. The core encodes, decodes and sums blocks. An
 * adapter stores, finds and returns them.
 */

import type { Resolution } from '../base/values/time-buckets.ts';
import type { Environment, Instant, PassportStatus } from '../records.ts';
import type { CollectionName, StoredRecords } from './stored-records.ts';

/** The maximum time between the `created_at` of the first and the last record of a block, in milliseconds. */
export const MAX_BLOCK_SPAN_MS = 3_600_000;
/** The maximum number of blocks in one call of `load`. */
export const MAX_LOADED_BLOCKS = 16;
/** The maximum number of blocks in one flush. */
export const MAX_FLUSHED_BLOCKS = 1_000;
/** The maximum number of headers that one call of `blocks` returns. */
export const MAX_LISTED_BLOCKS = 256;
/** The maximum number of writers that one call lists. */
export const MAX_LISTED_WRITERS = 256;
/** The maximum number of blocks that one call of `purge('verdicts')` removes. */
export const MAX_PURGED_BLOCKS = 50;

/** The bits of `flags` of a block. */
export const BLOCK_FLAGS = {
  /** The block has records of the live environment. */
  live: 1,
  /** The block has records of the test environment. */
  test: 2,
  /** The block has records of dry runs. */
  dryRuns: 4,
  /** The block reports how many records were dropped. */
  drops: 8,
  /** The block is never changed again, except for texts that can be erased. It is in the evidence log, or will be. */
  final: 16,
  /** The block contains outcome reports, and no records. */
  outcomes: 32,
} as const;

/** Returns `true` if the block is never changed again, except for texts that can be erased. */
export function isFinal({ flags }: Pick<BlockHeader, 'flags'>): boolean {
  return (flags & BLOCK_FLAGS.final) !== 0;
}

/** Returns `true` if `into` replaces a single block with the same times and counts, so that no sum changes. */
export function keepsCounts(
  [headers, ...otherHeaders]: readonly BlockHeader[],
  target: BlockHeader,
): boolean {
  if (headers === undefined || otherHeaders.length > 0) return false;
  const isSameTime = headers.from_ms === target.from_ms && headers.to_ms === target.to_ms;
  return isSameTime && headers.records === target.records && headers.denied === target.denied;
}

/** The name of a block. */
export interface BlockName {
  /** The id of the writer that stored the block: 18 base62 digits. */
  readonly writer: string;
  /** The number of the flush that stored the block. Numbers start at 1 and increase. */
  readonly seq: number;
  readonly account_id: string;
}

/** The header of a block: everything except its bytes. Times are milliseconds since the Unix epoch. */
export interface BlockHeader extends BlockName {
  /**
   * The first and the last `created_at` of the records. Without records: the times of the dropped records, or of the
   * verdicts with the reported outcomes.
   */
  readonly from_ms: number;
  readonly to_ms: number;
  /** The number of its records. 0 if it only reports dropped records or outcomes. */
  readonly records: number;
  /** The number of its records that are `DENY`. */
  readonly denied: number;
  /** A sum of `BLOCK_FLAGS`. */
  readonly flags: number;
  /** The number of times that texts of the block were erased, or the block was packed again with other blocks. */
  readonly erased: number;
}

/** A stored block. The storage may keep the byte arrays, because the caller never changes them. */
export interface Block extends BlockHeader {
  /**
   * A Bloom filter of the names in the block. Its length is a power of two from 32 to 4,096 bytes. A name with the
   * hashes `h` may be in the block if, for each hash, the bit `h % (8 * length)` is set. Bit 0 is the lowest bit of the
   * first byte.
   */
  readonly filter: Uint8Array;
  /** The records, encoded by the core. */
  readonly data: Uint8Array;
  /** The texts that can be erased. Absent if the block has none. */
  readonly erasable?: Uint8Array;
}

/** The blocks that a writer stores together, at most one block for each account. */
export interface JournalFlush {
  readonly writer: string;
  /** The number of the flush, higher than all earlier numbers. Numbers may be skipped. */
  readonly seq: number;
  /** The first number that this flush uses up; default: `seq`. The last stored flush has a lower number. */
  readonly first?: number;
  /** The current instant. */
  readonly at: Instant;
  /** The blocks, all with this writer and `seq`; at most `MAX_FLUSHED_BLOCKS`. */
  readonly blocks: readonly Block[];
}

/**
 * The result of a flush. `filed`: all its blocks are stored. `known`: `flushed` of the writer was already `first` or
 * higher, and nothing was changed. `unknown_writer`: the storage does not know the writer, and nothing was changed.
 */
export type FlushResult = 'filed' | 'known' | 'unknown_writer';

/** A writer of the journal. */
export interface JournalWriter {
  readonly id: string;
  /** The number of its last flush. 0 before the first flush. */
  readonly flushed: number;
  /** The number of the last flush that the rollups count. */
  readonly merged: number;
  /** The instant at which the writer was last opened, flushed or merged. */
  readonly seen_at: Instant;
}

/** A search for blocks of an account that may contain the wanted records. */
export interface BlocksQuery {
  readonly account_id: string;
  /** Only blocks with a `to_ms` at or after this time. */
  readonly from_ms?: number;
  /** Only blocks with a `from_ms` at or before this time. */
  readonly upto_ms?: number;
  /** Only blocks with records of this verdict. */
  readonly verdict?: 'ALLOW' | 'DENY';
  /** Only blocks with at least one of these `BLOCK_FLAGS`. */
  readonly flags?: number;
  /** The hashes of names. Only blocks with a filter that may contain all of these names. */
  readonly names?: readonly (readonly number[])[];
  /** Only blocks that come after this position in the order of the answer. */
  readonly after?: BlockPlace;
  /** The maximum number of headers to return, 1 to `MAX_LISTED_BLOCKS`. */
  readonly limit: number;
}

/** A position in the order of blocks: by `to_ms`, `writer` and `seq`, the highest first. */
export type BlockPlace = Pick<BlockHeader, 'to_ms' | 'writer' | 'seq'>;

/** The kind of thing that a rollup counts. `key` says which one. */
export type RollupKind = 'verdict' | 'agent' | 'action' | 'reason' | 'latency' | 'dropped' | 'outcome';

/**
 * An increment of `key` in a minute. The increment also applies to the hour and the day of the minute. `rollupStarts`
 * returns the starts of these three rollups. `agent_id` is `''` for all agents together.
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

/** The sums of the blocks of one writer in the flushes from `from + 1` to `to`. */
export interface JournalMerge {
  readonly writer: string;
  readonly from: number;
  readonly to: number;
  /** The current instant. */
  readonly at: Instant;
  readonly rollups: readonly RollupDelta[];
}

/** A part of a query: rollups with a `start` at or after `from` and before `to`. */
export interface SumsPart {
  readonly resolution: Resolution;
  readonly kinds: readonly RollupKind[];
  readonly from: Instant;
  readonly to: Instant;
  /** `true`: one sum for each `start`. `false`: a single sum with a `start` of `null`. */
  readonly byStart: boolean;
}

/** A query for the sums of an account and an environment, for one agent, or for all agents together (`''`). */
export interface SumsQuery {
  readonly account_id: string;
  readonly environment: Environment;
  readonly agent_id: string;
  readonly parts: readonly SumsPart[];
}

/** The sum of the rollups of one kind and key. */
export interface RollupSum {
  readonly start: Instant | null;
  readonly kind: RollupKind;
  readonly key: string;
  readonly count: number;
}

/** Rollups, and the blocks that they do not count, read at the same moment. */
export interface Sums {
  /** The sums of each part, in the order of the parts; the sums of one part are in no particular order. */
  readonly parts: readonly (readonly RollupSum[])[];
  /** The blocks of the account that are not merged, in any order. */
  readonly unmerged: readonly Block[];
}

/**
 * The journal of a storage. A block is merged if its `seq` is at most the `merged` of its writer. It is also merged if
 * its writer is unknown, for example because the writer was removed. Every call is atomic in the storage, also against
 * other processes.
 *
 * @throws {Error} As `StorageAdapter`.
 */
export interface JournalStorage {
  /** A sentence that says why this storage cannot keep the promise of `journal: "strict"`. Absent if it can. */
  readonly strictRefusal?: string;
  /** Registers a writer without a flush. If its id is already registered, returns `false` and changes nothing. */
  open(writer: string, instant: Instant): Promise<boolean>;
  /**
   * Stores the blocks and raises `flushed` of the writer to `seq`, all or nothing. If `first` is not above `flushed`,
   * nothing changes. A flush that arrives twice or late is therefore harmless.
   */
  file(flush: JournalFlush): Promise<FlushResult>;
  /** Returns all writers. */
  writers(): Promise<readonly JournalWriter[]>;
  /** Returns the writers with a `merged` below their `flushed`, by id. Other writers do not make the call slower. */
  unmerged(query: UnmergedQuery): Promise<readonly JournalWriter[]>;
  /**
   * Returns the headers of the matching blocks, in the order of `BlockPlace`. Filters are inexact, so some of these
   * blocks may not contain the names.
   */
  blocks(query: BlocksQuery): Promise<readonly BlockHeader[]>;
  /**
   * Returns the blocks with these names, in their order. A block that is not stored is `undefined`. At most
   * `MAX_LOADED_BLOCKS` names.
   */
  load(names: readonly BlockName[]): Promise<readonly (Block | undefined)[]>;
  /**
   * Returns the headers of the blocks of a writer with a `seq` above `from` and at most `to`. The headers are sorted by
   * `seq` and `account_id`. Returns at most `limit` headers, after the block `after`.
   */
  filed(query: FiledQuery): Promise<readonly BlockHeader[]>;
  /**
   * Adds to the rollups and raises `merged` of the writer from `from` to `to`. If `merged` is not `from`, returns
   * `false` and changes nothing.
   */
  merge(merge: JournalMerge): Promise<boolean>;
  /** Returns rollups, and the blocks that they do not count, read at one moment. */
  sums(query: SumsQuery): Promise<Sums>;
  /**
   * Replaces the blocks `headers` by `target`, all or nothing. The blocks must be of one writer and account, and one of
   * them must have the name of `target`. If a block is final, is not merged, or is not stored with exactly this header,
   * returns `false` and changes nothing. This keeps `target` from restoring records that were removed meanwhile. A
   * single block need not be merged if {@link keepsCounts} is true. A merge then counts the block `target` later.
   */
  compact(headers: readonly BlockHeader[], target: Block): Promise<boolean>;
  /**
   * Replaces a merged block by `into`, or removes it if `into` is absent, and adds to the rollups, all or nothing. If
   * the block is not merged, or is not stored exactly as `found`, returns `false` and changes nothing.
   */
  rewrite(rewriting: BlockRewriting): Promise<boolean>;
  /**
   * Replaces the bytes `erasable` of a block, merged or not, and adds 1 to its `erased`. If its `erased` is not the
   * given number or the block is not stored, returns `false` and changes nothing.
   */
  eraseTexts(name: BlockName, erasedCount: number, erasable: Uint8Array): Promise<boolean>;
  /**
   * Removes the blocks of an account, merged or not, and its rollups. With an `agent_id`, removes only rollups: the
   * rollups about the agent, and sums over all agents with a count of 0 or less. Each call removes a part. Returns
   * `from` for the next call, or `null` after the last part.
   */
  erase(erasure: JournalErasure): Promise<string | null>;
  /**
   * Returns the instant from which the storage has all verdicts and rollups of the account. After this instant, no
   * `purge` of any process and no limit on their number has removed any. Returns `undefined` if none was ever removed.
   */
  completeSince(account_id: string): Promise<Instant | undefined>;
}

/** A replacement of a block. */
export interface BlockRewriting {
  /** The loaded block. */
  readonly found: Block;
  /** The new block with the same name. Absent if nothing is left of the block. */
  readonly into?: Block;
  /** The increments of the rollups; they may be negative. */
  readonly rollups: readonly RollupDelta[];
}

/** A part of the journal to erase. */
export interface JournalErasure {
  readonly account_id: string;
  /** Only the rollups of this agent. */
  readonly agent_id?: string;
  /** The value that the previous call returned. Absent for the first call. */
  readonly from?: string;
}

/** A query for the blocks of a writer. */
export interface FiledQuery {
  readonly writer: string;
  readonly from: number;
  readonly to: number;
  readonly after?: { readonly seq: number; readonly account_id: string };
  /** The maximum number of headers to return, 1 to `MAX_LISTED_BLOCKS`. */
  readonly limit: number;
}

// Queries of a storage. Long lists are read in pages, so that no single call takes long.

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
