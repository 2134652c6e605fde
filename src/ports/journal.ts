/**
 * The journal as a storage keeps it: blocks of bytes, with what a search needs beside them. The core makes the bytes,
 * reads them and sums them up; an adapter stores, finds and hands back.
 */

import type { Resolution } from '../base/time-buckets.ts';
import type { Environment, Instant } from '../records.ts';

/** `created_at` of the first and the last record of a block are never further apart, in milliseconds. */
export const MAX_BLOCK_SPAN_MS = 3_600_000;
/** How many blocks one call of `load` names. */
export const MAX_LOADED_BLOCKS = 16;
/** How many blocks one flush holds. */
export const MAX_FLUSHED_BLOCKS = 1_000;
/** How many headers one call of `blocks` gives back. */
export const MAX_LISTED_BLOCKS = 256;
/** How many blocks one call of `purge('verdicts')` removes. */
export const MAX_PURGED_BLOCKS = 50;

/** What `flags` of a block is made of. */
export const BLOCK_FLAGS = {
  /** It holds records of the live environment. */
  live: 1,
  /** It holds records of the test environment. */
  test: 2,
  /** It holds records of dry runs. */
  dryRuns: 4,
  /** It reports records that were dropped. */
  drops: 8,
} as const;

/** Which block it is. */
export interface BlockName {
  /** The writer that filed it: 18 base62 digits. */
  readonly writer: string;
  /** The number of its flush: from 1, growing. */
  readonly seq: number;
  readonly account_id: string;
}

/** What is known of a block without its bytes. Times are milliseconds since the Unix epoch. */
export interface BlockHeader extends BlockName {
  /** The first and the last `created_at` of its records; where it holds none, of its drops. */
  readonly from_ms: number;
  readonly to_ms: number;
  /** How many records it holds; 0 where it only reports drops. */
  readonly records: number;
  /** How many of them are `DENY`. */
  readonly denied: number;
  /** A sum of `BLOCK_FLAGS`. */
  readonly flags: number;
}

/** A block as it is stored. The storage may keep the bytes: the caller does not change them afterwards. */
export interface Block extends BlockHeader {
  /**
   * A Bloom filter of the names in it, 32 to 4,096 bytes, a power of two. A name with the hashes `h` may be in it when
   * for each of them the bit `h % (8 * length)` is set; bit 0 is the lowest of the first byte.
   */
  readonly filter: Uint8Array;
  /** Its records, as the core spells them. */
  readonly data: Uint8Array;
}

/** Blocks that a writer stores together, at most one of each account. */
export interface JournalFlush {
  readonly writer: string;
  /** Higher than that of every flush before; numbers may be left out. */
  readonly seq: number;
  /** The present. */
  readonly at: Instant;
  /** All of this writer and `seq`; at most `MAX_FLUSHED_BLOCKS`. */
  readonly blocks: readonly Block[];
}

/**
 * What became of a flush. `filed`: all its blocks are stored. `known`: a flush of this or a higher `seq` was stored
 * before, and nothing was changed. `unknown_writer`: the storage does not know the writer, and nothing was changed.
 */
export type FlushResult = 'filed' | 'known' | 'unknown_writer';

/** What is known of a writer. */
export interface JournalWriter {
  readonly id: string;
  /** Its last flush; 0 before the first. */
  readonly flushed: number;
  /** Up to which of its flushes the blocks are counted in the rollups. */
  readonly merged: number;
  /** When it was opened, flushed or merged last. */
  readonly seen_at: Instant;
}

/** Which blocks of an account may hold what is looked for. */
export interface BlocksQuery {
  readonly account_id: string;
  /** Only blocks whose `to_ms` is this or later. */
  readonly from_ms?: number;
  /** Only blocks whose `from_ms` is this or earlier. */
  readonly upto_ms?: number;
  /** Only blocks with records of this verdict. */
  readonly verdict?: 'ALLOW' | 'DENY';
  /** Only blocks that have one of these `BLOCK_FLAGS`. */
  readonly flags?: number;
  /** The hashes of names: only blocks whose filter may hold each of these names. */
  readonly names?: readonly (readonly number[])[];
  /** Only what comes after this block in the order of the answer. */
  readonly after?: BlockPlace;
  /** 1 to `MAX_LISTED_BLOCKS`. */
  readonly limit: number;
}

/** A place in the order of blocks: by (`to_ms`, `writer`, `seq`), the highest first. */
export type BlockPlace = Pick<BlockHeader, 'to_ms' | 'writer' | 'seq'>;

/** What a rollup counts by `key`. */
export type RollupKind = 'verdict' | 'agent' | 'action' | 'reason' | 'latency' | 'dropped';

/**
 * An increment of `key` in a minute, and with it in its hour and its day: three rollups, whose starts
 * `rollupStarts` names. `agent_id` is `''` for all agents together.
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

/** The blocks of the flushes `from + 1` to `to` of a writer, summed up. */
export interface JournalMerge {
  readonly writer: string;
  readonly from: number;
  readonly to: number;
  /** The present. */
  readonly at: Instant;
  readonly rollups: readonly RollupDelta[];
}

/** Rollups whose `start` is in [`from`, `to`). */
export interface SumsPart {
  readonly resolution: Resolution;
  readonly kinds: readonly RollupKind[];
  readonly from: Instant;
  readonly to: Instant;
  /** Keeps the rollups of different `start` apart; otherwise they are summed up and `start` is `null`. */
  readonly byStart: boolean;
}

/** What to sum up: of an account and environment, one agent or (`''`) all of them together. */
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

/** Rollups, and the blocks that are not counted in them, as they were at one moment. */
export interface Sums {
  /** The sums of each part, in the order of the parts; those of a part in no particular order. */
  readonly parts: readonly (readonly RollupSum[])[];
  /** The blocks of the account that are not merged, in no particular order. */
  readonly unmerged: readonly Block[];
}

/**
 * The journal of a storage. A block is merged when its writer is not known (any more) or its `seq` is not above the
 * `merged` of its writer. Every call is atomic in the storage itself against every other process.
 */
export interface JournalStorage {
  /** Why `journal: "strict"` would promise too much with this storage, as a sentence; absent where it does not. */
  readonly strictRefusal?: string;
  /** Makes a writer known, with nothing flushed; `false`, and nothing changed, when its id is known already. */
  open(writer: string, at: Instant): Promise<boolean>;
  /**
   * Stores the blocks and moves `flushed` of the writer up to `seq`, all or nothing. A flush whose `seq` is not above
   * `flushed` changes nothing, so that one that comes twice, or late, is harmless.
   */
  file(flush: JournalFlush): Promise<FlushResult>;
  /** All writers. */
  writers(): Promise<readonly JournalWriter[]>;
  /** The headers of the blocks that fit, in the order of `BlockPlace`; those that may not hold a name may be among them. */
  blocks(query: BlocksQuery): Promise<readonly BlockHeader[]>;
  /** The blocks of these names, in their order; `undefined` for one that is not stored (any more). At most `MAX_LOADED_BLOCKS`. */
  load(names: readonly BlockName[]): Promise<readonly (Block | undefined)[]>;
  /**
   * The headers of the blocks of a writer with `seq` in (`from`, `to`], by (`seq`, `account_id`); at most `limit`, after
   * the block `after`.
   */
  filed(query: FiledQuery): Promise<readonly BlockHeader[]>;
  /** Adds to the rollups and moves `merged` of the writer from `from` to `to`; `false`, and nothing changed, when it is not `from`. */
  merge(merge: JournalMerge): Promise<boolean>;
  /** Rollups with the blocks that they do not count, of one moment. */
  sums(query: SumsQuery): Promise<Sums>;
  /**
   * Stores `into` in the place of `found`, all or nothing: blocks of one writer and account, all merged, one of which
   * has the name of `into`. `false`, and nothing changed, when one of them is not merged, or not stored (any more) as its
   * header says: what was removed from it meanwhile must not come back.
   */
  compact(found: readonly BlockHeader[], into: Block): Promise<boolean>;
  /**
   * Stores `into` in the place of a merged block, or removes the block without it, and adds to the rollups, all or
   * nothing. `false`, and nothing changed, when the block is not merged, or not stored as `found` says.
   */
  rewrite(rewriting: BlockRewriting): Promise<boolean>;
  /**
   * Removes the blocks of an account, merged or not, and its rollups; with an `agent_id` the rollups of that agent, and
   * those of all agents together whose count is not above 0. A piece with each call: the answer is `from` of the next,
   * `null` after the last.
   */
  erase(erasure: JournalErasure): Promise<string | null>;
}

/** A block that becomes another one. */
export interface BlockRewriting {
  /** The block as it was loaded. */
  readonly found: Block;
  /** Of the same name; absent: nothing is left of it. */
  readonly into?: Block;
  /** What the change adds to the rollups: counts may be negative. */
  readonly rollups: readonly RollupDelta[];
}

/** What to erase of the journal. */
export interface JournalErasure {
  readonly account_id: string;
  /** Only what is counted of this agent. */
  readonly agent_id?: string;
  /** Where to go on. */
  readonly from?: string;
}

/** Which blocks of a writer. */
export interface FiledQuery {
  readonly writer: string;
  readonly from: number;
  readonly to: number;
  readonly after?: { readonly seq: number; readonly account_id: string };
  /** 1 to `MAX_LISTED_BLOCKS`. */
  readonly limit: number;
}
