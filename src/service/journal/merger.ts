/** Sums up what blocks count, behind the writers: exactly once, whoever does it. */
import { formatInstant } from '../../base/instant.ts';
import { turn } from '../../base/turns.ts';
import { type BlockView, foldBlock, startOfMinute } from '../../blocks/index.ts';
import {
  type Block,
  type BlockHeader,
  type JournalWriter,
  MAX_LISTED_BLOCKS,
  MAX_LOADED_BLOCKS,
  type RollupDelta,
} from '../../ports/journal.ts';
import { type Context, now } from '../shared/context.ts';
import type { BlockOpener } from './damage.ts';
import type { RecentBlocks } from './recent-blocks.ts';
import { createRollupWriter, sumDeltas } from './rollups.ts';

/** Merges the blocks of a writer. */
export interface Merger {
  /** Adds what the writer has filed to the sums; the headers of the blocks that this call has merged. */
  merge(writer: JournalWriter): Promise<readonly BlockHeader[]>;
}

/** About how many records one merge sums up, so that it takes no longer than the storage allows. */
const MAX_RECORDS = 1_000_000;

/** Blocks of a writer, all of those up to a flush. */
interface Filed {
  readonly headers: readonly BlockHeader[];
  readonly to: number;
}

/** A merger that reads blocks from memory where they are there. */
export function createMerger(context: Context, opener: BlockOpener, recent: RecentBlocks): Merger {
  const { journal } = context.store;
  const rollups = createRollupWriter();

  /** Whole flushes from the first that is not merged on, about as many as one merge sums up. */
  async function filedBy({ id, merged, flushed }: JournalWriter): Promise<Filed> {
    const headers: BlockHeader[] = [];
    const range = { writer: id, from: merged, to: flushed, limit: MAX_LISTED_BLOCKS };
    for (let records = 0; records < MAX_RECORDS; ) {
      const last = headers.at(-1);
      const page = await journal.filed(last === undefined ? range : { ...range, after: last });
      headers.push(...page);
      if (page.length < MAX_LISTED_BLOCKS) return { headers, to: flushed };
      records += page.reduce((sum, header) => sum + Math.max(header.records, 1), 0);
    }
    // The last flush may go on behind the page: it waits, unless it is the only one.
    const end = headers.at(-1)?.seq ?? flushed;
    const whole = headers.filter(({ seq }) => seq < end);
    return whole.length > 0
      ? { headers: whole, to: end - 1 }
      : { headers: await restOf(id, merged, end), to: end };
  }

  /** A flush of more blocks than one merge sums up. */
  async function restOf(writer: string, from: number, to: number): Promise<readonly BlockHeader[]> {
    const headers: BlockHeader[] = [];
    for (;;) {
      const last = headers.at(-1);
      const range = { writer, from, to, limit: MAX_LISTED_BLOCKS };
      const page = await journal.filed(last === undefined ? range : { ...range, after: last });
      headers.push(...page);
      if (page.length < MAX_LISTED_BLOCKS) return headers;
    }
  }

  async function add(headers: readonly BlockHeader[]): Promise<readonly RollupDelta[]> {
    const drops: RollupDelta[] = [];
    for (let from = 0; from < headers.length; from += MAX_LOADED_BLOCKS) {
      for (const block of await load(headers.slice(from, from + MAX_LOADED_BLOCKS))) {
        await turn();
        drops.push(...(opener.open(block, (view) => addBlock(block.account_id, view)) ?? []));
      }
    }
    return drops;
  }

  async function load(headers: readonly BlockHeader[]): Promise<readonly Block[]> {
    const missing = headers.filter((header) => recent.get(header) === undefined);
    const loaded = missing.length === 0 ? [] : await journal.load(missing);
    return headers.flatMap((header) => recent.get(header) ?? loaded[missing.indexOf(header)] ?? []);
  }

  /** Counts a block, all of it or nothing; its drops as deltas. */
  function addBlock(account_id: string, view: BlockView): readonly RollupDelta[] {
    const minutes = foldBlock(view);
    const drops = dropDeltas(account_id, view);
    for (const minute of minutes) rollups.add(account_id, minute);
    return drops;
  }

  return {
    async merge(writer) {
      const { headers, to } = await filedBy(writer);
      // What an earlier merge that failed has counted is counted again now.
      rollups.take();
      const drops = await add(headers);
      const deltas = sumDeltas([...rollups.take(), ...drops]);
      const merge = { writer: writer.id, from: writer.merged, to, at: now(context), rollups: deltas };
      return (await journal.merge(merge)) ? headers : [];
    },
  };
}

/** The drops that a block tells of, as what they add to the rollups. */
export function dropDeltas(account_id: string, { drops }: BlockView): readonly RollupDelta[] {
  return drops.map(({ at_ms, environment, count }) => {
    const minute = formatInstant(startOfMinute(at_ms));
    return { account_id, environment, minute, agent_id: '', kind: 'dropped', key: '', count };
  });
}
