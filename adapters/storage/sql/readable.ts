import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { SqlTables } from './rows.ts';
import {
  blocksTable,
  countersTable,
  deltasTable,
  metaTable,
  rollupsTable,
  tables,
  writersTable,
} from './tables.ts';

/** All tables, with the columns that are read. */
const READ: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    [...Object.values(tables), writersTable, rollupsTable].map(({ name, columns }) => [
      name,
      Object.keys(columns),
    ]),
  ),
  [blocksTable.name]: [...blocksTable.header, ...blocksTable.bytes],
  [deltasTable]: ['id', 'from_key', 'to_key', 'deltas'],
  [countersTable]: ['id', 'value', 'expires_at'],
  [metaTable]: ['name', 'value'],
};

/** Compiles a statement that reads no rows, and fails if a table or column is missing or must not be read. */
export function compileReadable(kysely: Kysely<SqlTables>): CompiledQuery {
  const looks = Object.entries(READ).map(
    ([table, columns]) =>
      sql`exists (select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)} where 1 = 0)`,
  );
  return sql`select 1 where ${sql.join(looks, sql` or `)}`.compile(kysely);
}
