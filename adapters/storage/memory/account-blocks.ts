import { type Block, turn } from '../../../src/ports/index.ts';
import { comparePlaces, placeOfBlock } from './text-order.ts';

export interface AccountBlocks {
  /** The blocks, which contain the verdict records, sorted by `to_ms`, `writer` and `seq`, the lowest first. */
  readonly blocks: Block[];
  /** The blocks that are not merged yet: the rollups (counts per minute, hour and day) do not include them. */
  readonly unmerged: Set<Block>;
  weight: number;
}

export interface Accounts {
  get(account_id: string): AccountBlocks | undefined;
  add(block: Block): void;
  replace(replacedBlocks: readonly Block[], block: Block): void;
  swap(block: Block, replacement: Block): void;
  remove(block: Block): void;
  setMerged(block: Block): void;
  /** Returns the oldest merged blocks of the account that can be removed so that at least `limit` verdicts remain. */
  above(account_id: string, limit: number): readonly Block[];
  purge(beforeMs: number, limit: number, removeBlock: (block: Block) => void): Promise<number>;
  clear(): void;
}

function weightOf({ records }: Block): number {
  return Math.max(1, records);
}

/** The number of accounts after which the loop yields to the event loop. */
const MAX_ACCOUNTS = 1_000;

export function createAccounts(): Accounts {
  const accounts = new Map<string, AccountBlocks>();

  function put(block: Block): AccountBlocks {
    const knownBlocks = accounts.get(block.account_id);
    const account = knownBlocks ?? { blocks: [], unmerged: new Set(), weight: 0 };
    if (knownBlocks === undefined) accounts.set(block.account_id, account);
    const { blocks } = account;
    const last = blocks.at(-1);
    // Most blocks arrive in order.
    if (last === undefined || comparePlaces(last, block) < 0) blocks.push(block);
    else blocks.splice(placeOfBlock(blocks, block), 0, block);
    account.weight += weightOf(block);
    return account;
  }

  function remove(block: Block): void {
    const account = accounts.get(block.account_id);
    if (account === undefined) return;
    account.blocks.splice(placeOfBlock(account.blocks, block), 1);
    account.unmerged.delete(block);
    account.weight -= weightOf(block);
    if (account.blocks.length === 0) accounts.delete(block.account_id);
  }

  return {
    get: (account_id) => accounts.get(account_id),
    add(block) {
      put(block).unmerged.add(block);
    },
    replace(replacedBlocks, replacement) {
      for (const block of replacedBlocks) remove(block);
      put(replacement);
    },
    swap(block, replacement) {
      const account = accounts.get(block.account_id);
      if (account === undefined) return;
      account.blocks.splice(placeOfBlock(account.blocks, block), 1, replacement);
      if (account.unmerged.delete(block)) account.unmerged.add(replacement);
    },
    remove,
    setMerged: (block) => accounts.get(block.account_id)?.unmerged.delete(block),
    above(account_id, limit) {
      const account = accounts.get(account_id);
      return account === undefined ? [] : oldestAbove(account, limit);
    },
    async purge(beforeMs, limit, removeBlock) {
      let leftLimit = limit;
      let verdicts = 0;
      let lookedCount = 0;
      for (const account of accounts.values()) {
        for (const block of oldestBefore(account, beforeMs, leftLimit)) {
          removeBlock(block);
          verdicts += weightOf(block);
          leftLimit -= 1;
        }
        if (leftLimit === 0) break;
        lookedCount += 1;
        if (lookedCount % MAX_ACCOUNTS === 0) await turn();
      }
      return verdicts;
    },
    clear: () => accounts.clear(),
  };
}

function oldestAbove({ blocks, unmerged, weight }: AccountBlocks, limit: number): readonly Block[] {
  const foundBlocks: Block[] = [];
  let leftWeight = weight;
  for (const block of blocks) {
    if (leftWeight <= limit) break;
    if (unmerged.has(block)) continue;
    leftWeight -= weightOf(block);
    if (leftWeight < limit) break;
    foundBlocks.push(block);
  }
  return foundBlocks;
}

function oldestBefore(
  { blocks, unmerged }: AccountBlocks,
  beforeMs: number,
  limit: number,
): readonly Block[] {
  const foundBlocks: Block[] = [];
  for (const block of blocks) {
    if (block.to_ms >= beforeMs || foundBlocks.length === limit) break;
    if (!unmerged.has(block)) foundBlocks.push(block);
  }
  return foundBlocks;
}
