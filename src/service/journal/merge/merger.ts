/** Sums up what blocks count, behind the writers: exactly once, on whichever node. */
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
import { createPace } from './pace.ts';
import { loadRecent, type RecentBlocks } from './recent-blocks.ts';
import { createRollupWriter, sumDeltas } from './rollups.ts';

/** Merges the blocks of a writer. */
export interface Merger {
  /** Adds what the writer has filed to the sums: all of it, or as much as one merge sums up. */
  merge(writer: JournalWriter): Promise<Merged>;
}

/** What a merge has done. */
export interface Merged {
  /** The headers of the blocks that it has merged; none where another node was first. */
  readonly headers: readonly BlockHeader[];
  readonly isAll: boolean;
}

/** About how much one merge sums up, so that the storage has done it in time. */
const MAX_RECORDS = 1_000_000;
const MAX_DELTAS = 50_000;
/** How many counts of blocks are kept before they are spread over the sums. */
const MAX_FOLDED = 20_000;

/** A merger that reads blocks from memory where they are there. */
export function createMerger(context: Context, readBlock: ReadBlock, recent: RecentBlocks): Merger {
  const { journal } = context.store;
  const rollups = createRollupWriter();
  const fold = createFold();
  const pace = createPace();

  /** The headers of a writer that are not merged, by their flushes. */
  async function* unmergedOf({ id, merged, flushed }: JournalWriter): AsyncGenerator<BlockHeader> {
    const range = { writer: id, from: merged, to: flushed, limit: MAX_LISTED_BLOCKS };
    for (let after: BlockHeader | undefined, isOver = false; !isOver; ) {
      const page = await journal.filed(after === undefined ? range : { ...range, after });
      yield* page;
      after = page.at(-1);
      isOver = page.length < MAX_LISTED_BLOCKS;
    }
  }

  /** Counts whole flushes, as many as one merge sums up. */
  async function count(writer: JournalWriter): Promise<Counted> {
    // What an earlier merge that failed has counted is counted again now.
    fold.take();
    rollups.take();
    const headers: BlockHeader[] = [];
    const drops: RollupDelta[] = [];
    let waiting: BlockHeader[] = [];
    let records = 0;
    const countWaiting = async (): Promise<void> => {
      for (const block of await loadRecent(journal, recent, waiting)) {
        if (block === undefined) continue;
        await pace();
        drops.push(...(readBlock(block, () => addBlock(block)) ?? []));
        if (fold.size >= MAX_FOLDED) await spread();
      }
      headers.push(...waiting);
      waiting = [];
    };
    for await (const header of unmergedOf(writer)) {
      const last = waiting.at(-1) ?? headers.at(-1);
      if (waiting.length === MAX_LOADED_BLOCKS) await countWaiting();
      if (last !== undefined && last.seq !== header.seq) {
        if (records >= MAX_RECORDS || rollups.pending + fold.size >= MAX_DELTAS) {
          await countWaiting();
          await spread();
          return { headers, drops, to: last.seq };
        }
      }
      waiting.push(header);
      records += header.records;
    }
    await countWaiting();
    await spread();
    return { headers, drops, to: writer.flushed };
  }

  async function spread(): Promise<void> {
    for (const { account_id, ...piece } of fold.take()) {
      await pace();
      rollups.add(account_id, piece);
    }
  }

  /** Counts a block, all of it or nothing; its drops as deltas. */
  function addBlock({ account_id, data }: Block): readonly RollupDelta[] {
    const view = openBlock(data);
    const drops = dropDeltas(account_id, view);
    fold.add(account_id, view);
    return drops;
  }

  return {
    async merge(writer) {
      const { headers, drops, to } = await count(writer);
      const deltas = sumDeltas([...rollups.take(), ...drops]);
      const merge = { writer: writer.id, from: writer.merged, to, at: now(context), rollups: deltas };
      const isMerged = await journal.merge(merge);
      return { headers: isMerged ? headers : [], isAll: to === writer.flushed };
    },
  };
}

/** Whole flushes of a writer that were counted. */
interface Counted {
  readonly headers: readonly BlockHeader[];
  /** The drops that their blocks record. */
  readonly drops: readonly RollupDelta[];
  /** The last of the flushes. */
  readonly to: number;
}

/** The drops that a block records, as what they add to the rollups. */
function dropDeltas(account_id: string, { drops }: BlockView): readonly RollupDelta[] {
  return drops.map(({ at_ms, environment, count }) => {
    const minute = formatInstant(startOfMinute(at_ms));
    return { account_id, environment, minute, agent_id: '', kind: 'dropped', key: '', count };
  });
}
