/** Adds the counts of filed blocks to the rollups: each block exactly once, on any node. */
import { formatInstant } from '../../../base/values/instant.ts';
import { type BlockView, createFold, openBlock, startOfMinute } from '../../../blocks/index.ts';
import {
  type Block,
  type BlockHeader,
  type JournalWriter,
  MAX_LISTED_BLOCKS,
  MAX_LOADED_BLOCKS,
  type RollupDelta,
} from '../../../ports/journal.ts';
import { type Context, now } from '../../shared/context.ts';
import type { ReadBlock } from '../damage.ts';
import { outcomeDeltas } from './outcome-deltas.ts';
import { loadRecent, type RecentBlocks } from './recent-blocks.ts';
import { createRollupWriter, sumDeltas } from './rollups.ts';
import { createTimeSlices } from './time-slices.ts';

/** Merges the blocks of a writer. */
export interface Merger {
  /** Adds the blocks of the writer to the rollups: all, or as many as one merge takes. */
  merge(writer: JournalWriter): Promise<Merged>;
}

/** The result of a merge. */
export interface Merged {
  /** The headers of the merged blocks; empty if another node was first. */
  readonly headers: readonly BlockHeader[];
  readonly isAll: boolean;
}

/** The approximate size of one merge, so that the storage finishes it within its deadline. */
const MAX_RECORDS = 1_000_000;
const MAX_DELTAS = 50_000;
/** The number of counts that are folded before they are added to the groups. */
const MAX_FOLDED = 20_000;

/** Creates a merger that uses the blocks in `recent` and loads the others. */
export function createMerger(context: Context, readBlock: ReadBlock, recent: RecentBlocks): Merger {
  const { journal } = context.store;
  const rollups = createRollupWriter();
  const fold = createFold();
  const nextSlice = createTimeSlices();

  /** Yields the headers of the blocks of a writer that are not merged, in the order of their flushes. */
  async function* unmergedOf({ id, merged, flushed }: JournalWriter): AsyncGenerator<BlockHeader> {
    const range = { writer: id, from: merged, to: flushed, limit: MAX_LISTED_BLOCKS };
    for (let after: BlockHeader | undefined, isOver = false; !isOver; ) {
      const page = await journal.filed(after === undefined ? range : { ...range, after });
      yield* page;
      after = page.at(-1);
      isOver = page.length < MAX_LISTED_BLOCKS;
    }
  }

  /** Counts whole flushes, as many as one merge takes. */
  async function count(writer: JournalWriter): Promise<Counted> {
    // Counts of an earlier merge that failed are discarded: its blocks are counted again now.
    fold.take();
    rollups.take();
    const headers: BlockHeader[] = [];
    const direct: RollupDelta[] = [];
    let waiting: BlockHeader[] = [];
    let records = 0;
    const countWaiting = async (): Promise<void> => {
      for (const block of await loadRecent(journal, recent, waiting)) {
        if (block === undefined) continue;
        await nextSlice();
        direct.push(...(readBlock(block, () => addBlock(block)) ?? []));
        if (fold.size >= MAX_FOLDED) await spread();
      }
      headers.push(...waiting);
      waiting = [];
    };
    for await (const header of unmergedOf(writer)) {
      const last = waiting.at(-1) ?? headers.at(-1);
      if (waiting.length === MAX_LOADED_BLOCKS) await countWaiting();
      if (last !== undefined && last.seq !== header.seq) {
        if (records >= MAX_RECORDS || rollups.pending + fold.size + direct.length >= MAX_DELTAS) {
          await countWaiting();
          await spread();
          return { headers, direct, to: last.seq };
        }
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

  /** Counts a block, or throws before anything is counted; returns its drops as deltas. */
  function addBlock({ account_id, data }: Block): readonly RollupDelta[] {
    const view = openBlock(data);
    const direct = [...dropDeltas(account_id, view), ...outcomeDeltas(account_id, view)];
    fold.add(account_id, view);
    return direct;
  }

  return {
    async merge(writer) {
      const { headers, direct, to } = await count(writer);
      const deltas = sumDeltas([...rollups.take(), ...direct]);
      const merge = { writer: writer.id, from: writer.merged, to, at: now(context), rollups: deltas };
      const isMerged = await journal.merge(merge);
      return { headers: isMerged ? headers : [], isAll: to === writer.flushed };
    },
  };
}

/** The flushes of a writer that were counted. */
interface Counted {
  readonly headers: readonly BlockHeader[];
  /** The drops that the blocks record, as deltas. */
  readonly direct: readonly RollupDelta[];
  /** The number of the last flush. */
  readonly to: number;
}

/** Returns the drops that a block records as deltas of rollups. */
function dropDeltas(account_id: string, { drops }: BlockView): readonly RollupDelta[] {
  return drops.map(({ at_ms, environment, count }) => {
    const minute = formatInstant(startOfMinute(at_ms));
    return { account_id, environment, minute, agent_id: '', kind: 'dropped', key: '', count };
  });
}
