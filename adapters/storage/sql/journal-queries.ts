import { type Kysely, type RawBuilder, sql } from 'kysely';
import {
  type JournalEntry,
  type JournalPiece,
  type JournalQuery,
  type Position,
  RESOLUTION_MS,
  type RollupQuery,
  type RollupSum,
} from '../../../src/ports/index.ts';
import { toReasonCodes } from './append.ts';
import type { SqlDialect } from './dialect.ts';
import { isSqlText, type SqlRow, type SqlTables, toRecord } from './rows.ts';
import { reasonCodesColumn, rollupsTable, verdictsTable } from './tables.ts';

const READ_LIMIT = 1_000;

/** What is walked through, and what is asked of each row on the way. */
interface Walk {
  /** Conditions that the index answers, but for the oldest instant. */
  readonly within: RawBuilder<unknown>;
  readonly oldest: string;
  readonly filters: readonly RawBuilder<unknown>[];
}

/**
 * The verdicts that fit, among as many rows of one index as a statement may walk. Where the index holds nothing but
 * what fits, a page is all that is walked.
 */
export async function readEntries(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  query: JournalQuery,
): Promise<JournalPiece> {
  const { limit, account_id, agent_id = '', environment = '', reason = '' } = query;
  if (!(limit >= 1 && limit <= READ_LIMIT)) throw new RangeError('limit must be 1 to 1,000.');
  if (![account_id, agent_id, environment, reason].every(isSqlText)) return { entries: [], next: null };
  const { within, oldest, filters } = walkOf(dialect, query);
  const columns = sql.join(Object.keys(verdictsTable.columns).map((column) => sql.ref(column)));
  const verdicts = sql`from ais_verdicts where ${within}`;
  const order = sql`order by created_at desc, id desc`;
  if (filters.length === 0) {
    const { rows } = await sql<SqlRow>`
      select ${columns} ${verdicts} and created_at >= ${oldest} ${order} limit ${BigInt(limit)}`.execute(
      kysely,
    );
    return toPiece(rows, limit, undefined);
  }
  // Where the walk ends is looked for first, in the index alone: it is told even when nothing fits.
  const { rows } = await sql<SqlRow>`
    with stop as materialized (
      select created_at, id ${verdicts} and created_at >= ${oldest} ${order}
      limit 1 offset ${BigInt(dialect.walkRows - 1)}
    )
    select stop.created_at as stop_at, stop.id as stop_id, page.*
    from (select 1 as one) as always left join stop on true left join (
      select ${columns} ${verdicts} and created_at >= coalesce((select created_at from stop), ${oldest})
        and not exists (
          select 1 from stop where (ais_verdicts.created_at, ais_verdicts.id) < (stop.created_at, stop.id)
        )
        and ${sql.join(filters, sql` and `)}
      ${order} limit ${BigInt(limit)}
    ) as page on true
    order by page.created_at desc, page.id desc`.execute(kysely);
  const [first] = rows;
  const stop = { created_at: String(first?.['stop_at']), id: String(first?.['stop_id']) };
  const isWhole = (first?.['stop_at'] ?? null) === null;
  return toPiece(first?.['id'] == null ? [] : rows, limit, isWhole ? undefined : stop);
}

function walkOf(dialect: SqlDialect, query: JournalQuery): Walk {
  const { account_id, agent_id, verdict, environment, reason, from, to, after } = query;
  const within = [sql`account_id = ${account_id}`];
  const filters: RawBuilder<unknown>[] = [];
  // As a literal, for the index of the denials; only they have reasons. That of an agent holds all its verdicts.
  const isDenied = agent_id === undefined && (verdict === 'DENY' || reason !== undefined);
  if (agent_id !== undefined) within.push(sql`agent_id = ${agent_id}`);
  if (isDenied) within.push(sql`verdict = 'DENY'`);
  // One of them is enough, and all that an index takes as its end.
  const isAfterInside = after !== undefined && (to === undefined || after.created_at < to);
  if (isAfterInside) within.push(sql`(created_at, id) < (${after.created_at}, ${after.id})`);
  else if (to !== undefined) within.push(sql`created_at < ${to}`);
  if (environment !== undefined) filters.push(sql`environment = ${environment}`);
  if (verdict !== undefined && !(isDenied && verdict === 'DENY')) filters.push(sql`verdict = ${verdict}`);
  if (reason !== undefined) {
    const position = sql`${sql.raw(dialect.position)}(${sql.ref(reasonCodesColumn)}, ${toReasonCodes([reason])})`;
    filters.push(sql`${position} > 0`);
  }
  return { within: sql.join(within, sql` and `), oldest: from ?? '', filters };
}

/** The rows as a piece; one that is not full goes on at the stop, where there is one. */
function toPiece(rows: readonly SqlRow[], limit: number, stop: Position | undefined): JournalPiece {
  const entries = rows.map((row) => toRecord<JournalEntry>(verdictsTable, row));
  const last = entries.length === limit ? entries.at(-1) : stop;
  return { entries, next: last === undefined ? null : { created_at: last.created_at, id: last.id } };
}

/** How many starts are looked up one by one. A sum of more reads the rollups of everybody between them. */
const MAX_STARTS = 2_000;

/** Sums of rollups, by the primary key alone. */
export async function sumRollups(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  query: RollupQuery,
): Promise<readonly RollupSum[]> {
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
    kind: String(row['kind']) as RollupSum['kind'],
    key: String(row['key']),
    count: Number(row['sum']),
  }));
}

/** Every start of a rollup in [`from`, `to`), or `undefined` when they are too many. */
function startsBetween({ resolution, from, to }: RollupQuery): readonly string[] | undefined {
  const length = RESOLUTION_MS[resolution];
  const first = Math.ceil(Date.parse(from) / length);
  const number = Math.ceil(Date.parse(to) / length) - first;
  if (!(number <= MAX_STARTS)) return undefined;
  return Array.from({ length: Math.max(number, 0) }, (_, index) =>
    new Date((first + index) * length).toISOString(),
  );
}
