import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from './dialect.ts';
import type { SqlTables, SqlValue } from './rows.ts';
import { bind } from './statements.ts';
import type { ColumnKind } from './tables.ts';

/** Rows as they are bound: JSON texts of many rows each. */
export type BulkRows = readonly string[];

/** Puts rows into a table, in their order, by a statement for each text; `shared` are the first values of them all. */
export type BulkInsert = (
  connection: Kysely<SqlTables>,
  rows: BulkRows,
  shared?: readonly SqlValue[],
) => Promise<void>;

/** Where rows go. */
export interface BulkTarget {
  readonly table: string;
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** How many of the first columns have the same values in all rows. */
  readonly shared?: number;
  readonly onConflict: string;
}

/** A driver may run statements to their end at once: after that long the event loop has its turn. */
const MAX_BLOCKING_MS = 1;

/**
 * Rows for `BulkInsert`, so many to a statement. One JSON text for many, as drivers take longer over thousands of
 * values than the database over the rows (30 ms of 83 in `pg` for 2,640 rollups, now 3 of 55).
 */
export function toBulkRows(rows: readonly (readonly SqlValue[])[], perStatement: number): BulkRows {
  const texts: string[] = [];
  // Not by a function that `stringify` calls for each value: that takes four times as long.
  const plain = rows.map((row) => row.map(toJsonValue));
  for (let from = 0; from < plain.length; from += perStatement) {
    texts.push(JSON.stringify(plain.slice(from, from + perStatement)));
  }
  return texts;
}

/** Whole numbers are safe integers, all of them. */
function toJsonValue(value: SqlValue): string | number | null {
  return typeof value === 'bigint' ? Number(value) : value;
}

/** What puts rows with those columns into a table; `onConflict` follows the rows. */
export function compileBulkInsert(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  { table, columns, shared: sharedColumns = 0, onConflict }: BulkTarget,
): BulkInsert {
  const kinds = Object.values(columns);
  const values = kinds.map((kind, index) => {
    if (index < sharedColumns) return sql`${''}`;
    const text = sql`element.value ->> ${sql.lit(index - sharedColumns)}`;
    const isInteger = kind === 'boolean' || kind.startsWith('integer');
    return isInteger ? sql`cast(${text} as ${sql.raw(dialect.integer)})` : text;
  });
  const statement = sql`
    insert into ${sql.table(table)} (${sql.join(Object.keys(columns).map((column) => sql.ref(column)))})
    select ${sql.join(values)} from ${dialect.jsonElements('[]')} where true ${sql.raw(onConflict)}`.compile(
    kysely,
  );

  return async (connection, rows, shared = []) => {
    let turn = performance.now();
    for (const json of rows) {
      await connection.executeQuery(bind(statement, [...shared, json]));
      if (performance.now() - turn < MAX_BLOCKING_MS) continue;
      await setImmediate();
      turn = performance.now();
    }
  };
}
