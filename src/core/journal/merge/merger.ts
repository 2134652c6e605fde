/** Adds the counts of stored blocks to the rollups, each block exactly once on all nodes. */

import { LRUCache } from 'lru-cache';
import { formatInstant } from '../../../base/values/instant.ts';
import {
  type BlockView,
  createFold,
  isNewerBlock,
  openBlock,
  startOfMinute,
} from '../../../journal-format/index.ts';
import {
  type Block,
  type BlockHeader,
  type BlockName,
  type JournalStorage,
  type JournalWriter,
  MAX_LISTED_BLOCKS,
  MAX_LOADED_BLOCKS,
  type RollupDelta,
} from '../../../ports/journal.ts';
import { type Context, now } from '../../shared/context.ts';
import type { ReadBlock } from '../damage.ts';
import { outcomeDeltas } from './agent-records.ts';
import { createDeltaSums, createRollupWriter } from './rollups.ts';
import { createTimeSlices } from './time-slices.ts';

export interface Merger {
  /**
   * Adds the blocks of the writer to the rollups, as many as one merge takes. Stops before the first block that has an
   * unknown feature of a newer release. A node of that release merges the rest.
   */
  merge(writer: JournalWriter): Promise<Merged>;
}

export interface Merged {
  /** The headers of the merged blocks; empty if another node merged them first. */
  readonly headers: readonly BlockHeader[];
  /**
   * True if no block is left that this release can merge. Blocks of a newer release with an unknown feature may remain.
   */
  readonly isAll: boolean;
}

/**
 * The approximate number of records of one merge, low enough for the deadline of the storage. `MAX_DELTAS` is the same
 * for deltas.
 */
const MAX_RECORDS = 1_000_000;
const MAX_DELTAS = 50_000;
const PIECE = 256;
const MAX_FOLDED = 20_000;

export function createMerger(
  context: Pick<Context, 'store' | 'clock'>,
  readBlock: ReadBlock,
  recent: RecentBlocks,
): Merger {
  const { journal } = context.store;
  const rollups = createRollupWriter();
  const fold = createFold();
  const blocks = createKnownBlocks(fold);
  const nextSlice = createTimeSlices();

  async function count(writer: JournalWriter): Promise<Counted> {
    // Counts of an earlier merge that failed are discarded: its blocks are counted again now.
    fold.take();
    rollups.take();
    const headers: BlockHeader[] = [];
    const direct: RollupDelta[] = [];
    let waiting: BlockHeader[] = [];
    let records = 0;
    blocks.begin();
    const countWaiting = async (): Promise<void> => {
      for (const block of await loadRecent(journal, recent, waiting)) {
        if (block === undefined) continue;
        await nextSlice();
        direct.push(...(readBlock(block, () => blocks.add(block)) ?? []));
        if (fold.size() >= MAX_FOLDED) await spread();
      }
      headers.push(...waiting);
      waiting = [];
    };
    for await (const header of unmergedOf(journal, writer)) {
      const last = waiting.at(-1) ?? headers.at(-1);
      if (waiting.length === MAX_LOADED_BLOCKS) await countWaiting();
      if (blocks.endsAt() !== undefined) break;
      if (
        last !== undefined &&
        last.seq !== header.seq &&
        (records >= MAX_RECORDS || rollups.pending() + fold.size() + direct.length >= MAX_DELTAS)
      ) {
        await countWaiting();
        await spread();
        return { headers, direct, to: last.seq };
      }
      waiting.push(header);
      records += header.records;
    }
    await countWaiting();
    await spread();
    return { headers, direct, to: writer.flushed };
  }

  async function spread(): Promise<void> {
    for (const { account_id, ...piece } of fold.take()) {
      await nextSlice();
      rollups.add(account_id, piece);
    }
  }

  return {
    async merge(givenWriter) {
      let writer = givenWriter;
      let counts = await count(writer);
      const end = blocks.endsAt();
      if (end !== undefined) {
        const { id, merged, seen_at } = givenWriter;
        writer = { id, merged, seen_at, flushed: end - 1 };
        if (writer.flushed <= writer.merged) return { headers: [], isAll: true };
        counts = await count(writer);
      }
      const { headers, direct, to } = counts;
      const deltas = await summed([...rollups.take(), ...direct], nextSlice);
      const merge = { writer: writer.id, from: writer.merged, to, at: now(context), rollups: deltas };
      const isMerged = await journal.merge(merge);
      return { headers: isMerged ? headers : [], isAll: to === writer.flushed };
    },
  };
}

async function* unmergedOf(
  journal: Pick<JournalStorage, 'filed'>,
  { id, merged, flushed }: JournalWriter,
): AsyncGenerator<BlockHeader> {
  const range = { writer: id, from: merged, to: flushed, limit: MAX_LISTED_BLOCKS };
  for (let headerAfter: BlockHeader | undefined, isOver = false; !isOver; ) {
    const page = await journal.filed(headerAfter === undefined ? range : { ...range, after: headerAfter });
    yield* page;
    headerAfter = page.at(-1);
    isOver = page.length < MAX_LISTED_BLOCKS;
  }
}

interface KnownBlocks {
  begin(): void;
  /**
   * Counts a block, and returns its dropped records and its reports of outcomes as deltas. If the block
   * cannot be read, throws without having counted a part of it.
   */
  add(block: Block): readonly RollupDelta[];
  /** Returns the number of the first flush with a block that this release does not understand completely. */
  endsAt(): number | undefined;
}

function createKnownBlocks(fold: ReturnType<typeof createFold>): KnownBlocks {
  let unknownIn: number | undefined;

  function open({ seq, data }: Block): BlockView | undefined {
    try {
      const view = openBlock(data);
      if (view.isKnown) return view;
    } catch (error) {
      if (!isNewerBlock(error)) throw error;
    }
    unknownIn = Math.min(seq, unknownIn ?? seq);
    return undefined;
  }

  return {
    begin() {
      unknownIn = undefined;
    },
    add(block) {
      const { account_id } = block;
      const view = open(block);
      if (view === undefined) return [];
      const direct = [...dropDeltas(account_id, view), ...outcomeDeltas(account_id, view)];
      fold.add(account_id, view);
      return direct;
    },
    endsAt: () => unknownIn,
  };
}

interface Counted {
  readonly headers: readonly BlockHeader[];
  readonly direct: readonly RollupDelta[];
  /** The number of the last flush. */
  readonly to: number;
}

function dropDeltas(account_id: string, { drops }: BlockView): readonly RollupDelta[] {
  return drops.map(({ at_ms, environment, count }) => {
    const minute = formatInstant(startOfMinute(at_ms));
    return { account_id, environment, minute, agent_id: '', kind: 'dropped', key: '', count };
  });
}

async function summed(
  deltas: readonly RollupDelta[],
  nextSlice: () => Promise<void>,
): Promise<readonly RollupDelta[]> {
  const sums = createDeltaSums();
  for (const [index, delta] of deltas.entries()) {
    if (index % PIECE === 0) await nextSlice();
    sums.add(delta);
  }
  return sums.all();
}

// Keeps the latest blocks that this process stored. Merges and compactions do not have to load them.

/** A cache of blocks by name. */
export interface RecentBlocks {
  add(block: Block): void;
  get(name: BlockName): Block | undefined;
  delete(name: BlockName): void;
}

const MAX_BYTES = 4_000_000;
const BLOCK_OVERHEAD = 1_000;

/** Creates an empty cache. */
export function createRecentBlocks(): RecentBlocks {
  const blocks = new LRUCache<string, Block>({ maxSize: MAX_BYTES, sizeCalculation: weightOf });
  return {
    add(block) {
      blocks.set(keyOf(block), block);
    },
    get: (name) => blocks.peek(keyOf(name)),
    delete(name) {
      blocks.delete(keyOf(name));
    },
  };
}

/**
 * Returns the blocks for some headers, from memory or from the storage. A removed block is `undefined`. Takes at most
 * as many headers as a `load` does.
 */
export async function loadRecent(
  journal: Pick<JournalStorage, 'load'>,
  recent: Pick<RecentBlocks, 'get'>,
  headers: readonly BlockHeader[],
): Promise<readonly (Block | undefined)[]> {
  // Looked up before the wait for the storage: meanwhile other blocks may push these out of the cache.
  const blocks = headers.map((header) => recent.get(header));
  const missing = headers.filter((_, index) => blocks[index] === undefined);
  const loadedBlocks = missing.length === 0 ? [] : await journal.load(missing);
  let next = 0;
  return blocks.map((block) => block ?? loadedBlocks[next++]);
}

function weightOf({ data, filter }: Block): number {
  return data.length + filter.length + BLOCK_OVERHEAD;
}

function keyOf({ writer, seq, account_id }: BlockName): string {
  return `${writer}.${seq}.${account_id}`;
}
