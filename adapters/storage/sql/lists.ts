import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import {
  assertPageSize,
  type DuePart,
  type ExpiredQuery,
  type Instant,
  type ListQuery,
  type StoredRecord,
} from '../../../src/ports/index.ts';
import { isSqlText, type SqlTables } from './rows.ts';
import { RECORD_COLUMN, type TableStatements } from './statements.ts';

/** Reads one page of a collection. */
export async function listRecords(
  kysely: Kysely<SqlTables>,
  statements: TableStatements,
  { where, after, limit }: ListQuery,
): Promise<readonly StoredRecord[]> {
  const page = selectFrom(kysely, statements, where, limit);
  if (page === undefined) return [];
  const behind =
    after === undefined
      ? page
      : page.where(sql<boolean>`(created_at, id) < (${after.created_at}, ${after.id})`);
  const rows = await behind.orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
  return rows.map((row) => statements.read(row[RECORD_COLUMN]));
}

/** Reads one page of the expired records of a collection. */
export async function listExpiredRecords(
  kysely: Kysely<SqlTables>,
  statements: TableStatements,
  { where, by, after, limit }: ExpiredQuery,
): Promise<readonly StoredRecord[]> {
  const page = selectFrom(kysely, statements, where, limit)?.where('expires_at', 'is not', null);
  if (page === undefined) return [];
  // One condition implies the other, and an index scan uses only one bound.
  const behind =
    after === undefined || after.expires_at > by
      ? page.where('expires_at', '<=', by)
      : page.where(sql<boolean>`(expires_at, id) < (${after.expires_at}, ${after.id})`);
  const rows = await behind.orderBy('expires_at', 'desc').orderBy('id', 'desc').execute();
  return rows.map((row) => statements.read(row[RECORD_COLUMN]));
}

/** A page of due records. */
export interface DueQuery extends DuePart {
  readonly before: Instant;
  readonly limit: number;
}

/** Reads records that are due, the earliest first. */
export async function listDueRecords(
  kysely: Kysely<SqlTables>,
  statements: TableStatements,
  { before, limit, where = {}, after }: DueQuery,
): Promise<readonly StoredRecord[]> {
  const due = selectFrom(kysely, statements, where, limit)?.where('due_at', '<=', before);
  const behind = after && due?.where(sql<boolean>`(due_at, id) > (${after.due_at}, ${after.id})`);
  const rows = (await (behind ?? due)?.orderBy('due_at').orderBy('id').execute()) ?? [];
  return rows.map((row) => statements.read(row[RECORD_COLUMN]));
}

/** Builds the query; `undefined` if a condition has a text that cannot be stored, so that no row can match. */
function selectFrom(
  kysely: Kysely<SqlTables>,
  { table: { name, columns }, record }: TableStatements,
  where: Readonly<Record<string, string>>,
  limit: number,
): SelectQueryBuilder<SqlTables, string, Record<string, unknown>> | undefined {
  assertPageSize(limit);
  let page = kysely.selectFrom(name).select(record.as(RECORD_COLUMN)).limit(BigInt(limit));
  for (const [field, value] of Object.entries(where)) {
    const kind = Object.hasOwn(columns, field) ? columns[field] : undefined;
    if (!kind?.startsWith('text'))
      throw new TypeError(`${name} cannot be listed by ${JSON.stringify(field)}.`);
    if (!isSqlText(value)) return undefined;
    page = page.where(field, '=', value);
  }
  return page;
}
