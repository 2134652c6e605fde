/** Collects the records of each account in its own lane, so that one account cannot crowd out the others. */

import { steadyNow } from '../../../base/async/watch.ts';
import type { CountedId } from '../../../base/bytes/counted-ids.ts';
import { storableText } from '../../../base/bytes/flatten-string.ts';
import { RESOLUTION_MS } from '../../../base/values/time-buckets.ts';
import {
  type BlockBuilder,
  type BlockView,
  createBlockBuilder,
  createByteWriter,
  type Drop,
  type OutcomeReport,
  openBlock,
} from '../../../journal-format/index.ts';
import type { VerdictRecord } from '../../../records.ts';
import { createOutcomeLanes, type SealedOutcomes, type Waiter } from './outcome-lanes.ts';
import { createSealedQueue, type NumberedBlock, type SealedQueue, sizeOf } from './sealed-queue.ts';

/** A block that waits to be written. */
export interface WaitingBlock extends NumberedBlock {
  readonly waiters: readonly Waiter[];
}

/** The lanes of all accounts. A lane collects the records of one account. */
export interface Lanes {
  /** Returns `true` if no record waits and no dropped record is uncounted. */
  isEmpty(): boolean;
  records(): number;
  /** Returns `true` if a block is ready to be written. */
  hasSealed(): boolean;
  /** Returns `true` if the queue is less than half full. */
  hasRoom(): boolean;
  /** Adds a record; returns `true` if this sealed a block. `id` has the parts of its decision id, if they are known. */
  push(record: VerdictRecord, account_id: string, bucket: number, id?: CountedId, waiter?: Waiter): boolean;
  /** Adds a report of an outcome; returns `true` if this sealed a block. */
  pushOutcome(report: OutcomeReport, account_id: string, waiter?: Waiter): boolean;
  /**
   * Seals the records and reports of one account, or of all accounts. Returns the number of the last sealed block. If
   * the reports of an account would fill too many small blocks, they wait.
   */
  seal(account_id?: string): number;
  /**
   * Seals the open blocks. If an account has filled a block since the last call, its next block is probably
   * filled soon. This block stays open for up to `maxMs`. Returns the milliseconds until the first open block
   * is due, or `undefined` if there is none.
   */
  sealDue(maxMs: number): number | undefined;
  /** Returns the number of the first waiting block of an account. */
  firstOf(account_id: string): number | undefined;
  /** Removes and returns the first block of each account, as many as fit into one flush. */
  take(): readonly WaitingBlock[];
  /** Drops a block. Rejects its waiters; if it has no waiters, counts its records as drops of the account. */
  drop(block: WaitingBlock, error: unknown): void;
  clear(): readonly WaitingBlock[];
}

interface Lane {
  readonly account_id: string;
  readonly builder: BlockBuilder;
  readonly drops: DropCounts;
  waiters: Waiter[];
  /** The time at which the lane last filled a block; `undefined` if it filled none since the last check. */
  filledAt: number | undefined;
}

/** The functions to call for dropped blocks. */
interface Losses {
  readonly onDrop: (records: number) => void;
  readonly lost: () => Error;
}

const MAX_SPARE = 16;

/**
 * Creates empty lanes. If a block is dropped, its waiters are rejected with `lost()`, and `onDrop` gets its number of
 * records.
 */
export function createLanes(maxBlocks: number, losses: Losses): Lanes {
  const queue = createSealedQueue<WaitingBlock>(maxBlocks);
  const table = createLaneTable();
  const outcomes = createOutcomeLanes();
  const blocks = createDropping(queue, table, losses);
  let building = 0;

  function sealLane(lane: Lane, mayTell: boolean): void {
    const tellsDrops = !lane.drops.isEmpty() && mayTell;
    if (lane.builder.length() === 0 && !tellsDrops) return;
    const { account_id, waiters } = lane;
    const content = lane.builder.seal(tellsDrops ? lane.drops.take() : []);
    building -= content.records;
    lane.waiters = [];
    table.tidy(lane);
    blocks.add({ account_id, waiters, reports: 0, ...content });
  }

  function addOutcomes(sealedOutcomes: readonly SealedOutcomes[]): void {
    for (const { block, ...otherFields } of sealedOutcomes) blocks.add({ ...otherFields, ...block });
  }

  return {
    isEmpty: () => table.isEmpty() && queue.isEmpty() && outcomes.length() === 0,
    records: () => building + queue.records() + outcomes.length(),
    hasSealed: () => !queue.isEmpty(),
    hasRoom: () => queue.hasRoom(),
    push(record, account_id, bucket, id, waiter) {
      const previous = blocks.sealed();
      let lane = table.of(account_id);
      if (!lane.builder.push(record, bucket, id)) {
        sealLane(lane, queue.hasRoom());
        lane = table.of(account_id);
        lane.filledAt = steadyNow();
        lane.builder.push(record, bucket, id);
      }
      if (waiter !== undefined) lane.waiters.push(waiter);
      building += 1;
      return blocks.sealed() > previous;
    },
    pushOutcome(report, account_id, waiter) {
      const result = outcomes.push(report, account_id, waiter);
      if (result === 'full') addOutcomes(outcomes.sealDue(account_id));
      if (result === 'lost') losses.onDrop(1);
      return result === 'full';
    },
    seal(account_id) {
      const chosenLanes = account_id === undefined ? table.all() : [table.get(account_id)];
      // Drops are recorded when the queue has room, or at once if the caller asks for one account.
      const mayTell = account_id !== undefined || queue.hasRoom();
      for (const lane of chosenLanes) if (lane !== undefined) sealLane(lane, mayTell);
      addOutcomes(account_id === undefined ? outcomes.sealAll() : outcomes.sealDue(account_id));
      return blocks.sealed();
    },
    sealDue(maxMs) {
      const { due, left } = dueOf(table.all(), maxMs);
      for (const lane of due) sealLane(lane, queue.hasRoom());
      addOutcomes(outcomes.sealDue());
      return left;
    },
    firstOf: queue.firstOf,
    take: queue.take,
    drop: blocks.drop,
    clear() {
      for (const lane of table.all()) if (lane.builder.length() > 0) sealLane(lane, false);
      addOutcomes(outcomes.sealAll());
      table.clear();
      return queue.takeAll();
    },
  };
}

function dueOf(lanes: readonly Lane[], maxMs: number): { due: readonly Lane[]; left: number | undefined } {
  const now = steadyNow();
  const due: Lane[] = [];
  let restMs: number | undefined;
  for (const lane of lanes) {
    const leftMs = (lane.filledAt ?? Number.NEGATIVE_INFINITY) + maxMs - now;
    lane.filledAt = undefined;
    if (leftMs > 0) restMs = Math.min(leftMs, restMs ?? leftMs);
    else due.push(lane);
  }
  return { due, left: restMs };
}

interface Dropping extends Pick<Lanes, 'drop'> {
  sealed(): number;
  add(block: Omit<WaitingBlock, 'number'>): void;
}

function createDropping(
  queue: SealedQueue<WaitingBlock>,
  table: LaneTable,
  { onDrop, lost }: Losses,
): Dropping {
  function drop(block: WaitingBlock, error: unknown): void {
    for (const waiter of block.waiters) waiter.reject(error);
    // A lost report is no lost record: the sums of drops, and replays, speak of records.
    if (block.waiters.length > 0 || block.reports > 0) return;
    const { drops } = table.of(block.account_id);
    for (const drop of dropsOf(openBlock(block.data))) drops.add(drop);
  }

  let sealedCount = 0;

  return {
    sealed: () => sealedCount,
    drop,
    add(addedBlock) {
      sealedCount += 1;
      queue.add({ number: sealedCount, ...addedBlock });
      for (let block = queue.shed(); block !== undefined; block = queue.shed()) {
        drop(block, lost());
        onDrop(sizeOf(block));
      }
    },
  };
}

interface LaneTable {
  isEmpty(): boolean;
  of(account_id: string): Lane;
  get(account_id: string): Lane | undefined;
  all(): readonly Lane[];
  tidy(lane: Lane): void;
  clear(): void;
}

function createLaneTable(): LaneTable {
  const lanes = new Map<string, Lane>();
  const spare: BlockBuilder[] = [];
  const scratch = createByteWriter();
  let last: Lane | undefined;
  /**
   * The argument of the last look-up. The id of an account is always the same string object, and comparing a
   * string object with itself is fast.
   */
  let lastName: string | undefined;

  function add(name: string): Lane {
    const account_id = storableText(name);
    const knownLane = lanes.get(account_id);
    if (knownLane !== undefined) return knownLane;
    const builder = spare.pop() ?? createBlockBuilder(scratch);
    const lane: Lane = { account_id, builder, drops: createDropCounts(), waiters: [], filledAt: undefined };
    lanes.set(account_id, lane);
    return lane;
  }

  return {
    isEmpty: () => lanes.size === 0,
    of(account_id) {
      if (last !== undefined && lastName === account_id) return last;
      last = lanes.get(account_id) ?? add(account_id);
      lastName = account_id;
      return last;
    },
    get: (account_id) => lanes.get(account_id),
    all: () => [...lanes.values()],
    tidy(lane) {
      if (lane.builder.length() > 0 || !lane.drops.isEmpty()) return;
      lanes.delete(lane.account_id);
      if (last === lane) last = undefined;
      if (spare.length < MAX_SPARE) spare.push(lane.builder);
    },
    clear() {
      lanes.clear();
      last = undefined;
    },
  };
}

// Counts the dropped records of one account.

interface DropCounts {
  isEmpty(): boolean;
  add(drop: Drop): void;
  take(): readonly Drop[];
}

/**
 * Creates empty counts. Each hour and environment has one count, at the time of its latest drop. A long outage thus
 * does not fill the memory.
 */
function createDropCounts(): DropCounts {
  let counts = new Map<string, Drop>();
  return {
    isEmpty: () => counts.size === 0,
    add(drop) {
      const name = `${drop.environment} ${Math.floor(drop.at_ms / RESOLUTION_MS.hour)}`;
      const knownDrop = counts.get(name) ?? { ...drop, count: 0 };
      const at_ms = Math.max(knownDrop.at_ms, drop.at_ms);
      counts.set(name, { ...drop, at_ms, count: knownDrop.count + drop.count });
    },
    take() {
      const takenDrops = [...counts.values()];
      counts = new Map();
      return takenDrops;
    },
  };
}

/** Returns the drops that the loss of a block causes: its own records, and the drops that it lists. */
function dropsOf(view: BlockView): readonly Drop[] {
  const counts = createDropCounts();
  for (const drop of view.drops) counts.add(drop);
  const { numbers, values } = view.contexts;
  for (let place = 0; place < view.length; place += 1) {
    const environment = values[numbers[place] as number]?.environment ?? 'live';
    counts.add({ at_ms: view.times[place] as number, environment, count: 1 });
  }
  return counts.take();
}
