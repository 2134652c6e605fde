import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import {
  type Block,
  type BlockName,
  type JournalMerge,
  type RollupSum,
  rollupStarts,
  type Sums,
  type SumsPart,
  type SumsQuery,
} from '../../../../src/ports/index.ts';
import type { Calls } from '../calls.ts';
import type { SqlDialect } from '../dialect.ts';
import { isSqlText, type SqlRow, type SqlTables } from '../rows.ts';
import { blocksTable, deltasTable, metaTable, writersTable } from '../tables.ts';
import { blockColumns, toBlock, toName } from './blocks.ts';
import { type DeltaPart, type DeltaRow, rangeKey, toDeltaRows, toParts } from './deltas.ts';
import { isNamed, namesOf } from './find-blocks.ts';
import { type AddToRollups, sumRollups } from './rollups.ts';

interface Merger {
  merge(merge: JournalMerge): Promise<boolean>;
  /**
   * Adds stored deltas of any process to the rollups, in the background. A merge with many deltas stores them
   * first. Never throws.
   */
  resume(): void;
  settle(): Promise<void>;
}

interface MergerParts {
  readonly calls: Calls;
  readonly dialect: SqlDialect;
  readonly add: AddToRollups;
}

/**
 * Creates a merger. A delta is an increment of a rollup. A merge with few deltas adds them in the transaction
 * that moves `merged`.
 *
 * Many deltas would hold the locks of this transaction for a quarter of a second, in SQLite the lock of the
 * whole database. The transaction therefore only stores them, in rows of many deltas each. Later transactions
 * add each row to the rollups and remove it.
 *
 * INVARIANT: a merged delta is either in such a row or in the rollups.
 */
export function createMerger({ calls, dialect, add }: MergerParts): Merger {
  let adding: Promise<void> | undefined;

  async function addRow(connection: Kysely<SqlTables>): Promise<boolean> {
    const query = sql<SqlRow>`
      select id, deltas from ${sql.table(deltasTable)} order by id limit 1 ${sql.raw(dialect.lockFreeRows)}`;
    const [row] = (await query.execute(connection)).rows;
    if (row === undefined) return false;
    await add(connection, readDeltaRows(row));
    await connection.deleteFrom(deltasTable).where('id', '=', String(row['id'])).execute();
    return true;
  }

  async function addRows(connection: Kysely<SqlTables>): Promise<void> {
    for (;;) if (!(await addRow(connection))) return;
  }

  async function addAll(): Promise<void> {
    try {
      while (!calls.isClosing() && (await calls.store(addRow))) await setImmediate();
    } finally {
      adding = undefined;
    }
  }

  function settle(): Promise<void> {
    adding ??= addAll();
    return adding;
  }

  function resume(): void {
    // Sums include stored rows, and the next merge tries again.
    settle().catch(() => undefined);
  }

  async function addOrStore(
    connection: Kysely<SqlTables>,
    merge: JournalMerge,
    parts: readonly DeltaPart[],
  ): Promise<void> {
    const rows = parts.flatMap((part) => part.rows);
    const isHuge = rows.some(([, , , , , , count]) => Math.abs(count) > MAX_STORED_COUNT);
    const mayStore = !isHuge && !(await hasHugeCounts(connection));
    if (parts.length > 1 && mayStore) return storeParts(connection, merge, parts);
    if (isHuge) await noteHugeCounts(connection);
    if (!mayStore) await addRows(connection);
    await add(connection, rows);
  }

  return {
    resume,
    settle,
    async merge(givenMerge) {
      const merge = { ...givenMerge };
      if (!isSqlText(merge.writer)) return false;
      const parts = await toParts(toDeltaRows(merge.rollups), dialect.addedDeltas);
      // Stored rows of the previous merge are added first, so that they do not accumulate.
      if (parts.length > 1) await settle();
      const isMerged = await calls.store(async (connection) => {
        if (!(await isAt(connection, merge))) return false;
        await addOrStore(connection, merge, parts);
        return moveMerged(connection, merge);
      }, Boolean);
      if (parts.length > 1) resume();
      return isMerged;
    },
  };
}

function readDeltaRows(row: SqlRow): readonly DeltaRow[] {
  return JSON.parse(String(row['deltas']));
}

/**
 * The maximum count of a delta that a merge stores for later. The merge has already succeeded, so adding the
 * delta later must not overflow. With this maximum, a rollup exceeds 2^53 - 1 only after four million merges.
 * After a merge with a greater count, each merge adds its deltas at once.
 */
const MAX_STORED_COUNT = 2 ** 31;
const HUGE_COUNTS = 'huge_counts';

async function hasHugeCounts(connection: Kysely<SqlTables>): Promise<boolean> {
  const query = connection.selectFrom(metaTable).select('value').where('name', '=', HUGE_COUNTS);
  return (await query.executeTakeFirst()) !== undefined;
}

async function noteHugeCounts(connection: Kysely<SqlTables>): Promise<void> {
  const insert = connection.insertInto(metaTable).values({ name: HUGE_COUNTS, value: '1' });
  await insert.onConflict((conflict) => conflict.column('name').doNothing()).execute();
}

/** Checks early whether the merge can succeed, to save work. The final check is the condition in `moveMerged`. */
async function isAt(connection: Kysely<SqlTables>, { writer, from }: JournalMerge): Promise<boolean> {
  const query = connection.selectFrom(writersTable.name).select('merged').where('id', '=', writer);
  return Number((await query.executeTakeFirst())?.['merged'] ?? -1) === from;
}

/** Moves `merged`. It runs last, because it locks a row that the flushes of the writer update. */
async function moveMerged(
  connection: Kysely<SqlTables>,
  { writer, from, to, at }: JournalMerge,
): Promise<boolean> {
  const { numUpdatedRows } = await connection
    .updateTable(writersTable.name)
    .set({ merged: BigInt(to), seen_at: at })
    .where('id', '=', writer)
    .where('merged', '=', BigInt(from))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function storeParts(
  connection: Kysely<SqlTables>,
  { writer, to }: JournalMerge,
  parts: readonly DeltaPart[],
): Promise<void> {
  for (const [index, { from_key, to_key, rows }] of parts.entries()) {
    const id = `${writer} ${String(to).padStart(DIGITS, '0')} ${String(index).padStart(DIGITS, '0')}`;
    const values = { id, from_key, to_key, deltas: JSON.stringify(rows) };
    await connection.insertInto(deltasTable).values(values).execute();
    if (index % PARTS_IN_A_TURN === 0) await setImmediate();
  }
}

const DIGITS = 16;

const PARTS_IN_A_TURN = 16;

export async function readSums(calls: Calls, dialect: SqlDialect, query: SumsQuery): Promise<Sums> {
  const { account_id, agent_id } = query;
  if (!isSqlText(account_id)) return { parts: query.parts.map(() => []), unmerged: [] };
  return calls.askAtOnce(async (connection) => {
    const rows = isSqlText(agent_id) ? await findDeltas(connection, query) : [];
    const parts: (readonly RollupSum[])[] = [];
    for (const part of query.parts) {
      const sums = isSqlText(agent_id) ? await sumRollups(connection, dialect, query, part) : [];
      parts.push(rows.length === 0 ? sums : withDeltas(sums, rows, part));
    }
    return { parts, unmerged: await findUnmerged(connection, dialect, account_id) };
  });
}

async function findDeltas(
  connection: Kysely<SqlTables>,
  { account_id, environment, agent_id }: SumsQuery,
): Promise<readonly DeltaRow[]> {
  const table = sql.table(deltasTable);
  const key = rangeKey(account_id, environment, agent_id);
  // Compared here, because the database orders texts differently.
  const ranges = await sql<SqlRow>`select id, from_key, to_key from ${table}`.execute(connection);
  const foundRows: DeltaRow[] = [];
  for (const { id, from_key, to_key } of ranges.rows) {
    if (key < String(from_key) || key > String(to_key)) continue;
    const { rows } = await sql<SqlRow>`select deltas from ${table} where id = ${String(id)}`.execute(
      connection,
    );
    for (const row of rows.flatMap(readDeltaRows)) {
      const [, account, rowEnvironment, agent] = row;
      if (account === account_id && rowEnvironment === environment && agent === agent_id) foundRows.push(row);
    }
  }
  return foundRows;
}

function withDeltas(
  sums: readonly RollupSum[],
  rows: readonly DeltaRow[],
  { resolution, kinds, from, to, byStart }: SumsPart,
): readonly RollupSum[] {
  const knownSums = new Map(sums.map((sum) => [sumKey(sum), sum]));
  for (const [minute, , , , kind, key, count] of rows) {
    const start = rollupStarts(minute)[resolution];
    const isAsked = (kinds as readonly string[]).includes(kind) && start >= from && start < to;
    if (!isAsked) continue;
    const addedSum = { start: byStart ? start : null, kind: kind as RollupSum['kind'], key };
    const name = sumKey(addedSum);
    knownSums.set(name, { ...addedSum, count: count + (knownSums.get(name)?.count ?? 0) });
  }
  return [...knownSums.values()];
}

function sumKey({ start, kind, key }: Omit<RollupSum, 'count'>): string {
  return JSON.stringify([start, kind, key]);
}

/** The number of blocks that a statement reads, which are 1 to 2 MB. */
const BLOCKS_AT_ONCE = 8;

async function findUnmerged(
  connection: Kysely<SqlTables>,
  dialect: SqlDialect,
  account_id: string,
): Promise<readonly Block[]> {
  const blocks = sql.table(blocksTable.name);
  const query = sql<SqlRow>`
    select id, merged, flushed from ${sql.table(writersTable.name)} where merged < flushed`;
  const names: BlockName[] = [];
  // One query for each writer, with its range of numbers, so that the planner uses the primary key.
  for (const { id, merged, flushed } of (await query.execute(connection)).rows) {
    const { rows } = await sql<SqlRow>`
      select writer, seq, account_id from ${blocks} where writer = ${String(id)}
        and seq > ${BigInt(String(merged))} and seq <= ${BigInt(String(flushed))} and account_id = ${account_id}`.execute(
      connection,
    );
    names.push(...rows.map(toName));
  }
  const foundBlocks: Block[] = [];
  for (let start = 0; start < names.length; start += BLOCKS_AT_ONCE) {
    if (start > 0) await setImmediate();
    const someNames = names.slice(start, start + BLOCKS_AT_ONCE);
    const { rows } = await sql<SqlRow>`
      select ${blockColumns} from ${namesOf(dialect, someNames)} join ${blocks} as b on ${isNamed(dialect)}`.execute(
      connection,
    );
    foundBlocks.push(...rows.map(toBlock));
  }
  return foundBlocks;
}
