import { setImmediate } from 'node:timers/promises';
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { SqlTables, SqlValue } from './rows.ts';
import { bind } from './statements.ts';

/** Puts rows into a table, by statements of many rows each. */
export type BulkInsert = (
  connection: Kysely<SqlTables>,
  rows: readonly (readonly SqlValue[])[],
) => Promise<void>;

/** Where rows go. */
export interface BulkTarget {
  readonly table: string;
  readonly columns: readonly string[];
  readonly onConflict: string;
}

/** Rows of one statement: few texts to compile and to keep, each far below the 32,766 parameters that SQLite takes. */
const SIZES = [64, 8, 1] as const;

/** A driver may run statements to their end at once: after that long the event loop has its turn. */
const MOST_BLOCKING_MS = 4;

/** What puts rows with those columns into a table; `onConflict` follows the values. */
export function compileBulkInsert(
  kysely: Kysely<SqlTables>,
  { table, columns, onConflict }: BulkTarget,
): BulkInsert {
  const statements = new Map<number, CompiledQuery>();

  function statementOf(size: number): CompiledQuery {
    const known = statements.get(size);
    if (known !== undefined) return known;
    const row = sql`(${sql.join(columns.map(() => ''))})`;
    const statement = sql`
      insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(Array.from({ length: size }, () => row))} ${sql.raw(onConflict)}`.compile(kysely);
    statements.set(size, statement);
    return statement;
  }

  return async (connection, rows) => {
    let turn = performance.now();
    for (let from = 0; from < rows.length; ) {
      const size = SIZES.find((rowsOfOne) => rowsOfOne <= rows.length - from) ?? 1;
      await connection.executeQuery(bind(statementOf(size), rows.slice(from, from + size).flat()));
      from += size;
      if (performance.now() - turn < MOST_BLOCKING_MS) continue;
      await setImmediate();
      turn = performance.now();
    }
  };
}
