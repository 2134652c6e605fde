import { type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type { CollectionName, StoredRecord } from '../../../src/ports/index.ts';
import type { SqlDialect } from './dialect.ts';
import { MARKER_NAME } from './marker.ts';
import { type RowFields, recordReader, recordWriter, type SqlTables, type SqlValue } from './rows.ts';
import { metaTable, type Table, tables } from './tables.ts';

/** The prepared statements of one table. */
export interface TableStatements {
  readonly table: Table;
  /** Takes the id; one row with the record in `RECORD_COLUMN`, or none. */
  readonly get: CompiledQuery;
  /** Takes the id; one row with the marker of the database and what `get` finds in the same moment, or no row. */
  readonly getMarked: CompiledQuery;
  /** SQL of the record, to be selected as `RECORD_COLUMN`. */
  readonly record: RawBuilder<string>;
  /** The record in `RECORD_COLUMN`. */
  readonly read: (column: unknown) => StoredRecord;
  /** The values of a record. Throws a TypeError for what the table cannot hold. */
  readonly valuesOf: (record: RowFields) => readonly SqlValue[];
  /** Takes the id; the row stays as it is until the transaction ends. */
  readonly hold: CompiledQuery;
  /** Takes the values of a record; affects no row when the id is taken. */
  readonly insert: CompiledQuery;
  /** Takes the values of a record, its id, and the version it must have; affects no row when there is none. */
  readonly replace: CompiledQuery;
  /** Takes an id and the version it must have; affects no row when there is none. */
  readonly remove: CompiledQuery;
}

/** The column of `getMarked` that holds the marker. */
export const MARKER_COLUMN = 'database_marker';

/** The column of `get` and `getMarked` with the server that has answered, where requested. */
export const SERVER_COLUMN = 'database_server';

/** The column of `get`, `getMarked` and lists that holds the record, which `read` reads; NULL where there is none. */
export const RECORD_COLUMN = 'record';

/**
 * The statements of every collection, compiled once: Kysely needs longer to build one than SQLite to run it.
 * `server` is SQL for `SERVER_COLUMN`.
 */
export function compileStatements(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  server?: string,
): Readonly<Record<CollectionName, TableStatements>> {
  const entries = Object.entries(tables).map(([name, table]) => [
    name,
    compileFor(kysely, dialect, table, server),
  ]);
  return Object.fromEntries(entries);
}

/** The statement with other values than those it was compiled with. */
export function bind(statement: CompiledQuery, values: readonly SqlValue[]): CompiledQuery {
  if (values.length !== statement.parameters.length) throw new TypeError(`Wrong values for ${statement.sql}`);
  return { ...statement, parameters: values };
}

function compileFor(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  table: Table,
  server?: string,
): TableStatements {
  const answeredBy = server === undefined ? [] : [sql.raw(server).as(SERVER_COLUMN)];
  const columns = Object.keys(table.columns);
  // One text with all values: drivers take longer over 25 columns than the database over the row.
  const references = columns.map((column) => `"${table.name}"."${column}"`);
  const record = sql.raw<string>(`cast(${dialect.jsonArray}(${references.join(', ')}) as text)`);
  const values = Object.fromEntries(columns.map((column) => [column, '']));
  const compiled: Readonly<
    Record<'get' | 'getMarked' | 'hold' | 'insert' | 'replace' | 'remove', Compilable>
  > = {
    get: kysely
      .selectFrom(table.name)
      .select([record.as(RECORD_COLUMN), ...answeredBy])
      .where('id', '=', ''),
    getMarked: kysely
      .selectFrom(metaTable)
      .leftJoin(table.name, (join) => join.on(`${table.name}.id`, '=', ''))
      .select(`${metaTable}.value as ${MARKER_COLUMN}`)
      .select([
        sql`case when ${sql.ref(`${table.name}.id`)} is not null then ${record} end`.as(RECORD_COLUMN),
        ...answeredBy,
      ])
      .where(`${metaTable}.name`, '=', sql.lit(MARKER_NAME)),
    hold: kysely
      .selectFrom(table.name)
      .select('account_id')
      .where('id', '=', '')
      .modifyEnd(sql.raw(dialect.lockRow)),
    insert: kysely
      .insertInto(table.name)
      .values(values)
      .onConflict((conflict) => conflict.column('id').doNothing()),
    replace: kysely.updateTable(table.name).set(values).where('id', '=', '').where('version', '=', ''),
    remove: kysely.deleteFrom(table.name).where('id', '=', '').where('version', '=', ''),
  };
  return {
    table,
    record,
    get: compiled.get.compile(),
    getMarked: compiled.getMarked.compile(),
    read: recordReader(table),
    valuesOf: recordWriter(table),
    hold: compiled.hold.compile(),
    insert: compiled.insert.compile(),
    replace: compiled.replace.compile(),
    remove: compiled.remove.compile(),
  };
}
