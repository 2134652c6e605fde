import type { Kysely } from 'kysely';
import type { JournalStorage } from '../../../../src/ports/index.ts';
import type { Calls } from '../calls.ts';
import type { SqlDialect } from '../dialect.ts';
import type { Retention } from '../retention.ts';
import type { SqlTables } from '../rows.ts';
import { compactBlocks } from './compact.ts';
import { eraseJournal } from './erase.ts';
import { eraseTexts } from './erase-texts.ts';
import { findBlocks, listFiled, loadBlocks } from './find-blocks.ts';
import { fileFlush, listUnmerged, listWriters, openWriter } from './flushes.ts';
import { compileInsertBlocks } from './insert-blocks.ts';
import { createMerger } from './merge.ts';
import { rewriteBlock } from './rewrite.ts';
import { compileAddToRollups } from './rollups.ts';
import { readSums } from './sums.ts';

export interface SqlJournalParts {
  readonly kysely: Kysely<SqlTables>;
  readonly dialect: SqlDialect;
  readonly calls: Calls;
  readonly retention: Retention;
}

export interface SqlJournal {
  readonly journal: JournalStorage;
  settle(): Promise<void>;
}

export function createSqlJournal({ kysely, dialect, calls, retention }: SqlJournalParts): SqlJournal {
  const insert = compileInsertBlocks(kysely, dialect);
  const add = compileAddToRollups(kysely, dialect);
  const merger = createMerger({ calls, dialect, add });

  const journal: JournalStorage = {
    async open(writer, instant) {
      calls.assertOpen();
      merger.resume();
      return openWriter(calls, writer, instant);
    },
    async file(flush) {
      calls.assertOpen();
      return fileFlush(calls, insert, flush);
    },
    async writers() {
      calls.assertOpen();
      return listWriters(calls);
    },
    async unmerged(query) {
      calls.assertOpen();
      return listUnmerged(calls, query);
    },
    async blocks(query) {
      calls.assertOpen();
      return calls.follow(findBlocks(calls, dialect, query));
    },
    async load(names) {
      calls.assertOpen();
      return loadBlocks(calls, dialect, names);
    },
    async filed(query) {
      calls.assertOpen();
      return listFiled(calls, query);
    },
    async merge(merge) {
      calls.assertOpen();
      return calls.follow(merger.merge(merge));
    },
    async sums(query) {
      calls.assertOpen();
      return readSums(calls, dialect, query);
    },
    async compact(headers, targetBlock) {
      calls.assertOpen();
      return compactBlocks({ calls, dialect, insert }, headers, targetBlock);
    },
    async rewrite(rewriting) {
      calls.assertOpen();
      return rewriteBlock({ calls, dialect, insert, add }, rewriting);
    },
    async eraseTexts(name, erasedCount, erasable) {
      calls.assertOpen();
      return eraseTexts({ calls, dialect }, { name, erased: erasedCount, erasable });
    },
    async erase(erasure) {
      calls.assertOpen();
      return calls.follow(eraseJournal({ calls, dialect, settle: merger.settle }, erasure));
    },
    async completeSince() {
      calls.assertOpen();
      return calls.whilePresent(retention.removedUntil);
    },
  };
  return { journal, settle: merger.settle };
}
