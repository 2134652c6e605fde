import { type Kysely, sql } from 'kysely';
import {
  type BlockName,
  type JournalErasure,
  MAX_PURGED_BLOCKS,
  RESOLUTION_MS,
  type Resolution,
} from '../../../../src/ports/index.ts';
import type { Calls } from '../calls.ts';
import type { SqlDialect } from '../dialect.ts';
import { isSqlText, type SqlRow, type SqlTables } from '../rows.ts';
import { blocksTable, rollupsTable } from '../tables.ts';
import { toName } from './blocks.ts';
import { removeBlocks, takeRemovalTurn } from './remove-blocks.ts';

export interface EraseParts {
  readonly calls: Calls;
  readonly dialect: SqlDialect;
  /** Resolves when all merged deltas are in the rollups. */
  readonly settle: () => Promise<void>;
}

/**
 * Removes one piece: first blocks, then the rollups of one day after another. Returns the start of the next piece;
 * `null` at the end.
 */
export async function eraseJournal(
  { calls, dialect, settle }: EraseParts,
  { account_id, agent_id, from = '' }: JournalErasure,
): Promise<string | null> {
  if (!isSqlText(account_id) || (agent_id !== undefined && !isSqlText(agent_id))) return null;
  if (from === '' && agent_id === undefined) {
    const isMore = await calls.store((connection) => eraseBlocks(connection, dialect, account_id));
    return isMore ? '' : FIRST;
  }
  if (from === '' || from === FIRST) await settle();
  return calls.store((connection) => eraseDay(connection, dialect, { account_id, agent_id, from }));
}

const FIRST = '0';

async function eraseBlocks(
  connection: Kysely<SqlTables>,
  dialect: SqlDialect,
  account_id: string,
): Promise<boolean> {
  await takeRemovalTurn(connection, dialect);
  const { rows } = await sql<SqlRow>`
    select writer, seq, account_id from ${sql.table(blocksTable.name)}
    where account_id = ${account_id} limit ${BigInt(MAX_PURGED_BLOCKS)}`.execute(connection);
  await removeBlocks(connection, rows.map(toName));
  return rows.length === MAX_PURGED_BLOCKS;
}

interface DayToErase {
  readonly account_id: string;
  readonly agent_id: string | undefined;
  readonly from: string;
}

/**
 * Removes rollups of the account, from the first day at or after `from` that has rollups. Returns the next
 * day, or the same day if it has more rollups. The primary key begins with resolution and start, so the
 * database looks up each start of the day. Rollups of other days do not make it slower.
 */
async function eraseDay(
  connection: Kysely<SqlTables>,
  dialect: SqlDialect,
  { account_id, agent_id, from }: DayToErase,
): Promise<string | null> {
  const day = await dayFrom(connection, from);
  if (day === undefined) return null;
  for (const resolution of ['minute', 'hour', 'day'] as const) {
    const removedResult = await sql`
      delete from ${rollups} where (${keyColumns}) in (
        with chosen as materialized (
          select ${keyColumns} from ${rollups}
          where resolution = ${resolution} and ${dialect.isOneOf('start', startsOf(day, resolution))}
            and account_id = ${account_id} ${agent_id === undefined ? sql`` : sql`and (agent_id = ${agent_id} or (agent_id = '' and count <= 0))`}
          limit ${BigInt(dialect.purgeRows)}
        )
        select ${keyColumns} from chosen
      )`.execute(connection);
    if (Number(removedResult.numAffectedRows ?? 0n) === dialect.purgeRows) return toStart(day);
  }
  return toStart(day + RESOLUTION_MS.day);
}

const rollups = sql.table(rollupsTable.name);
const keyColumns = sql.raw(Object.keys(rollupsTable.columns).slice(0, -1).join(', '));

/**
 * Finds the first day with a rollup of any account. The row of a day may be purged before the rows of its hours and
 * minutes.
 */
async function dayFrom(connection: Kysely<SqlTables>, begin: string): Promise<number | undefined> {
  const firsts = Object.keys(RESOLUTION_MS).map(
    (resolution) =>
      sql`select min(start) as start from ${rollups} where resolution = ${resolution} and start >= ${begin}`,
  );
  const { rows } = await sql<SqlRow>`${sql.join(firsts, sql` union all `)}`.execute(connection);
  const starts = rows.flatMap(({ start }) => (start === null ? [] : [Date.parse(String(start))]));
  if (starts.length === 0) return undefined;
  return Math.floor(Math.min(...starts) / RESOLUTION_MS.day) * RESOLUTION_MS.day;
}

function startsOf(day: number, resolution: Resolution): readonly string[] {
  const length = RESOLUTION_MS[resolution];
  return Array.from({ length: RESOLUTION_MS.day / length }, (_, index) => toStart(day + index * length));
}

function toStart(ms: number): string {
  return new Date(ms).toISOString();
}

interface TextErasure {
  readonly name: BlockName;
  readonly erased: number;
  readonly erasable: Uint8Array;
}

export async function eraseTexts(
  { calls, dialect }: { readonly calls: Calls; readonly dialect: SqlDialect },
  { name, erased, erasable }: TextErasure,
): Promise<boolean> {
  const { writer, seq, account_id } = name;
  if (!isSqlText(writer) || !isSqlText(account_id)) return false;
  return calls.store(async (connection) => {
    await takeRemovalTurn(connection, dialect);
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(blocksTable.name)} set erasable = ${Buffer.from(erasable)}, erased = erased + 1
      where writer = ${writer} and seq = ${BigInt(seq)} and account_id = ${account_id}
        and erased = ${BigInt(erased)}`.execute(connection);
    return numAffectedRows > 0n;
  }, Boolean);
}
