import {
  type JournalStorage,
  MAX_FLUSHED_BLOCKS,
  MAX_LISTED_BLOCKS,
  MAX_LISTED_WRITERS,
  MAX_LOADED_BLOCKS,
} from '../../../src/ports/index.ts';
import { findBlocks } from './block-search.ts';
import type { BlockStore } from './block-store.ts';
import type { Retention } from './retention.ts';
import type { Rollups } from './rollups.ts';

export interface JournalParts {
  readonly store: BlockStore;
  readonly rollups: Rollups;
  readonly retention: Retention;
  readonly assertOpen: () => void;
}

export function createJournal({ store, rollups, retention, assertOpen }: JournalParts): JournalStorage {
  return {
    async open(writer, at) {
      assertOpen();
      return store.open(writer, at);
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
    async sums({ parts, ...of }) {
      assertOpen();
      const unmerged = [...(store.account(of.account_id)?.unmerged ?? [])];
      return { parts: parts.map((part) => rollups.sum({ ...of, ...part })), unmerged };
    },
    async compact(found, into) {
      assertOpen();
      return store.compact(found, into);
    },
    async rewrite({ found, into, rollups: deltas }) {
      assertOpen();
      return store.rewrite(found, into, () => rollups.add(deltas));
    },
    async eraseTexts(name, erased, erasable) {
      assertOpen();
      return store.eraseTexts(name, erased, erasable);
    },
    async erase({ account_id, agent_id, from = '' }) {
      assertOpen();
      if (agent_id === undefined && from === '' && store.erase(account_id)) return '';
      rollups.erase(account_id, agent_id);
      return null;
    },
    async completeSince(account_id) {
      assertOpen();
      const known = [store.completeSince(account_id), retention.removedUntil()];
      return known
        .filter((since) => since !== undefined)
        .sort()
        .at(-1);
    },
  };
}

function assertWithin(number: number, least: number, most: number, what: string): void {
  if (number >= least && number <= most) return;
  throw new RangeError(`${what} must be ${least} to ${most}, not ${number}.`);
}
