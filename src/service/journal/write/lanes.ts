/** Verdicts on their way into the storage, each account in a lane of its own: one that floods takes no place from others. */
import { storableText } from '../../../base/bytes/flatten-string.ts';
import { type BlockBuilder, createBlockBuilder, createByteWriter, openBlock } from '../../../blocks/index.ts';
import type { VerdictRecord } from '../../../records.ts';
import { createDropCounts, type DropCounts, dropsOf } from './drop-counts.ts';
import { createSealedQueue, type NumberedBlock } from './sealed-queue.ts';

/** Hears what becomes of a record; there is one for each record of a strict journal, and none otherwise. */
export interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A block that waits to be filed. */
export interface WaitingBlock extends NumberedBlock {
  readonly waiters: readonly Waiter[];
}

/** The lanes of all accounts. */
export interface Lanes {
  /** Whether no record and no drop waits, sealed or not. */
  readonly isEmpty: boolean;
  /** How many records wait. */
  readonly records: number;
  /** Whether a block is ready to be filed. */
  readonly hasSealed: boolean;
  /** Whether less than half of the room is taken. */
  readonly hasRoom: boolean;
  /** Takes in a record; whether that has sealed a block. */
  push(record: VerdictRecord, account_id: string, bucket: number, waiter?: Waiter): boolean;
  /** Seals what an account has, by default every account; the number of the last block that is sealed now. */
  seal(account_id?: string): number;
  /** The number of the first block of an account that waits. */
  firstOf(account_id: string): number | undefined;
  /** Takes the first block of each account, as many as one flush holds. */
  take(): readonly WaitingBlock[];
  /**
   * A block is given up: its waiters are rejected; records without a waiter, whose verdicts were answered, become drops
   * of their account.
   */
  drop(block: WaitingBlock, error: unknown): void;
  /** Takes all that waits, to be given up for good. */
  clear(): readonly WaitingBlock[];
}

/** What an account has that is in no sealed block yet. */
interface Lane {
  readonly account_id: string;
  readonly builder: BlockBuilder;
  readonly drops: DropCounts;
  waiters: Waiter[];
}

/** How many builders are kept for the next account that comes. */
const MAX_SPARE = 16;

/** Empty lanes; `onDrop` gets the number of records that lost their place, whose waiters are rejected with `lost()`. */
export function createLanes(
  maxBlocks: number,
  { onDrop, lost }: { readonly onDrop: (records: number) => void; readonly lost: () => Error },
): Lanes {
  const queue = createSealedQueue<WaitingBlock>(maxBlocks);
  const table = createLaneTable();
  let sealed = 0;
  /** Records that are in no sealed block. */
  let building = 0;

  function sealLane(lane: Lane, mayTell: boolean): void {
    const tellsDrops = !lane.drops.isEmpty && mayTell;
    if (lane.builder.length === 0 && !tellsDrops) return;
    sealed += 1;
    const { account_id, waiters } = lane;
    const content = lane.builder.seal(tellsDrops ? lane.drops.take() : []);
    building -= content.records;
    lane.waiters = [];
    table.tidy(lane);
    queue.add({ account_id, waiters, number: sealed, ...content });
    for (let block = queue.shed(); block !== undefined; block = queue.shed()) {
      drop(block, lost());
      onDrop(block.records);
    }
  }

  function drop(block: WaitingBlock, error: unknown): void {
    for (const waiter of block.waiters) waiter.reject(error);
    if (block.waiters.length > 0) return;
    const { drops } = table.of(block.account_id);
    for (const dropped of dropsOf(openBlock(block.data))) drops.add(dropped);
  }

  return {
    get isEmpty() {
      return table.isEmpty && queue.isEmpty;
    },
    get records() {
      return building + queue.records;
    },
    get hasSealed() {
      return !queue.isEmpty;
    },
    get hasRoom() {
      return queue.hasRoom;
    },
    push(record, account_id, bucket, waiter) {
      const before = sealed;
      let lane = table.of(account_id);
      if (!lane.builder.push(record, bucket)) {
        sealLane(lane, queue.hasRoom);
        lane = table.of(account_id);
        lane.builder.push(record, bucket);
      }
      if (waiter !== undefined) lane.waiters.push(waiter);
      building += 1;
      return sealed > before;
    },
    seal(account_id) {
      const chosen = account_id === undefined ? table.all() : [table.get(account_id)];
      // A caller who asks for an account is to see its drops now; otherwise they wait until there is room again.
      const mayTell = account_id !== undefined || queue.hasRoom;
      for (const lane of chosen) if (lane !== undefined) sealLane(lane, mayTell);
      return sealed;
    },
    firstOf: queue.firstOf,
    take: queue.take,
    drop,
    clear() {
      for (const lane of table.all()) if (lane.builder.length > 0) sealLane(lane, false);
      table.clear();
      return queue.takeAll();
    },
  };
}

/** The lanes by their accounts. */
interface LaneTable {
  readonly isEmpty: boolean;
  /** The lane of an account, made where it has none. */
  of(account_id: string): Lane;
  get(account_id: string): Lane | undefined;
  all(): readonly Lane[];
  /** Removes a lane that holds nothing. */
  tidy(lane: Lane): void;
  clear(): void;
}

function createLaneTable(): LaneTable {
  const lanes = new Map<string, Lane>();
  const spare: BlockBuilder[] = [];
  const scratch = createByteWriter();
  let last: Lane | undefined;
  /** The text that it was found by: passports of one account share theirs, and a text equals itself at once. */
  let lastName: string | undefined;

  function add(name: string): Lane {
    const account_id = storableText(name);
    const known = lanes.get(account_id);
    if (known !== undefined) return known;
    const builder = spare.pop() ?? createBlockBuilder(scratch);
    const lane = { account_id, builder, drops: createDropCounts(), waiters: [] };
    lanes.set(account_id, lane);
    return lane;
  }

  return {
    get isEmpty() {
      return lanes.size === 0;
    },
    of(account_id) {
      if (last !== undefined && lastName === account_id) return last;
      last = lanes.get(account_id) ?? add(account_id);
      lastName = account_id;
      return last;
    },
    get: (account_id) => lanes.get(account_id),
    all: () => [...lanes.values()],
    tidy(lane) {
      if (lane.builder.length > 0 || !lane.drops.isEmpty) return;
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
