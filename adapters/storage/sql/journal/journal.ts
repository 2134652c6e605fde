import { type Kysely, type RawBuilder, sql } from 'kysely';
import {
  type FlushResult,
  type JournalFlush,
  type JournalStorage,
  type JournalWriter,
  MAX_FLUSHED_BLOCKS,
  type UnmergedQuery,
} from '../../../../src/ports/index.ts';
import type { Calls } from '../calls.ts';
import type { SqlDialect } from '../dialect.ts';
import type { Retention } from '../retention.ts';
import { isSqlText, type SqlTables, toRecord } from '../rows.ts';
import { writersTable } from '../tables.ts';
import { compactBlocks, rewriteBlock } from './compact.ts';
import { eraseJournal, eraseTexts } from './erase.ts';
import { findBlocks, listFiled, loadBlocks } from './find-blocks.ts';
import { compileInsertBlocks, type InsertBlocks } from './insert-blocks.ts';
import { createMerger, readSums } from './merge.ts';
import { compileAddToRollups } from './rollups.ts';

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

async function openWriter(calls: Calls, writer: string, instant: string): Promise<boolean> {
  if (!isSqlText(writer)) throw new TypeError('The id of a writer holds U+0000 or a lone surrogate.');
  return calls.store(async (connection) => {
    const { numInsertedOrUpdatedRows = 0n } = await connection
      .insertInto(writersTable.name)
      .values({ id: writer, flushed: 0n, merged: 0n, seen_at: instant })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows > 0n;
  }, Boolean);
}

/**
 * Stores the blocks of a flush. It first updates the row of the writer. An abandoned call that still runs locks this
 * row, so a retry waits for its result.
 */
async function fileFlush(calls: Calls, insert: InsertBlocks, flush: JournalFlush): Promise<FlushResult> {
  const { writer, seq, first = seq, at, blocks } = flush;
  assertFlush(flush);
  const packedBlocks = insert.pack(blocks);
  if (!isSqlText(writer)) return 'unknown_writer';
  const body = async (connection: Kysely<SqlTables>): Promise<FlushResult> => {
    const { numUpdatedRows } = await connection
      .updateTable(writersTable.name)
      .set({ flushed: BigInt(seq), seen_at: at })
      .where('id', '=', writer)
      .where('flushed', '<', BigInt(first))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return fenceOf(connection, writer, first);
    await insert.run(connection, packedBlocks);
    return 'filed';
  };
  return calls.store(body, (result) => result === 'filed');
}

async function fenceOf(connection: Kysely<SqlTables>, writer: string, first: number): Promise<FlushResult> {
  const row = await connection
    .selectFrom(writersTable.name)
    .select('flushed')
    .where('id', '=', writer)
    .executeTakeFirst();
  return row !== undefined && Number(row['flushed']) >= first ? 'known' : 'unknown_writer';
}

function assertFlush({ writer, seq, blocks }: JournalFlush): void {
  if (blocks.length > MAX_FLUSHED_BLOCKS)
    throw new RangeError(`A flush holds at most ${MAX_FLUSHED_BLOCKS} blocks.`);
  if (blocks.every((block) => block.writer === writer && block.seq === seq)) return;
  throw new RangeError('The blocks of a flush have its writer and its seq.');
}

function listWriters(calls: Calls): Promise<readonly JournalWriter[]> {
  return selectWriters(calls, sql`order by id`);
}

function listUnmerged(calls: Calls, { after = '', limit }: UnmergedQuery): Promise<readonly JournalWriter[]> {
  if (!isSqlText(after)) throw new TypeError('The id of a writer holds U+0000 or a lone surrogate.');
  return selectWriters(
    calls,
    sql`where merged < flushed and id > ${after} order by id limit ${BigInt(limit)}`,
  );
}

function selectWriters(calls: Calls, part: RawBuilder<unknown>): Promise<readonly JournalWriter[]> {
  return calls.ask(
    async (connection) => {
      const columns = sql.raw(Object.keys(writersTable.columns).join(', '));
      const query = sql<
        Record<string, unknown>
      >`select ${columns} from ${sql.table(writersTable.name)} ${part}`;
      const { rows } = await query.execute(connection);
      return rows.map((row) =>
        toRecord<{ [Field in keyof JournalWriter]: JournalWriter[Field] }>(writersTable, row),
      );
    },
    (writers) => writers.length === 0,
  );
}
