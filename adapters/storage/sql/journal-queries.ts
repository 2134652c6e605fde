import { type Kysely, sql } from 'kysely';
import {
  type JournalEntry,
  type JournalQuery,
  RESOLUTION_MS,
  type Tally,
  type TallyQuery,
} from '../../../src/index.ts';
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

/** How many starts are looked up one by one. A tally of more reads the rollups of everybody between them. */
const MOST_STARTS = 2_000;

/** Sums of rollups, by the primary key alone. */
export async function tallyRollups(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  query: TallyQuery,
): Promise<readonly Tally[]> {
  const { account_id, environment, agent_id, resolution, from, to, byStart } = query;
  const kinds = [...new Set(query.kinds)];
  if (kinds.length === 0 || ![account_id, agent_id].every(isSqlText)) return [];
  const starts = startsBetween(query);
  const rows = await kysely
    .selectFrom(rollupsTable.name)
    .select(['kind', 'key', byStart ? 'start' : sql<null>`null`.as('start')])
    .select((is) => is.fn.sum('count').as('sum'))
    .where('resolution', '=', resolution)
    .where(
      starts === undefined
        ? sql<boolean>`start >= ${from} and start < ${to}`
        : dialect.isOneOf('start', starts),
    )
    .where('account_id', '=', account_id)
    .where('environment', '=', environment)
    .where('agent_id', '=', agent_id)
    .where('kind', 'in', kinds)
    .groupBy(byStart ? ['kind', 'start', 'key'] : ['kind', 'key'])
    .execute();
  return rows.map((row) => ({
    start: row['start'] === null ? null : String(row['start']),
    kind: String(row['kind']) as Tally['kind'],
    key: String(row['key']),
    count: Number(row['sum']),
  }));
}

/** Every start of a rollup in [`from`, `to`), or `undefined` when they are too many. */
function startsBetween({ resolution, from, to }: TallyQuery): readonly string[] | undefined {
  const length = RESOLUTION_MS[resolution];
  const first = Math.ceil(Date.parse(from) / length);
  const number = Math.ceil(Date.parse(to) / length) - first;
  if (!(number <= MOST_STARTS)) return undefined;
  return Array.from({ length: Math.max(number, 0) }, (_, index) =>
    new Date((first + index) * length).toISOString(),
  );
}
