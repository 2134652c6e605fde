import { type Kysely, sql } from 'kysely';
import type { JournalEntry, JournalQuery, Tally, TallyQuery } from '../../../src/index.ts';
import { toReasonCodes } from './append.ts';
import type { SqlDialect } from './dialect.ts';
import { isSqlText, type SqlTables, toRecord } from './rows.ts';
import { reasonCodesColumn, rollupsTable, verdictsTable } from './tables.ts';

const READ_LIMIT = 1_000;

/** One page of the verdicts, by a walk through an index. */
export async function readEntries(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  query: JournalQuery,
): Promise<readonly JournalEntry[]> {
  if (!(query.limit >= 1 && query.limit <= READ_LIMIT)) throw new RangeError('limit must be 1 to 1,000.');
  const { account_id, agent_id, verdict, environment, reason, from, to, after, limit } = query;
  let page = kysely.selectFrom(verdictsTable.name).select(Object.keys(verdictsTable.columns));
  for (const [column, text] of Object.entries({ account_id, agent_id, environment })) {
    if (text === undefined) continue;
    if (!isSqlText(text)) return [];
    page = page.where(column, '=', text);
  }
  if (reason !== undefined) {
    if (!isSqlText(reason)) return [];
    const position = sql`${sql.raw(dialect.position)}(${sql.ref(reasonCodesColumn)}, ${toReasonCodes([reason])})`;
    page = page.where(sql<boolean>`${position} > 0`);
  }
  // As literals, for the index of the denials; only they have reasons.
  if (verdict === 'DENY' || reason !== undefined) page = page.where(sql<boolean>`verdict = 'DENY'`);
  if (verdict === 'ALLOW') page = page.where(sql<boolean>`verdict = 'ALLOW'`);
  if (from !== undefined) page = page.where('created_at', '>=', from);
  if (to !== undefined) page = page.where('created_at', '<', to);
  if (after !== undefined) {
    page = page.where(sql<boolean>`(created_at, id) < (${after.created_at}, ${after.id})`);
  }
  const rows = await page.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(BigInt(limit)).execute();
  return rows.map((row) => toRecord<JournalEntry>(verdictsTable, row));
}

/** Sums of rollups, by the primary key alone. */
export async function tallyRollups(kysely: Kysely<SqlTables>, query: TallyQuery): Promise<readonly Tally[]> {
  const { account_id, environment, agent_id, resolution, from, to, byStart } = query;
  const kinds = [...new Set(query.kinds)];
  if (kinds.length === 0 || ![account_id, agent_id].every(isSqlText)) return [];
  const rows = await kysely
    .selectFrom(rollupsTable.name)
    .select(['kind', 'key', byStart ? 'start' : sql<null>`null`.as('start')])
    .select((is) => is.fn.sum('count').as('sum'))
    .where('account_id', '=', account_id)
    .where('environment', '=', environment)
    .where('resolution', '=', resolution)
    .where('agent_id', '=', agent_id)
    .where('kind', 'in', kinds)
    .where('start', '>=', from)
    .where('start', '<', to)
    .groupBy(byStart ? ['kind', 'start', 'key'] : ['kind', 'key'])
    .execute();
  return rows.map((row) => ({
    start: row['start'] === null ? null : String(row['start']),
    kind: String(row['kind']) as Tally['kind'],
    key: String(row['key']),
    count: Number(row['sum']),
  }));
}
