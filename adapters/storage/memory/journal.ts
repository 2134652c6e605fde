import {
  type Instant,
  type JournalStorage,
  MAX_FLUSHED_BLOCKS,
  MAX_LISTED_BLOCKS,
  MAX_LISTED_WRITERS,
  MAX_LOADED_BLOCKS,
  type Purgeable,
  purgeBound,
  raisedMark,
  type StoreTime,
} from '../../../src/ports/index.ts';
import { findBlocks } from './block-search.ts';
import type { BlockStore } from './block-store.ts';
import type { Rollups } from './rollups.ts';

export interface JournalParts {
  readonly store: BlockStore;
  readonly rollups: Rollups;
  readonly retention: Retention;
  readonly assertOpen: () => void;
}

export function createJournal({ store, rollups, retention, assertOpen }: JournalParts): JournalStorage {
  return {
    async open(writer, instant) {
      assertOpen();
      return store.open(writer, instant);
    },
    async file(flush) {
      assertOpen();
      assertWithin(flush.blocks.length, 0, MAX_FLUSHED_BLOCKS, 'the number of blocks');
      return store.file(flush);
    },
    async writers() {
      assertOpen();
      return store.writers.all();
    },
    async unmerged(query) {
      assertOpen();
      assertWithin(query.limit, 1, MAX_LISTED_WRITERS, 'limit');
      return store.writers.unmerged(query);
    },
    async blocks(query) {
      assertOpen();
      assertWithin(query.limit, 1, MAX_LISTED_BLOCKS, 'limit');
      return findBlocks(store.account(query.account_id)?.blocks ?? [], query);
    },
    async load(names) {
      assertOpen();
      assertWithin(names.length, 0, MAX_LOADED_BLOCKS, 'the number of names');
      return names.map(store.writers.block);
    },
    async filed(query) {
      assertOpen();
      assertWithin(query.limit, 1, MAX_LISTED_BLOCKS, 'limit');
      return store.writers.filed(query);
    },
    async merge({ rollups: deltas, ...merge }) {
      assertOpen();
      return store.merge(merge, () => rollups.add(deltas));
    },
    async sums({ parts, ...query }) {
      assertOpen();
      const unmergedBlocks = [...(store.account(query.account_id)?.unmerged ?? [])];
      return { parts: parts.map((part) => rollups.sum({ ...query, ...part })), unmerged: unmergedBlocks };
    },
    async compact(headers, targetBlock) {
      assertOpen();
      return store.compact(headers, targetBlock);
    },
    async rewrite({ found, into, rollups: deltas }) {
      assertOpen();
      return store.rewrite(found, into, () => rollups.add(deltas));
    },
    async eraseTexts(name, erasedCount, erasable) {
      assertOpen();
      return store.eraseTexts(name, erasedCount, erasable);
    },
    async erase({ account_id, agent_id, from = '' }) {
      assertOpen();
      if (agent_id === undefined && from === '' && store.erase(account_id)) return '';
      rollups.erase(account_id, agent_id);
      return null;
    },
    async completeSince(account_id) {
      assertOpen();
      const knownNames = [store.completeSince(account_id), retention.removedUntil()];
      return knownNames
        .filter((sinceVersion) => sinceVersion !== undefined)
        .sort()
        .at(-1);
    },
  };
}

function assertWithin(number: number, minimum: number, limit: number, label: string): void {
  if (number >= minimum && number <= limit) return;
  throw new RangeError(`${label} must be ${minimum} to ${limit}, not ${number}.`);
}

/** The time of a storage in memory, which has no clock, and the instant up to which it has removed records. */
export interface Retention {
  /** Raises the stored time to `present` and returns it. If `present` is trusted, the stored time becomes `present`. */
  time(present: Instant, isTrusted?: boolean): StoreTime;
  of(cutoff: Instant, present: Instant): Instant;
  note(purgeable: Purgeable, limit: Instant, removedCount: number): number;
  removedUntil(): Instant | undefined;
}

export function createRetention(): Retention {
  let mark: Instant | undefined;
  let end: Instant | undefined;

  function time(present: Instant, isTrusted = false): StoreTime {
    mark = isTrusted ? present : raisedMark(mark, present);
    return { at: mark, isMark: true };
  }

  return {
    time,
    of: (cutoff, present) => purgeBound(cutoff, present, time(present).at),
    note(purgeable, limit, removedCount) {
      const isHistory = purgeable === 'verdicts' || purgeable === 'rollups';
      if (isHistory && removedCount > 0 && (end === undefined || end < limit)) end = limit;
      return removedCount;
    },
    removedUntil: () => end,
  };
}
