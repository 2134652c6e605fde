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
  open(id: string, at: Instant): boolean;
  file(flush: JournalFlush): FlushResult;
  /**
   * Calls `count`, then sets the `merged` number of the writer to the end of the merge. Blocks up to this number are
   * counted in the rollups. If the number is not the start of the merge, returns `false` and changes nothing.
   */
  merge(merge: Omit<JournalMerge, 'rollups'>, count: () => void): boolean;
  compact(found: readonly BlockHeader[], into: Block): boolean;
  /**
   * Replaces or removes a block, and calls `count` before that. Returns `false` unless the block is merged and
   * unchanged since it was read.
   */
  rewrite(found: Block, into: Block | undefined, count: () => void): boolean;
  eraseTexts(name: BlockName, erased: number, erasable: Uint8Array): boolean;
  erase(account_id: string): boolean;
  /** Returns the instant since which the account has all its blocks; `undefined` if none was removed. */
  completeSince(account_id: string): Instant | undefined;
  purge(before: Instant): Promise<number>;
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
    open: (id, at) => openWriter(writers, id, at),
    file({ writer: id, seq, first = seq, at, blocks }) {
      const writer = writers.get(id);
      if (writer === undefined) return 'unknown_writer';
      if (first <= writer.flushed) return 'known';
      const sorted = sortedCopies(blocks);
      writers.add(sorted);
      for (const block of sorted) accounts.add(block);
      writers.set({ ...writer, flushed: seq, seen_at: at });
      return 'filed';
    },
    merge({ writer: id, from, to, at }, count) {
      const writer = writers.get(id);
      if (writer?.merged !== from) return false;
      count();
      writers.set({ ...writer, merged: to, seen_at: at });
      const merged = writers.between(id, from, to);
      for (const block of merged) accounts.setMerged(block);
      for (const account_id of new Set(merged.map((block) => block.account_id))) letGo(account_id);
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
    purge: (before) => accounts.purge(Date.parse(before), MAX_PURGED_BLOCKS, remove),
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
  const sorted = blocks.map(copyOf).sort((a, b) => compareText(a.account_id, b.account_id));
  for (const [at, { account_id }] of sorted.entries()) {
    if (sorted[at + 1]?.account_id === account_id)
      throw new RangeError(`The flush holds two blocks of the account ${JSON.stringify(account_id)}.`);
  }
  return sorted;
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

  function putInto(blocks: readonly Block[], target: Block, into: Block): true {
    const block = copyOf(into);
    accounts.replace(blocks, block);
    for (const other of blocks) if (other !== target) writers.remove(other);
    writers.replace(block);
    return true;
  }

  function swap(block: Block, by: Block): true {
    const next = copyOf(by);
    accounts.swap(block, next);
    writers.replace(next);
    return true;
  }

  function isMerged({ writer, seq }: BlockName): boolean {
    const known = writers.get(writer);
    return known === undefined || seq <= known.merged;
  }

  return {
    compact(found, into) {
      const replaced = new Set(found.flatMap((header) => blocksAs(header)));
      const blocks = [...replaced];
      const target = blocks.find(({ seq }) => seq === into.seq);
      const isWhole = replaced.size === found.length && target !== undefined && !found.some(isFinal);
      if (!isWhole || !blocks.every((block) => isBeside(block, into))) return false;
      if (keepsCounts(found, into)) return swap(target, into);
      return blocks.every(isMerged) && putInto(blocks, target, into);
    },
    eraseTexts(name, erased, erasable) {
      const block = writers.block(name);
      if (block?.erased !== erased) return false;
      return swap(block, { ...block, erased: erased + 1, erasable });
    },
    rewrite(found, into, count) {
      const stored = writers.block(found);
      if (stored === undefined || !isMerged(stored) || !mayBecome(stored, found, into)) return false;
      count();
      return into === undefined ? remove(stored) : putInto([stored], stored, into);
    },
  };
}

function openWriter(writers: Writers, id: string, at: Instant): boolean {
  if (writers.get(id) !== undefined) return false;
  writers.set({ id, flushed: 0, merged: 0, seen_at: at });
  return true;
}

function noteLatest(latest: Map<string, Instant>, name: string, at: Instant): void {
  const known = latest.get(name);
  if (known === undefined || known < at) latest.set(name, at);
}

function mayBecome(stored: Block, found: Block, into: Block | undefined): boolean {
  if (!isSame(stored, found) || stored.data.length !== found.data.length) return false;
  return into === undefined || (isBeside(stored, into) && into.seq === stored.seq);
}

function isSame(stored: Block, found: BlockHeader): boolean {
  const { from_ms, to_ms, records, denied, flags, erased } = stored;
  return (
    from_ms === found.from_ms &&
    to_ms === found.to_ms &&
    records === found.records &&
    denied === found.denied &&
    flags === found.flags &&
    erased === found.erased
  );
}
