/**
 * The journal of a storage: blocks of bytes, with an index for searches. The core encodes, decodes and sums blocks; an
 * adapter stores, finds and returns them.
 */

import type { Resolution } from '../base/values/time-buckets.ts';
import type { Environment, Instant } from '../records.ts';
import type { UnmergedQuery } from './queries.ts';

/** The longest time between the `created_at` of the first and the last record of a block, in milliseconds. */
export const MAX_BLOCK_SPAN_MS = 3_600_000;
/** The most blocks in one call of `load`. */
export const MAX_LOADED_BLOCKS = 16;
/** The most blocks in one flush. */
export const MAX_FLUSHED_BLOCKS = 1_000;
/** The most headers that one call of `blocks` returns. */
export const MAX_LISTED_BLOCKS = 256;
/** The most writers that one call lists. */
export const MAX_LISTED_WRITERS = 256;
/** The most blocks that one call of `purge('verdicts')` removes. */
export const MAX_PURGED_BLOCKS = 50;

/** The bits of `flags` of a block. */
export const BLOCK_FLAGS = {
  /** The block has records of the live environment. */
  live: 1,
  /** The block has records of the test environment. */
  test: 2,
  /** The block has records of dry runs. */
  dryRuns: 4,
  /** The block reports dropped records. */
  drops: 8,
  /** The block is never changed again, except for the texts that can be erased: it has a leaf in a log, or is due for it. */
  final: 16,
  /** The block has reports of outcomes, and no records. */
  outcomes: 32,
} as const;

/** Says whether the block is never changed again, except for the texts that can be erased. */
export function isFinal({ flags }: Pick<BlockHeader, 'flags'>): boolean {
  return (flags & BLOCK_FLAGS.final) !== 0;
}

/** Says whether `into` takes the place of one block with the same times and counts: then no sum changes. */
export function keepsCounts([found, ...others]: readonly BlockHeader[], into: BlockHeader): boolean {
  if (found === undefined || others.length > 0) return false;
  const isSameTime = found.from_ms === into.from_ms && found.to_ms === into.to_ms;
  return isSameTime && found.records === into.records && found.denied === into.denied;
}

/** The name of a block. */
export interface BlockName {
  /** The writer that filed it: 18 base62 digits. */
  readonly writer: string;
  /** The number of its flush: from 1, increasing. */
  readonly seq: number;
  readonly account_id: string;
}

/** The header of a block: all but its bytes. Times are milliseconds since the Unix epoch. */
export interface BlockHeader extends BlockName {
  /**
   * The first and the last `created_at` of its records. Without records, the times of its drops, or of the verdicts
   * whose outcomes it reports.
   */
  readonly from_ms: number;
  readonly to_ms: number;
  /** The number of its records; 0 when it only reports drops or outcomes. */
  readonly records: number;
  /** The number of its records that are `DENY`. */
  readonly denied: number;
  /** A sum of `BLOCK_FLAGS`. */
  readonly flags: number;
  /** The number of times that its texts were erased or it was packed again with others; 0 at first. */
  readonly erased: number;
}

/** A block as it is stored. The storage may keep the byte arrays: the caller does not change them afterwards. */
export interface Block extends BlockHeader {
  /**
   * A Bloom filter of the names in it, 32 to 4,096 bytes, a power of two. A name with the hashes `h` may be in it when
   * for each of them the bit `h % (8 * length)` is set; bit 0 is the lowest of the first byte.
   */
  readonly filter: Uint8Array;
  /** The records, as the core encodes them. */
  readonly data: Uint8Array;
  /** The texts that can be erased; absent in a block without any. */
  readonly erasable?: Uint8Array;
}

/** The blocks that a writer stores together, at most one block for each account. */
export interface JournalFlush {
  readonly writer: string;
  /** The number of the flush, higher than the number of every earlier flush. Numbers may be skipped. */
  readonly seq: number;
  /** The lowest number that the flush stands for; default `seq`. A flush before must be below it. */
  readonly first?: number;
  /** The present. */
  readonly at: Instant;
  /** The blocks, all of this writer and `seq`; at most `MAX_FLUSHED_BLOCKS`. */
  readonly blocks: readonly Block[];
}

/**
 * The result of a flush. `filed`: all its blocks are stored. `known`: a flush of this or a higher `seq` was stored
 * before, or of one in (`first`, `seq`], and nothing was changed. `unknown_writer`: the storage does not know the writer, and nothing was changed.
 */
export type FlushResult = 'filed' | 'known' | 'unknown_writer';

/** A writer of the journal. */
export interface JournalWriter {
  readonly id: string;
  /** The number of its last flush; 0 before the first. */
  readonly flushed: number;
  /** The number of the last flush whose blocks are counted in the rollups. */
  readonly merged: number;
  /** The instant at which it was last opened, flushed or merged. */
  readonly seen_at: Instant;
}

/** A search for blocks of an account that may contain certain records. */
export interface BlocksQuery {
  readonly account_id: string;
  /** Only blocks whose `to_ms` is this or later. */
  readonly from_ms?: number;
  /** Only blocks whose `from_ms` is this or earlier. */
  readonly upto_ms?: number;
  /** Only blocks with records of this verdict. */
  readonly verdict?: 'ALLOW' | 'DENY';
  /** Only blocks with at least one of these `BLOCK_FLAGS`. */
  readonly flags?: number;
  /** The hashes of names: only blocks whose filter may contain each of these names. */
  readonly names?: readonly (readonly number[])[];
  /** Only blocks after this one in the order of the answer. */
  readonly after?: BlockPlace;
  /** The most headers to return, 1 to `MAX_LISTED_BLOCKS`. */
  readonly limit: number;
}

/** A position in the order of blocks: by (`to_ms`, `writer`, `seq`), the highest first. */
export type BlockPlace = Pick<BlockHeader, 'to_ms' | 'writer' | 'seq'>;

/** The property that a rollup counts, by `key`. */
export type RollupKind = 'verdict' | 'agent' | 'action' | 'reason' | 'latency' | 'dropped' | 'outcome';

/**
 * An increment of `key` in a minute, and also in its hour and its day: three rollups, whose starts `rollupStarts`
 * returns. `agent_id` is `''` for all agents together.
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

/** The sums of the blocks of the flushes `from + 1` to `to` of a writer. */
export interface JournalMerge {
  readonly writer: string;
  readonly from: number;
  readonly to: number;
  /** The present. */
  readonly at: Instant;
  readonly rollups: readonly RollupDelta[];
}

/** A part of a query: rollups whose `start` is in [`from`, `to`). */
export interface SumsPart {
  readonly resolution: Resolution;
  readonly kinds: readonly RollupKind[];
  readonly from: Instant;
  readonly to: Instant;
  /** True: a sum for each `start`. False: one sum, and its `start` is `null`. */
  readonly byStart: boolean;
}

/** A query for sums of an account and environment, of one agent or (`''`) of all agents together. */
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

/** Rollups, and the blocks that are not counted in them, read at one moment. */
export interface Sums {
  /** The sums of each part, in the order of the parts; the sums of one part are in no particular order. */
  readonly parts: readonly (readonly RollupSum[])[];
  /** The blocks of the account that are not merged, in no particular order. */
  readonly unmerged: readonly Block[];
}

/**
 * The journal of a storage. A block is merged when its writer is unknown, also after it was removed, or its `seq` is at
 * most the `merged` of its writer. Every call is atomic in the storage itself against every other process.
 */
export interface JournalStorage {
  /** A sentence that says why `journal: "strict"` would promise too much with this storage; absent when it does not. */
  readonly strictRefusal?: string;
  /** Registers a writer without a flush. Returns `false`, and changes nothing, when its id is already registered. */
  open(writer: string, at: Instant): Promise<boolean>;
  /**
   * Stores the blocks and moves `flushed` of the writer up to `seq`, all or nothing. A flush whose `first` is not above
   * `flushed` changes nothing, so a flush that arrives twice, or late, is harmless.
   */
  file(flush: JournalFlush): Promise<FlushResult>;
  /** Returns all writers. */
  writers(): Promise<readonly JournalWriter[]>;
  /** Returns the writers whose `merged` is below their `flushed`, by id. The number of others does not slow it. */
  unmerged(query: UnmergedQuery): Promise<readonly JournalWriter[]>;
  /**
   * Returns the headers of the matching blocks, in the order of `BlockPlace`. Because filters are inexact, blocks
   * without a name may be among them.
   */
  blocks(query: BlocksQuery): Promise<readonly BlockHeader[]>;
  /**
   * Returns the blocks of these names, in their order. A block that is not stored is `undefined`. At most
   * `MAX_LOADED_BLOCKS`.
   */
  load(names: readonly BlockName[]): Promise<readonly (Block | undefined)[]>;
  /**
   * Returns the headers of the blocks of a writer with `seq` in (`from`, `to`], by (`seq`, `account_id`); at most
   * `limit`, after the block `after`.
   */
  filed(query: FiledQuery): Promise<readonly BlockHeader[]>;
  /**
   * Adds to the rollups and moves `merged` of the writer from `from` to `to`. Returns `false`, and changes nothing,
   * when it is not `from`.
   */
  merge(merge: JournalMerge): Promise<boolean>;
  /** Returns rollups, and the blocks that they do not count, read at one moment. */
  sums(query: SumsQuery): Promise<Sums>;
  /**
   * Replaces `found` by `into`, all or nothing: merged blocks of one writer and account, one of which has the name of
   * `into`. Returns `false`, and changes nothing, when one of them is not merged, not stored as its header says (records
   * that were removed meanwhile must not come back), or `final`. A single block need not be merged where
   * {@link keepsCounts} holds; it still waits for its merge then.
   */
  compact(found: readonly BlockHeader[], into: Block): Promise<boolean>;
  /**
   * Replaces a merged block by `into`, or removes it without `into`, and adds to the rollups, all or nothing. Returns
   * `false`, and changes nothing, when the block is not merged, or not stored as `found` says.
   */
  rewrite(rewriting: BlockRewriting): Promise<boolean>;
  /**
   * Replaces the bytes `erasable` of a block, merged or not, and adds 1 to its `erased`. Returns `false`, and changes
   * nothing, if its `erased` differs from the given number or it is not stored.
   */
  eraseTexts(name: BlockName, erased: number, erasable: Uint8Array): Promise<boolean>;
  /**
   * Removes the blocks of an account, merged or not, and its rollups. With an `agent_id` it removes the rollups of
   * that agent and, of the sums over all agents, those whose count is not above 0. Each call removes a part and
   * returns `from` of the next call, or `null` after the last.
   */
  erase(erasure: JournalErasure): Promise<string | null>;
}

/** A block that is replaced. */
export interface BlockRewriting {
  /** The block as it was loaded. */
  readonly found: Block;
  /** The new block, with the same name; absent when nothing is left of it. */
  readonly into?: Block;
  /** The increments of the rollups; they may be negative. */
  readonly rollups: readonly RollupDelta[];
}

/** A part of the journal to erase. */
export interface JournalErasure {
  readonly account_id: string;
  /** Only the rollups of this agent. */
  readonly agent_id?: string;
  /** The start of this part; absent at first. */
  readonly from?: string;
}

/** A query for the blocks of a writer. */
export interface FiledQuery {
  readonly writer: string;
  readonly from: number;
  readonly to: number;
  readonly after?: { readonly seq: number; readonly account_id: string };
  /** The most headers to return, 1 to `MAX_LISTED_BLOCKS`. */
  readonly limit: number;
}
