/** Queues sealed blocks up to a maximum number of bytes. Accounts take turns. */
import type { SealedBlock } from '../../../journal-format/index.ts';

/** A block with its number. Blocks are numbered in the order in which they were sealed. */
export interface NumberedBlock extends SealedBlock {
  readonly account_id: string;
  readonly number: number;
  /** The number of reports of outcomes in the block; 0 for a block of records. */
  readonly reports: number;
}

/** The sealed blocks of all accounts. */
export interface SealedQueue<Block extends NumberedBlock> {
  isEmpty(): boolean;
  records(): number;
  /** Returns `true` if the queue is less than half full. */
  hasRoom(): boolean;
  add(block: Block): void;
  /** Removes and returns the latest block of the account with the most bytes, if the queue is too large. */
  shed(): Block | undefined;
  /** Returns the number of the first block of an account. */
  firstOf(account_id: string): number | undefined;
  /** Removes and returns the first block of each account, as many as fit into one flush. */
  take(): readonly Block[];
  takeAll(): readonly Block[];
}

/** The maximum number of waiting bytes, enough for more than a million records. */
const MAX_BYTES = 32_000_000;
const BLOCK_OVERHEAD = 500;
const MAX_FLUSH_BYTES = 1_000_000;

interface Line<Block> {
  readonly account_id: string;
  readonly blocks: Block[];
  bytes: number;
}

/** Creates an empty queue. A flush takes at most `maxBlocks` blocks. */
export function createSealedQueue<Block extends NumberedBlock>(maxBlocks: number): SealedQueue<Block> {
  const lines = new Map<string, Line<Block>>();
  let bytes = 0;
  let records = 0;

  function weigh(line: Line<Block>, block: Block, sign: 1 | -1): void {
    line.bytes += sign * weightOf(block);
    bytes += sign * weightOf(block);
    records += sign * sizeOf(block);
    if (line.blocks.length === 0) lines.delete(line.account_id);
  }

  function largest(): Line<Block> {
    return [...lines.values()].reduce((longestLine, line) =>
      line.bytes > longestLine.bytes ? line : longestLine,
    );
  }

  return {
    isEmpty: () => lines.size === 0,
    records: () => records,
    hasRoom: () => bytes < MAX_BYTES / 2,
    add(block) {
      const { account_id } = block;
      const line = lines.get(account_id) ?? { account_id, blocks: [], bytes: 0 };
      lines.set(account_id, line);
      line.blocks.push(block);
      weigh(line, block, 1);
    },
    shed() {
      if (bytes <= MAX_BYTES) return undefined;
      const line = largest();
      const block = line.blocks.pop();
      if (block !== undefined) weigh(line, block, -1);
      return block;
    },
    firstOf: (account_id) => lines.get(account_id)?.blocks[0]?.number,
    take() {
      const takenList: Block[] = [];
      let size = 0;
      for (const line of [...lines.values()].slice(0, maxBlocks)) {
        const block = line.blocks[0] as Block;
        if (takenList.length > 0 && size + weightOf(block) > MAX_FLUSH_BYTES) break;
        line.blocks.shift();
        size += weightOf(block);
        takenList.push(block);
        // An account that was served moves to the end of the line.
        lines.delete(line.account_id);
        lines.set(line.account_id, line);
        weigh(line, block, -1);
      }
      return takenList;
    },
    takeAll() {
      const list = [...lines.values()].flatMap((line) => line.blocks);
      lines.clear();
      bytes = 0;
      records = 0;
      return list;
    },
  };
}

export function sizeOf({ records, reports }: NumberedBlock): number {
  return records + reports;
}

function weightOf({ data, filter }: SealedBlock): number {
  return data.length + filter.length + BLOCK_OVERHEAD;
}
