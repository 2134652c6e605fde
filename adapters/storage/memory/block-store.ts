import {
  type Block,
  type BlockHeader,
  type BlockName,
  type FlushResult,
  type Instant,
  isFinal,
  type JournalFlush,
  type JournalMerge,
  keepsCounts,
  MAX_PURGED_BLOCKS,
} from '../../../src/ports/index.ts';
import { type AccountBlocks, createAccounts } from './account-blocks.ts';
import { compareText } from './text-order.ts';
import { createWriters, type Writers } from './writers.ts';

const MAX_VERDICTS = 1_000_000;

/** The blocks of every account, and the writers of the blocks. Each change is complete when its call returns. */
export interface BlockStore {
  readonly writers: Writers;
  account(account_id: string): AccountBlocks | undefined;
  open(id: string, instant: Instant): boolean;
  file(flush: JournalFlush): FlushResult;
  /**
   * Calls `count`, then sets the `merged` number of the writer to the end of the merge. Blocks up to this number are
   * counted in the rollups. If the number is not the start of the merge, returns `false` and changes nothing.
   */
  merge(merge: Omit<JournalMerge, 'rollups'>, count: () => void): boolean;
  compact(headers: readonly BlockHeader[], targetBlock: Block): boolean;
  /**
   * Replaces or removes a block, and calls `count` before that. Returns `false` unless the block is merged and
   * unchanged since it was read.
   */
  rewrite(block: Block, targetBlock: Block | undefined, count: () => void): boolean;
  eraseTexts(name: BlockName, erasedCount: number, erasable: Uint8Array): boolean;
  erase(account_id: string): boolean;
  /** Returns the instant since which the account has all its blocks; `undefined` if none was removed. */
  completeSince(account_id: string): Instant | undefined;
  purge(cutoff: Instant): Promise<number>;
  clear(): void;
}

export function createBlockStore(): BlockStore {
  const accounts = createAccounts();
  const writers = createWriters();
  const completeSince = new Map<string, Instant>();

  function remove(block: Block): true {
    accounts.remove(block);
    writers.remove(block);
    return true;
  }

  /**
   * Removes blocks above the limit, and stores the instant since which the account has all its verdicts. The instant is
   * one millisecond after the end of the removed blocks. The blocks that remain may end in the same millisecond.
   */
  function letGo(account_id: string): void {
    for (const block of accounts.above(account_id, MAX_VERDICTS)) {
      remove(block);
      noteLatest(completeSince, account_id, new Date(block.to_ms + 1).toISOString());
    }
  }

  return {
    writers,
    account: accounts.get,
    open: (id, instant) => openWriter(writers, id, instant),
    file({ writer: id, seq, first = seq, at, blocks }) {
      const writer = writers.get(id);
      if (writer === undefined) return 'unknown_writer';
      if (first <= writer.flushed) return 'known';
      const sortedBlocks = sortedCopies(blocks);
      writers.add(sortedBlocks);
      for (const block of sortedBlocks) accounts.add(block);
      writers.set({ ...writer, flushed: seq, seen_at: at });
      return 'filed';
    },
    merge({ writer: id, from, to, at }, count) {
      const writer = writers.get(id);
      if (writer?.merged !== from) return false;
      count();
      writers.set({ ...writer, merged: to, seen_at: at });
      const mergedBlocks = writers.between(id, from, to);
      for (const block of mergedBlocks) accounts.setMerged(block);
      for (const account_id of new Set(mergedBlocks.map((block) => block.account_id))) letGo(account_id);
      return true;
    },
    ...createReplacements({ accounts, writers, remove }),
    erase(account_id) {
      for (const block of accounts.get(account_id)?.blocks.slice(0, MAX_PURGED_BLOCKS) ?? []) remove(block);
      const isMore = accounts.get(account_id) !== undefined;
      if (!isMore) completeSince.delete(account_id);
      return isMore;
    },
    completeSince: (account_id) => completeSince.get(account_id),
    purge: (cutoff) => accounts.purge(Date.parse(cutoff), MAX_PURGED_BLOCKS, remove),
    clear() {
      accounts.clear();
      writers.clear();
      completeSince.clear();
    },
  };
}

/**
 * Returns frozen copies of the blocks, ordered by account; throws if two belong to one account. The caller must not
 * change the bytes of the blocks.
 */
function sortedCopies(blocks: readonly Block[]): readonly Block[] {
  const sortedBlocks = blocks.map(copyOf).sort((a, b) => compareText(a.account_id, b.account_id));
  for (const [index, { account_id }] of sortedBlocks.entries()) {
    if (sortedBlocks[index + 1]?.account_id === account_id)
      throw new RangeError(`The flush holds two blocks of the account ${JSON.stringify(account_id)}.`);
  }
  return sortedBlocks;
}

function copyOf(block: Block): Block {
  return Object.freeze({ ...block });
}

function isBeside(a: Block, b: Block): boolean {
  return a.writer === b.writer && a.account_id === b.account_id;
}

interface ReplacementParts {
  readonly accounts: ReturnType<typeof createAccounts>;
  readonly writers: Writers;
  readonly remove: (block: Block) => true;
}

function createReplacements({
  accounts,
  writers,
  remove,
}: ReplacementParts): Pick<BlockStore, 'compact' | 'rewrite' | 'eraseTexts'> {
  function blocksAs(header: BlockHeader): readonly Block[] {
    const block = writers.block(header);
    return block !== undefined && isSame(block, header) ? [block] : [];
  }

  function putInto(blocks: readonly Block[], target: Block, targetBlock: Block): true {
    const block = copyOf(targetBlock);
    accounts.replace(blocks, block);
    for (const otherBlock of blocks) if (otherBlock !== target) writers.remove(otherBlock);
    writers.replace(block);
    return true;
  }

  function swap(block: Block, replacement: Block): true {
    const next = copyOf(replacement);
    accounts.swap(block, next);
    writers.replace(next);
    return true;
  }

  function isMerged({ writer, seq }: BlockName): boolean {
    const knownWriter = writers.get(writer);
    return knownWriter === undefined || seq <= knownWriter.merged;
  }

  return {
    compact(headers, targetBlock) {
      const replacedBlocks = new Set(headers.flatMap((header) => blocksAs(header)));
      const blocks = [...replacedBlocks];
      const target = blocks.find(({ seq }) => seq === targetBlock.seq);
      const isWhole =
        replacedBlocks.size === headers.length && target !== undefined && !headers.some(isFinal);
      if (!isWhole || !blocks.every((block) => isBeside(block, targetBlock))) return false;
      if (keepsCounts(headers, targetBlock)) return swap(target, targetBlock);
      return blocks.every(isMerged) && putInto(blocks, target, targetBlock);
    },
    eraseTexts(name, erasedCount, erasable) {
      const block = writers.block(name);
      if (block?.erased !== erasedCount) return false;
      return swap(block, { ...block, erased: erasedCount + 1, erasable });
    },
    rewrite(block, targetBlock, count) {
      const storedBlock = writers.block(block);
      if (storedBlock === undefined || !isMerged(storedBlock) || !mayBecome(storedBlock, block, targetBlock))
        return false;
      count();
      return targetBlock === undefined
        ? remove(storedBlock)
        : putInto([storedBlock], storedBlock, targetBlock);
    },
  };
}

function openWriter(writers: Writers, id: string, instant: Instant): boolean {
  if (writers.get(id) !== undefined) return false;
  writers.set({ id, flushed: 0, merged: 0, seen_at: instant });
  return true;
}

function noteLatest(latest: Map<string, Instant>, name: string, instant: Instant): void {
  const latestName = latest.get(name);
  if (latestName === undefined || latestName < instant) latest.set(name, instant);
}

function mayBecome(storedBlock: Block, block: Block, targetBlock: Block | undefined): boolean {
  if (!isSame(storedBlock, block) || storedBlock.data.length !== block.data.length) return false;
  return (
    targetBlock === undefined || (isBeside(storedBlock, targetBlock) && targetBlock.seq === storedBlock.seq)
  );
}

function isSame(storedBlock: Block, header: BlockHeader): boolean {
  const { from_ms, to_ms, records, denied, flags, erased } = storedBlock;
  return (
    from_ms === header.from_ms &&
    to_ms === header.to_ms &&
    records === header.records &&
    denied === header.denied &&
    flags === header.flags &&
    erased === header.erased
  );
}
