/** Verdicts on their way into the storage, each account in a lane of its own: one that floods takes no place from others. */
import { storableText } from '../../base/flatten-string.ts';
import { type BlockBuilder, createBlockBuilder, openBlock, type SealedBlock } from '../../blocks/index.ts';
import type { VerdictRecord } from '../../records.ts';
import { createDropCounts, type DropCounts, dropsOf } from './drop-counts.ts';

/** Hears what becomes of a record; there is one for each record of a strict journal, and none otherwise. */
export interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A block that waits to be filed. */
export interface WaitingBlock extends SealedBlock {
  readonly account_id: string;
  readonly waiters: readonly Waiter[];
  /** Its place among all blocks that were ever sealed here: 1, 2, 3 … */
  readonly number: number;
}

/** The lanes of all accounts. */
export interface Lanes {
  /** How many records and drops wait, sealed or not. */
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

interface Lane {
  readonly account_id: string;
  readonly builder: BlockBuilder;
  readonly drops: DropCounts;
  waiters: Waiter[];
  sealed: WaitingBlock[];
  /** Of the sealed blocks. */
  bytes: number;
}

/** How much of sealed blocks waits at most, in bytes: more than a million records. */
const MAX_BYTES = 32_000_000;
/** What a block weighs besides its bytes. */
const BLOCK_OVERHEAD = 500;
/** How many bytes one flush holds, unless a single block has more. */
const MAX_FLUSH_BYTES = 1_000_000;
/** How many builders are kept for the next account that comes. */
const MAX_SPARE = 64;

/** Empty lanes; `onDrop` hears how many records lost their place, whose waiters are rejected with `lost()`. */
export function createLanes(
  maxBlocks: number,
  { onDrop, lost }: { readonly onDrop: (records: number) => void; readonly lost: () => Error },
): Lanes {
  const lanes = new Map<string, Lane>();
  const spare: BlockBuilder[] = [];
  let last: Lane | undefined;
  let bytes = 0;
  let records = 0;
  let sealed = 0;

  function laneOf(account_id: string): Lane {
    if (last?.account_id === account_id) return last;
    last = lanes.get(account_id) ?? addLane(account_id);
    return last;
  }

  function addLane(name: string): Lane {
    const account_id = storableText(name);
    const known = lanes.get(account_id);
    if (known !== undefined) return known;
    const builder = spare.pop() ?? createBlockBuilder();
    const lane = { account_id, builder, drops: createDropCounts(), waiters: [], sealed: [], bytes: 0 };
    lanes.set(account_id, lane);
    return lane;
  }

  /** A lane without anything is none. */
  function tidy(lane: Lane): void {
    if (lane.builder.length + lane.sealed.length > 0 || !lane.drops.isEmpty) return;
    lanes.delete(lane.account_id);
    if (last === lane) last = undefined;
    if (spare.length < MAX_SPARE) spare.push(lane.builder);
  }

  function sealLane(lane: Lane, mayTell: boolean): void {
    const tellsDrops = !lane.drops.isEmpty && mayTell;
    if (lane.builder.length === 0 && !tellsDrops) return;
    sealed += 1;
    const { account_id, waiters } = lane;
    const content = lane.builder.seal(tellsDrops ? lane.drops.take() : []);
    lane.waiters = [];
    lane.sealed.push({ ...content, account_id, waiters, number: sealed });
    weigh(lane, weightOf(content));
    while (bytes > MAX_BYTES) dropFrom(largestLane());
  }

  function weigh(lane: Lane, by: number): void {
    lane.bytes += by;
    bytes += by;
  }

  function hasRoom(): boolean {
    return bytes < MAX_BYTES / 2;
  }

  function largestLane(): Lane {
    return [...lanes.values()].reduce((largest, lane) => (lane.bytes > largest.bytes ? lane : largest));
  }

  /** The latest block of an account loses its place. */
  function dropFrom(lane: Lane): void {
    const block = lane.sealed.pop();
    if (block === undefined) return;
    weigh(lane, -weightOf(block));
    records -= block.records;
    drop(block, lost());
    onDrop(block.records);
  }

  function drop(block: WaitingBlock, error: unknown): void {
    for (const waiter of block.waiters) waiter.reject(error);
    if (block.waiters.length > 0) return;
    const lane = laneOf(block.account_id);
    for (const dropped of dropsOf(openBlock(block.data))) lane.drops.add(dropped);
  }

  return {
    get isEmpty() {
      return lanes.size === 0;
    },
    get records() {
      return records;
    },
    get hasSealed() {
      return bytes > 0;
    },
    get hasRoom() {
      return hasRoom();
    },
    push(record, account_id, bucket, waiter) {
      const lane = laneOf(account_id);
      const before = sealed;
      if (!lane.builder.push(record, bucket)) {
        sealLane(lane, hasRoom());
        laneOf(account_id).builder.push(record, bucket);
      }
      if (waiter !== undefined) lane.waiters.push(waiter);
      records += 1;
      return sealed > before;
    },
    seal(account_id) {
      const chosen = account_id === undefined ? [...lanes.values()] : [lanes.get(account_id)];
      // Who asks for an account wants to hear of its drops now; otherwise they wait until there is room again.
      const mayTell = account_id !== undefined || hasRoom();
      for (const lane of chosen) if (lane !== undefined) sealLane(lane, mayTell);
      return sealed;
    },
    firstOf: (account_id) => lanes.get(account_id)?.sealed[0]?.number,
    take() {
      const taken: WaitingBlock[] = [];
      let size = 0;
      for (const lane of lanes.values()) {
        const [first] = lane.sealed;
        if (first === undefined) continue;
        if (taken.length > 0 && size + weightOf(first) > MAX_FLUSH_BYTES) break;
        lane.sealed.shift();
        weigh(lane, -weightOf(first));
        records -= first.records;
        size += weightOf(first);
        taken.push(first);
        if (taken.length === maxBlocks) break;
      }
      // Who was served stands behind who was not.
      for (const { account_id } of taken) {
        const lane = lanes.get(account_id) as Lane;
        lanes.delete(account_id);
        lanes.set(account_id, lane);
        tidy(lane);
      }
      return taken;
    },
    drop,
    clear() {
      const all: WaitingBlock[] = [];
      for (const lane of lanes.values()) {
        if (lane.builder.length > 0) sealLane(lane, false);
        all.push(...lane.sealed);
      }
      lanes.clear();
      last = undefined;
      bytes = 0;
      records = 0;
      return all;
    },
  };
}

function weightOf({ data, filter }: SealedBlock): number {
  return data.length + filter.length + BLOCK_OVERHEAD;
}
