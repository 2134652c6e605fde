import {
  type Compilable,
  type CompiledQuery,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import type { CollectionName, ListQuery, StoredRecord } from '../../../src/ports/index.ts';
import type { SqlDialect } from './dialect.ts';
import { IDENTITY_NAME } from './identity.ts';
import {
  isSqlText,
  type RowFields,
  recordReader,
  recordWriter,
  type SqlTables,
  type SqlValue,
} from './rows.ts';
import { metaTable, type Table, tables } from './tables.ts';

export interface TableStatements {
  readonly table: Table;
  /** Parameter: the id. Returns a row with the record in `RECORD_COLUMN`, or no row. */
  readonly get: CompiledQuery;
  /**
   * Parameter: the id. Returns a row with the identity of the database and the result of `get` in one
   * snapshot, or no row.
   */
  readonly getMarked: CompiledQuery;
  /**
   * Parameter: a JSON array of ids. Returns, in one snapshot, a row for each id, with the id and the columns of
   * `getMarked`. PostgreSQL only.
   */
  readonly getSeveral?: CompiledQuery | undefined;
  /** The SQL expression of the record. Select it as `RECORD_COLUMN`. */
  readonly record: RawBuilder<string>;
  readonly read: (column: unknown) => StoredRecord;
  readonly valuesOf: (record: RowFields) => readonly SqlValue[];
  /** Parameter: the id. Locks the row until the transaction ends. */
  readonly hold: CompiledQuery;
  /** Parameters: the values of a record. Affects no row if the id already exists. */
  readonly insert: CompiledQuery;
  /**
   * Parameters: the values of a record, its id and its expected version. Affects no row if another version is stored.
   */
  readonly replace: CompiledQuery;
  /** Parameters: an id and its expected version. Affects no row if another version is stored. */
  readonly remove: CompiledQuery;
}

export const IDENTITY_COLUMN = 'database_identity';

export const ID_COLUMN = 'record_id';

export const SERVER_COLUMN = 'database_server';

export const RECORD_COLUMN = 'record';

/**
 * Compiles the statements of all collections in advance. Kysely takes longer to build a statement than SQLite takes to
 * run it. `server` is the SQL of `SERVER_COLUMN`.
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
  // One JSON text with all values: drivers take longer to decode 25 columns than the database to read the row.
  const references = columns.map((column) => `"${table.name}"."${column}"`);
  const record = sql.raw<string>(`cast(${dialect.jsonArray}(${references.join(', ')}) as text)`);
  const values = Object.fromEntries(columns.map((column) => [column, '']));
  const compiledQueries: Readonly<
    Record<'get' | 'getMarked' | 'hold' | 'insert' | 'replace' | 'remove', Compilable>
  > = {
    get: kysely
      .selectFrom(table.name)
      .select([record.as(RECORD_COLUMN), ...answeredBy])
      .where('id', '=', ''),
    getMarked: kysely
      .selectFrom(metaTable)
      .leftJoin(table.name, (join) => join.on(`${table.name}.id`, '=', ''))
      .select(`${metaTable}.value as ${IDENTITY_COLUMN}`)
      .select([
        sql`case when ${sql.ref(`${table.name}.id`)} is not null then ${record} end`.as(RECORD_COLUMN),
        ...answeredBy,
      ])
      .where(`${metaTable}.name`, '=', sql.lit(IDENTITY_NAME)),
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
    get: compiledQueries.get.compile(),
    getMarked: compiledQueries.getMarked.compile(),
    getSeveral: dialect.textElements && severalOf(kysely, dialect.textElements, { table, record, server }),
    read: recordReader(table),
    valuesOf: recordWriter(table),
    hold: compiledQueries.hold.compile(),
    insert: compiledQueries.insert.compile(),
    replace: compiledQueries.replace.compile(),
    remove: compiledQueries.remove.compile(),
  };
}

/** Compiles `getSeveral`. Its subquery makes the database look up each id in the index, for tables of any size. */
function severalOf(
  kysely: Kysely<SqlTables>,
  textElements: (json: string) => RawBuilder<unknown>,
  { table, record, server }: { table: Table; record: RawBuilder<string>; server: string | undefined },
): CompiledQuery {
  const answeredBy = server === undefined ? sql`` : sql`, ${sql.raw(server)} as ${sql.ref(SERVER_COLUMN)}`;
  return sql`
    select ${sql.table(metaTable)}.value as ${sql.ref(IDENTITY_COLUMN)}, element.value as ${sql.ref(ID_COLUMN)},
      found.record as ${sql.ref(RECORD_COLUMN)}${answeredBy}
    from ${sql.table(metaTable)} cross join ${textElements('')}
    left join lateral
      (select ${record} as record from ${sql.table(table.name)} where id = element.value offset 0) as found on true
    where ${sql.table(metaTable)}.name = ${sql.lit(IDENTITY_NAME)}`.compile(kysely);
}

export async function listRecords(
  kysely: Kysely<SqlTables>,
  statements: TableStatements,
  { where, order = 'created_at', until, after, limit }: ListQuery,
): Promise<readonly StoredRecord[]> {
  const page = selectFrom(kysely, statements, where, limit);
  if (page === undefined) return [];
  const isRising = order === 'due_at';
  const instant = after?.[order];
  // The bounds of a falling list imply each other, and an index scan uses only one.
  const isInside =
    after !== undefined && instant !== undefined && (isRising || until === undefined || instant <= until);
  let part = order === 'expires_at' ? page.where(order, 'is not', null) : page;
  if (until !== undefined && (isRising || !isInside)) part = part.where(order, '<=', until);
  if (isInside) {
    const beyond = sql.raw(isRising ? '>' : '<');
    part = part.where(sql<boolean>`(${sql.ref(order)}, id) ${beyond} (${instant}, ${after.id})`);
  }
  const direction = isRising ? 'asc' : 'desc';
  const rows = await part.orderBy(order, direction).orderBy('id', direction).execute();
  return rows.map((row) => statements.read(row[RECORD_COLUMN]));
}

/**
 * Builds the query. Returns `undefined` if a condition has a text that cannot be stored, because then no row can match.
 */
function selectFrom(
  kysely: Kysely<SqlTables>,
  { table: { name, columns }, record }: TableStatements,
  filter: Readonly<Record<string, string>>,
  limit: number,
): SelectQueryBuilder<SqlTables, string, Record<string, unknown>> | undefined {
  let page = kysely.selectFrom(name).select(record.as(RECORD_COLUMN)).limit(BigInt(limit));
  for (const [field, value] of Object.entries(filter)) {
    const kind = Object.hasOwn(columns, field) ? columns[field] : undefined;
    if (!kind?.startsWith('text'))
      throw new TypeError(`${name} cannot be listed by ${JSON.stringify(field)}.`);
    if (!isSqlText(value)) return undefined;
    page = page.where(field, '=', value);
  }
  return page;
}
