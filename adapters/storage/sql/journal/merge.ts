import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { JournalMerge } from '../../../../src/ports/index.ts';
import type { Calls } from '../calls.ts';
import type { SqlDialect } from '../dialect.ts';
import { isSqlText, type SqlRow, type SqlTables } from '../rows.ts';
import { deltasTable, writersTable } from '../tables.ts';
import { type DeltaPart, type DeltaRow, toParts } from './deltas.ts';
import type { AddToRollups } from './rollups.ts';

/** What brings the sums of blocks into the rollups. */
export interface Merger {
  merge(merge: JournalMerge): Promise<boolean>;
  /** Looks for what this process, or one that is gone, has merged and not yet added to the rollups, and adds it. */
  resume(): void;
}

/** Where the sums go. */
export interface MergerParts {
  readonly calls: Calls;
  readonly dialect: SqlDialect;
  readonly add: AddToRollups;
}

/**
 * A merger. Few deltas are added to the rollups in the transaction that moves `merged`. More would hold its locks, and
 * in SQLite the one lock of the database, for a quarter of a second: they are stored in that transaction as rows of many
 * each, which are added later, each in a transaction that also removes it.
 * INVARIANT: a delta that is merged is either in such a row or in the rollups.
 */
export function createMerger({ calls, dialect, add }: MergerParts): Merger {
  /** Whether there may be rows to add. */
  let isDue = false;
  let adding: Promise<void> | undefined;

  async function addAll(): Promise<void> {
    while (isDue && !calls.isClosing()) {
      isDue = false;
      try {
        while (!calls.isClosing() && (await calls.store(addRow))) await setImmediate();
      } catch {
        // The rows are counted where they are: the next merge goes on.
        isDue = true;
        break;
      }
    }
    adding = undefined;
  }

  /** Adds a row that no other process is adding; `false` when there is none. */
  async function addRow(connection: Kysely<SqlTables>): Promise<boolean> {
    const query = sql<SqlRow>`
      select id, deltas from ${sql.table(deltasTable)} order by id limit 1 ${sql.raw(dialect.lockFreeRows)}`;
    const [row] = (await query.execute(connection)).rows;
    if (row === undefined) return false;
    await add(connection, toDeltaRows(row));
    await connection.deleteFrom(deltasTable).where('id', '=', String(row['id'])).execute();
    return true;
  }

  function addWhatIsDue(): void {
    if (isDue) adding ??= addAll();
  }

  return {
    resume() {
      isDue = true;
      addWhatIsDue();
    },
    async merge(merge) {
      if (!isSqlText(merge.writer)) return false;
      const parts = await toParts(merge.rollups, dialect.addedDeltas);
      // This process stores no more than one merge ahead.
      await adding;
      const [first, ...more] = parts;
      const isMerged = await calls.store(async (connection) => {
        if (!(await isAt(connection, merge))) return false;
        if (more.length > 0) await storeParts(connection, merge, parts);
        else if (first !== undefined) await add(connection, first.rows);
        return moveMerged(connection, merge);
      }, Boolean);
      if (more.length > 0) isDue = true;
      addWhatIsDue();
      return isMerged;
    },
  };
}

/** The deltas of a row. */
export function toDeltaRows(row: SqlRow): readonly DeltaRow[] {
  return JSON.parse(String(row['deltas']));
}

/** Nothing is added in vain; what decides is the condition of `moveMerged`. */
async function isAt(connection: Kysely<SqlTables>, { writer, from }: JournalMerge): Promise<boolean> {
  const query = connection.selectFrom(writersTable.name).select('merged').where('id', '=', writer);
  return Number((await query.executeTakeFirst())?.['merged'] ?? -1) === from;
}

/** Last, as until the commit it holds the row that a flush of the writer needs. */
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

/** Of a safe integer. */
const DIGITS = 16;

const PARTS_IN_A_TURN = 16;
