/** Joins several small blocks into one, so that an account with little traffic has few blocks. */
import { type BlockHeader, type JournalStorage, MAX_BLOCK_SPAN_MS } from '../../../ports/journal.ts';
import { isOfOutcomes, isSmall, joinBlocks, kindOf } from './join-blocks.ts';
import { loadRecent, type RecentBlocks } from './recent-blocks.ts';
import { createTimeSlices } from './time-slices.ts';

/** Compacts the blocks that this process filed. */
export interface Compactor {
  /** Notes blocks that were merged into the rollups and may be compacted. */
  note(headers: readonly BlockHeader[]): void;
  /** Compacts groups of blocks for about `budgetMs`. */
  run(budgetMs: number): Promise<void>;
}

/** The number of blocks that are joined into one. */
const GROUP = 8;
/** The number of times that reports of outcomes are rewritten: their headers do not say how many they are. */
const MAX_LEVEL = 4;
/** The maximum number of noted blocks, about 200 bytes each. Beyond it all notes are discarded. */
const MAX_NOTED = 50_000;

/** Creates a compactor without notes. */
export function createCompactor(journal: JournalStorage, recent: RecentBlocks): Compactor {
  let groups = new Map<string, BlockHeader[]>();
  let due: Group[] = [];
  let noted = 0;
  const nextSlice = createTimeSlices();

  /** Groups blocks of one account by size, so that each record is rewritten only a few times. */
  function note(header: BlockHeader, level = levelOf(header)): void {
    if (!isSmall(header) || level >= MAX_LEVEL) return;
    const name = `${level} ${kindOf(header)} ${header.writer} ${header.account_id}`;
    const group = groups.get(name) ?? [];
    const [first] = group;
    if (first !== undefined && header.to_ms - first.from_ms > MAX_BLOCK_SPAN_MS) {
      noted -= group.length;
      group.length = 0;
    }
    group.push(header);
    noted += 1;
    if (group.length === 1) groups.set(name, group);
    if (group.length < GROUP) return;
    groups.delete(name);
    due.push({ headers: group, level });
  }

  async function compact({ headers: group, level }: Group): Promise<void> {
    noted -= group.length;
    const loaded = await loadRecent(journal, recent, group);
    const blocks = loaded.filter((block) => block !== undefined);
    if (blocks.length < group.length) return;
    const into = await joinBlocks(blocks, nextSlice);
    if (into === undefined || !(await journal.compact(group, into))) return;
    for (const header of group) recent.delete(header);
    note(into, isOfOutcomes(into) ? level + 1 : levelOf(into));
  }

  return {
    note(headers) {
      for (const header of headers) note(header);
      if (noted <= MAX_NOTED) return;
      groups = new Map();
      due = [];
      noted = 0;
    },
    async run(budgetMs) {
      const end = performance.now() + budgetMs;
      while (performance.now() < end) {
        const group = due.shift();
        if (group === undefined) return;
        await nextSlice();
        await compact(group);
      }
    },
  };
}

/** Blocks that become one. */
interface Group {
  readonly headers: readonly BlockHeader[];
  readonly level: number;
}

/** Returns the power of `GROUP` that the number of records reaches. */
function levelOf({ records }: BlockHeader): number {
  return Math.floor(Math.log2(Math.max(records, 1)) / Math.log2(GROUP));
}
