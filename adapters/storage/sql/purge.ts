import { type Kysely, sql } from 'kysely';
import { isExpiring, type Purgeable, RESOLUTION_MS } from '../../../src/ports/index.ts';
import type { SqlDialect } from './dialect.ts';
import type { SqlTables } from './rows.ts';
import { countersTable, rollupsTable, tables, writersTable } from './tables.ts';

interface Target {
  readonly table: string;
  readonly key: readonly string[];
  readonly age: string;
  readonly only?: string;
  /** The column before `age` in the index, with all its possible values. */
  readonly behind?: { readonly column: string; readonly values: readonly string[] };
}

export type PurgedRows = Exclude<Purgeable, 'verdicts'>;

const fixedTargets: Readonly<Record<string, Target>> = {
  counters: { table: countersTable, key: ['id'], age: 'expires_at' },
  rollups: {
    table: rollupsTable.name,
    key: Object.keys(rollupsTable.columns).slice(0, -1),
    age: 'start',
    behind: { column: 'resolution', values: Object.keys(RESOLUTION_MS) },
  },
  // Few: each is removed a day after it was used.
  writers: { table: writersTable.name, key: ['id'], age: 'seen_at', only: 'and merged >= flushed' },
};

function targetOf(purgedRows: PurgedRows): Target {
  if (isExpiring(purgedRows)) return { table: tables[purgedRows].name, key: ['id'], age: 'expires_at' };
  const target = fixedTargets[purgedRows];
  if (target === undefined) throw new TypeError(`${purgedRows} cannot be purged.`);
  return target;
}

/**
 * Removes rows that are older than `before` in one statement, and returns their number. A row that another process has
 * locked stays until the next purge, because the process may be renewing it.
 */
export async function purgeRows(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  { what, before }: { readonly what: PurgedRows; readonly before: string },
): Promise<number> {
  const { table, key, age, only = '', behind } = targetOf(what);
  const amongSql = behind && sql`${sql.ref(behind.column)} in (${sql.join(behind.values)}) and`;
  const columns = sql.join(key.map((column) => sql.ref(column)));
  // Materialized, because PostgreSQL may run a plain subquery for each row, with a different result each time.
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where (${columns}) in (
      with old as materialized (
        select ${columns} from ${sql.table(table)} where ${amongSql ?? sql``} ${sql.ref(age)} < ${before} ${sql.raw(only)} limit ${BigInt(dialect.purgeRows)}
        ${sql.raw(dialect.lockFreeRows)}
      )
      select ${columns} from old
    )`.execute(kysely);
  return Number(numAffectedRows);
}
