import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import {
  type Block,
  type BlockName,
  type RollupSum,
  rollupStarts,
  type Sums,
  type SumsPart,
  type SumsQuery,
} from '../../../../src/ports/index.ts';
import type { Calls } from '../calls.ts';
import type { SqlDialect } from '../dialect.ts';
import { isSqlText, type SqlRow, type SqlTables } from '../rows.ts';
import { blocksTable, deltasTable, writersTable } from '../tables.ts';
import { blockColumns, toBlock, toName } from './blocks.ts';
import { type DeltaRow, rangeKey } from './deltas.ts';
import { isNamed, namesOf } from './find-blocks.ts';
import { readDeltaRows } from './merge.ts';
import { sumRollups } from './rollups.ts';

export async function readSums(calls: Calls, dialect: SqlDialect, query: SumsQuery): Promise<Sums> {
  const { account_id, agent_id } = query;
  if (!isSqlText(account_id)) return { parts: query.parts.map(() => []), unmerged: [] };
  return calls.askAtOnce(async (connection) => {
    const rows = isSqlText(agent_id) ? await findDeltas(connection, query) : [];
    const parts: (readonly RollupSum[])[] = [];
    for (const part of query.parts) {
      const sums = isSqlText(agent_id) ? await sumRollups(connection, dialect, query, part) : [];
      parts.push(rows.length === 0 ? sums : withDeltas(sums, rows, part));
    }
    return { parts, unmerged: await findUnmerged(connection, dialect, account_id) };
  });
}

async function findDeltas(
  connection: Kysely<SqlTables>,
  { account_id, environment, agent_id }: SumsQuery,
): Promise<readonly DeltaRow[]> {
  const table = sql.table(deltasTable);
  const key = rangeKey(account_id, environment, agent_id);
  // Compared here, because the database orders texts differently.
  const ranges = await sql<SqlRow>`select id, from_key, to_key from ${table}`.execute(connection);
  const foundRows: DeltaRow[] = [];
  for (const { id, from_key, to_key } of ranges.rows) {
    if (key < String(from_key) || key > String(to_key)) continue;
    const { rows } = await sql<SqlRow>`select deltas from ${table} where id = ${String(id)}`.execute(
      connection,
    );
    for (const row of rows.flatMap(readDeltaRows)) {
      const [, account, rowEnvironment, agent] = row;
      if (account === account_id && rowEnvironment === environment && agent === agent_id) foundRows.push(row);
    }
  }
  return foundRows;
}

function withDeltas(
  sums: readonly RollupSum[],
  rows: readonly DeltaRow[],
  { resolution, kinds, from, to, byStart }: SumsPart,
): readonly RollupSum[] {
  const knownSums = new Map(sums.map((sum) => [sumKey(sum), sum]));
  for (const [minute, , , , kind, key, count] of rows) {
    const start = rollupStarts(minute)[resolution];
    const isAsked = (kinds as readonly string[]).includes(kind) && start >= from && start < to;
    if (!isAsked) continue;
    const addedSum = { start: byStart ? start : null, kind: kind as RollupSum['kind'], key };
    const name = sumKey(addedSum);
    knownSums.set(name, { ...addedSum, count: count + (knownSums.get(name)?.count ?? 0) });
  }
  return [...knownSums.values()];
}

function sumKey({ start, kind, key }: Omit<RollupSum, 'count'>): string {
  return JSON.stringify([start, kind, key]);
}

/** The number of blocks that a statement reads, which are 1 to 2 MB. */
const BLOCKS_AT_ONCE = 8;

async function findUnmerged(
  connection: Kysely<SqlTables>,
  dialect: SqlDialect,
  account_id: string,
): Promise<readonly Block[]> {
  const blocks = sql.table(blocksTable.name);
  const query = sql<SqlRow>`
    select id, merged, flushed from ${sql.table(writersTable.name)} where merged < flushed`;
  const names: BlockName[] = [];
  // One query for each writer, with its range of numbers, so that the planner uses the primary key.
  for (const { id, merged, flushed } of (await query.execute(connection)).rows) {
    const { rows } = await sql<SqlRow>`
      select writer, seq, account_id from ${blocks} where writer = ${String(id)}
        and seq > ${BigInt(String(merged))} and seq <= ${BigInt(String(flushed))} and account_id = ${account_id}`.execute(
      connection,
    );
    names.push(...rows.map(toName));
  }
  const foundBlocks: Block[] = [];
  for (let start = 0; start < names.length; start += BLOCKS_AT_ONCE) {
    if (start > 0) await setImmediate();
    const someNames = names.slice(start, start + BLOCKS_AT_ONCE);
    const { rows } = await sql<SqlRow>`
      select ${blockColumns} from ${namesOf(dialect, someNames)} join ${blocks} as b on ${isNamed(dialect)}`.execute(
      connection,
    );
    foundBlocks.push(...rows.map(toBlock));
  }
  return foundBlocks;
}
