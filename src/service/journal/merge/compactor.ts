/** Joins several small blocks into one, so that an account with little traffic has few blocks. */
import {
  type BlockView,
  mergedRecords,
  namedBlock,
  openBlock,
  packOutcomes,
  packRecords,
  type SealedBlock,
} from '../../../blocks/index.ts';
import {
  BLOCK_FLAGS,
  type Block,
  type BlockHeader,
  type JournalStorage,
  MAX_BLOCK_SPAN_MS,
} from '../../../ports/journal.ts';
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
/** The number of records from which on a block is not joined any more. */
const SMALL = 1_024;
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
    if (header.records >= SMALL || level >= MAX_LEVEL) return;
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
    const into = join(blocks);
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

function isOfOutcomes({ flags }: BlockHeader): boolean {
  return (flags & BLOCK_FLAGS.outcomes) !== 0;
}

/** Returns the power of `GROUP` that the number of records reaches. */
function levelOf({ records }: BlockHeader): number {
  return Math.floor(Math.log2(Math.max(records, 1)) / Math.log2(GROUP));
}

/** Names the blocks that may become one: reports of outcomes share a block only within one hour of verdicts. */
function kindOf(header: BlockHeader): string {
  return isOfOutcomes(header) ? `outcomes ${Math.floor(header.from_ms / MAX_BLOCK_SPAN_MS)}` : 'records';
}

function pack(views: readonly BlockView[]): readonly SealedBlock[] {
  const reports = views.flatMap(({ outcomes }) =>
    Array.from({ length: outcomes.length }, (_, place) => outcomes.report(place)),
  );
  if (reports.length > 0) return packOutcomes(reports).map(({ block }) => block);
  return packRecords(
    mergedRecords(views),
    views.flatMap((view) => view.drops),
  );
}

/** Joins blocks under the name of the last one; `undefined` if they do not fit into one, or one is damaged. */
function join(blocks: readonly Block[]): Block | undefined {
  const last = blocks.reduce((latest, block) => (block.seq > latest.seq ? block : latest));
  try {
    const views: readonly BlockView[] = blocks.map(({ data, erasable }) => openBlock(data, erasable));
    if (!views.every(isPackable)) return undefined;
    const packed = pack(views);
    const [content] = packed;
    if (content === undefined || packed.length > 1) return undefined;
    return namedBlock(content, last, erasedOfJoined(blocks));
  } catch {
    // A damaged block stays as it is; readers log it.
    return undefined;
  }
}

/** Says whether records carry all of a block, and whether it says which intents named an approval. */
function isPackable({ isCarried, hasApprovals, subjects }: BlockView): boolean {
  return isCarried && hasApprovals && !subjects.isLost;
}

/** Returns a number that no block of these names has had: who erases a text of one of them has to read it again. */
function erasedOfJoined(blocks: readonly Block[]): number {
  const hasTexts = blocks.some(({ erasable }) => erasable !== undefined);
  return hasTexts ? 1 + Math.max(...blocks.map(({ erased }) => erased)) : 0;
}
