import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { SqlTables } from './rows.ts';
import { columnsByTable } from './tables.ts';

/** Compiles a statement that reads no rows. It fails if a table or column is missing or cannot be read. */
export function compileReadable(kysely: Kysely<SqlTables>): CompiledQuery {
  const looks = Object.entries(columnsByTable).map(
    ([table, columns]) =>
      sql`exists (select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)} where 1 = 0)`,
  );
  return sql`select 1 where ${sql.join(looks, sql` or `)}`.compile(kysely);
}
