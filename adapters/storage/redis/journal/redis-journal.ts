import type { JournalStorage } from '../../../../src/ports/index.ts';
import type { GuardedStore } from '../guarded-store.ts';
import { readCompleteSince } from '../retention.ts';
import { compactBlocks } from './compact.ts';
import { eraseJournal, eraseTexts } from './erase.ts';
import { fileFlush } from './file.ts';
import { findBlocks, findFiled, loadBlocks } from './find.ts';
import { mergeFlushes, rewriteBlock } from './merge.ts';
import { readSums } from './sums.ts';
import { openWriter, readUnmerged, readWriters } from './writers.ts';

export interface RedisJournalOptions {
  readonly store: GuardedStore;
  readonly journalCap: number;
  readonly strictRefusal?: string;
  readonly follow: <Result>(call: () => Promise<Result>) => Promise<Result>;
}

export function createRedisJournal(options: RedisJournalOptions): JournalStorage {
  const { store, journalCap, strictRefusal, follow } = options;
  return {
    ...(strictRefusal === undefined ? {} : { strictRefusal }),
    open: (writer, instant) => follow(() => openWriter(store, writer, instant)),
    file: (flush) => follow(() => fileFlush(store, flush, journalCap)),
    writers: () => follow(() => readWriters(store)),
    unmerged: (query) => follow(() => readUnmerged(store, query)),
    blocks: (query) => follow(() => findBlocks(store, query)),
    load: (names) => follow(() => loadBlocks(store, names)),
    filed: (query) => follow(() => findFiled(store, query)),
    merge: (merge) => follow(() => mergeFlushes(store, merge)),
    sums: (query) => follow(() => readSums(store, query)),
    compact: (headers, targetBlock) => follow(() => compactBlocks(store, headers, targetBlock)),
    rewrite: (rewriting) => follow(() => rewriteBlock(store, rewriting)),
    eraseTexts: (name, erasedCount, erasable) =>
      follow(() => eraseTexts(store, { name, erased: erasedCount, erasable })),
    erase: (erasure) => follow(() => eraseJournal(store, erasure)),
    completeSince: (account_id) => follow(() => readCompleteSince(store, account_id)),
  };
}
