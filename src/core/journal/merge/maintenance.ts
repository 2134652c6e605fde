/** Merges stored blocks into the rollups and compacts them. Both take only a small share of the time. */
import { describeCause } from '../../../errors.ts';
import {
  type Block,
  type BlockHeader,
  type JournalStorage,
  type JournalWriter,
  MAX_BLOCK_SPAN_MS,
  MAX_LISTED_WRITERS,
} from '../../../ports/journal.ts';
import type { Logger } from '../../../ports/storage.ts';
import type { Context } from '../../shared/context.ts';
import { createBlockReader } from '../damage.ts';
import { isOfOutcomes, isSmall, joinBlocks, kindOf } from './join-blocks.ts';
import { createMerger, createRecentBlocks, loadRecent, type Merger, type RecentBlocks } from './merger.ts';
import { createTimeSlices } from './time-slices.ts';

/** Merges and compacts blocks on a timer. */
export interface Maintenance {
  note(blocks: readonly Block[]): void;
  /** Says whether this process merges the blocks of a writer: its own writer, or a writer that no longer runs. */
  isOurs(writer: JournalWriter): boolean;
  /** Merges the stored blocks and stops the timer. */
  close(): Promise<void>;
}

/**
 * The shortest period between two merges. `MAX_PERIOD_MS` is the longest. Between these bounds, merges take at most
 * 1/SHARE of the time.
 */
const MIN_PERIOD_MS = 2_000;
const MAX_PERIOD_MS = 10_000;
const SHARE = 50;
const COMPACTION_MS = 200;
/**
 * The time after which a silent writer counts as gone, and any node merges its blocks. It is also the period of the
 * check.
 */
const GONE_MS = 60_000;

/** Creates the maintenance of the journal of one service, and starts its timer. */
export function createMaintenance(
  context: Pick<Context, 'store' | 'clock' | 'logState' | 'after' | 'log'>,
): Maintenance {
  const { store, after, clock, log, logState } = context;
  const recent = createRecentBlocks();
  const merger = createMerger(context, createBlockReader(log), recent);
  const compactor = createCompactor(store.journal, recent);
  const ownNames = new Set<string>();
  let hasNew = false;
  let period = MIN_PERIOD_MS;
  let running: Promise<void> = Promise.resolve();
  let cancel: () => void = after(GONE_MS, next);
  let isSoon = false;
  let isRunning = false;
  let isOut = false;
  let isClosed = false;

  function next(): void {
    isSoon = false;
    isRunning = true;
    running = run();
    void running.then(() => {
      isRunning = false;
      if (isClosed) return;
      isSoon = hasNew;
      cancel = after(hasNew ? period : GONE_MS, next);
    });
  }

  async function run(): Promise<void> {
    const startedAt = performance.now();
    hasNew = false;
    try {
      // With the logs on, a block is joined with others once, when it becomes final.
      const mayCompact = (await logState.refresh()) === undefined;
      if (await mergeAll(parts, mayCompact ? compactor.note : undefined)) hasNew = true;
      period = Math.min(Math.max((performance.now() - startedAt) * SHARE, MIN_PERIOD_MS), MAX_PERIOD_MS);
      if (mayCompact) await compactor.run(COMPACTION_MS);
      isOut = false;
    } catch (error) {
      hasNew = true;
      period = MAX_PERIOD_MS;
      if (!isOut) report(log, error);
      isOut = true;
    }
  }

  const isGone = (seenAt: string): boolean => clock.now() - Date.parse(seenAt) > GONE_MS;
  const isOurs = ({ id, seen_at }: JournalWriter): boolean => ownNames.has(id) || isGone(seen_at);

  const parts: MergeParts = { journal: store.journal, merger, isOurs };

  return {
    isOurs,
    note(blocks) {
      for (const block of blocks) {
        ownNames.add(block.writer);
        recent.add(block);
      }
      if (blocks.length === 0 || hasNew) return;
      hasNew = true;
      // A run schedules the next one itself. Two runs at once would share the counters of the merger.
      if (isSoon || isRunning || isClosed) return;
      cancel();
      isSoon = true;
      cancel = after(period, next);
    },
    async close() {
      isClosed = true;
      cancel();
      await running;
      if (hasNew && !isOut) await run();
    },
  };
}

interface MergeParts extends Pick<Maintenance, 'isOurs'> {
  readonly journal: Pick<JournalStorage, 'unmerged'>;
  readonly merger: Merger;
}

async function mergeAll(
  { journal, merger, isOurs }: MergeParts,
  note: ((headers: readonly BlockHeader[]) => void) | undefined,
): Promise<boolean> {
  let isLeft = false;
  for (let writerAfter: string | undefined, isOver = false; !isOver; ) {
    const page = { limit: MAX_LISTED_WRITERS, ...(writerAfter !== undefined && { after: writerAfter }) };
    const waiting = await journal.unmerged(page);
    for (const writer of waiting.filter(isOurs)) {
      const { headers, isAll } = await merger.merge(writer);
      note?.(headers);
      isLeft ||= !isAll;
    }
    writerAfter = waiting.at(-1)?.id;
    isOver = waiting.length < MAX_LISTED_WRITERS;
  }
  return isLeft;
}

function report(log: Logger, error: unknown): void {
  const message =
    'The sums of the journal could not be brought up to date; they are counted from its blocks.';
  log({ level: 'warn', event: 'journal_merge_failed', message, cause: describeCause(error) });
}

interface Compactor {
  /** Remembers merged blocks, which may now be compacted. */
  note(headers: readonly BlockHeader[]): void;
  /** Compacts groups of blocks for about `budgetMs` milliseconds. */
  run(budgetMs: number): Promise<void>;
}

/** The number of blocks that are joined into one block. */
const GROUP = 8;
/**
 * The maximum number of times that reports of outcomes are rewritten. Blocks of verdict records are no longer
 * rewritten once they have enough records. The header of a block of reports does not contain the number of
 * reports, so it needs this limit instead.
 */
const MAX_LEVEL = 4;
/** The maximum number of remembered blocks, about 200 bytes each. Beyond the maximum, all of them are forgotten. */
const MAX_NOTED = 50_000;

/** Creates a compactor that remembers no blocks yet. */
export function createCompactor(journal: JournalStorage, recent: RecentBlocks): Compactor {
  let groups = new Map<string, BlockHeader[]>();
  let due: Group[] = [];
  let notedCount = 0;
  const nextSlice = createTimeSlices();

  /** Groups the blocks of an account by size, so that each record is rewritten only a few times. */
  function note(header: BlockHeader, level = levelOf(header)): void {
    if (!isSmall(header) || level >= MAX_LEVEL) return;
    const name = `${level} ${kindOf(header)} ${header.writer} ${header.account_id}`;
    const group = groups.get(name) ?? [];
    const [first] = group;
    if (first !== undefined && header.to_ms - first.from_ms > MAX_BLOCK_SPAN_MS) {
      notedCount -= group.length;
      group.length = 0;
    }
    group.push(header);
    notedCount += 1;
    if (group.length === 1) groups.set(name, group);
    if (group.length < GROUP) return;
    groups.delete(name);
    due.push({ headers: group, level });
  }

  async function compact({ headers: group, level }: Group): Promise<void> {
    notedCount -= group.length;
    const loadedBlocks = await loadRecent(journal, recent, group);
    const blocks = loadedBlocks.filter((block) => block !== undefined);
    if (blocks.length < group.length) return;
    const targetBlock = await joinBlocks(blocks, nextSlice);
    if (targetBlock === undefined || !(await journal.compact(group, targetBlock))) return;
    for (const header of group) recent.delete(header);
    note(targetBlock, isOfOutcomes(targetBlock) ? level + 1 : levelOf(targetBlock));
  }

  return {
    note(headers) {
      for (const header of headers) note(header);
      if (notedCount <= MAX_NOTED) return;
      groups = new Map();
      due = [];
      notedCount = 0;
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

interface Group {
  readonly headers: readonly BlockHeader[];
  readonly level: number;
}

function levelOf({ records }: BlockHeader): number {
  return Math.floor(Math.log2(Math.max(records, 1)) / Math.log2(GROUP));
}
