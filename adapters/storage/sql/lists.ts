import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { ListQuery, StoredRecord } from '../../../src/ports/index.ts';
import { isSqlText, type SqlTables } from './rows.ts';
import { RECORD_COLUMN, type TableStatements } from './statements.ts';

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
