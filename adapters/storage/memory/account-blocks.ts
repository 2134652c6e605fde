import { type Block, turn } from '../../../src/ports/index.ts';
import { comparePlaces, placeOfBlock } from './block-order.ts';

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
  replace(replaced: readonly Block[], by: Block): void;
  swap(block: Block, by: Block): void;
  remove(block: Block): void;
  setMerged(block: Block): void;
  /** Returns the oldest merged blocks of the account that can be removed so that at least `most` verdicts remain. */
  above(account_id: string, most: number): readonly Block[];
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
    const known = accounts.get(block.account_id);
    const account = known ?? { blocks: [], unmerged: new Set(), weight: 0 };
    if (known === undefined) accounts.set(block.account_id, account);
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
    replace(replaced, by) {
      for (const block of replaced) remove(block);
      put(by);
    },
    swap(block, by) {
      const account = accounts.get(block.account_id);
      if (account === undefined) return;
      account.blocks.splice(placeOfBlock(account.blocks, block), 1, by);
      if (account.unmerged.delete(block)) account.unmerged.add(by);
    },
    remove,
    setMerged: (block) => accounts.get(block.account_id)?.unmerged.delete(block),
    above(account_id, most) {
      const account = accounts.get(account_id);
      return account === undefined ? [] : oldestAbove(account, most);
    },
    async purge(beforeMs, limit, removeBlock) {
      let left = limit;
      let verdicts = 0;
      let looked = 0;
      for (const account of accounts.values()) {
        for (const block of oldestBefore(account, beforeMs, left)) {
          removeBlock(block);
          verdicts += weightOf(block);
          left -= 1;
        }
        if (left === 0) break;
        looked += 1;
        if (looked % MAX_ACCOUNTS === 0) await turn();
      }
      return verdicts;
    },
    clear: () => accounts.clear(),
  };
}

function oldestAbove({ blocks, unmerged, weight }: AccountBlocks, most: number): readonly Block[] {
  const found: Block[] = [];
  let left = weight;
  for (const block of blocks) {
    if (left <= most) break;
    if (unmerged.has(block)) continue;
    left -= weightOf(block);
    if (left < most) break;
    found.push(block);
  }
  return found;
}

function oldestBefore(
  { blocks, unmerged }: AccountBlocks,
  beforeMs: number,
  limit: number,
): readonly Block[] {
  const found: Block[] = [];
  for (const block of blocks) {
    if (block.to_ms >= beforeMs || found.length === limit) break;
    if (!unmerged.has(block)) found.push(block);
  }
  return found;
}
