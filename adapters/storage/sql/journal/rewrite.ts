import { type Kysely, sql } from 'kysely';
import type { Block, BlockRewriting } from '../../../../src/ports/index.ts';
import type { Calls } from '../calls.ts';
import type { SqlDialect } from '../dialect.ts';
import { isSqlText, type SqlRow, type SqlTables } from '../rows.ts';
import { blocksTable, writersTable } from '../tables.ts';
import { nameOf, toHeader } from './blocks.ts';
import { toDeltaRows, toParts } from './deltas.ts';
import type { InsertBlocks } from './insert-blocks.ts';
import { removeBlocks, takeRemovalTurn } from './remove-blocks.ts';
import type { AddToRollups } from './rollups.ts';

export interface RewriteParts {
  readonly calls: Calls;
  readonly dialect: SqlDialect;
  readonly insert: InsertBlocks;
  readonly add: AddToRollups;
}

export async function rewriteBlock(
  { calls, dialect, insert, add }: RewriteParts,
  { found, into, rollups }: BlockRewriting,
): Promise<boolean> {
  if (!isSqlText(found.writer) || !isSqlText(found.account_id)) return false;
  if (into !== undefined && nameOf(into) !== nameOf(found)) return false;
  const packedBlocks = insert.pack(into === undefined ? [] : [into]);
  const parts = await toParts(toDeltaRows(rollups), dialect.addedDeltas);
  return calls.store(async (connection) => {
    await takeRemovalTurn(connection, dialect);
    if (!(await isStored(connection, found))) return false;
    await removeBlocks(connection, [found]);
    await insert.run(connection, packedBlocks);
    await add(
      connection,
      parts.flatMap(({ rows }) => rows),
    );
    return true;
  }, Boolean);
}

async function isStored(connection: Kysely<SqlTables>, block: Block): Promise<boolean> {
  const { rows } = await sql<SqlRow>`
    select ${sql.raw(blocksTable.header.map((column) => `b.${column}`).join(', '))}, length(b.data) as bytes, w.merged
    from ${sql.table(blocksTable.name)} as b
    left join ${sql.table(writersTable.name)} as w on w.id = b.writer
    where b.writer = ${block.writer} and b.seq = ${BigInt(block.seq)} and b.account_id = ${block.account_id}`.execute(
    connection,
  );
  const [row] = rows;
  if (row === undefined || Number(row['bytes']) !== block.data.length) return false;
  const isMerged = row['merged'] === null || block.seq <= Number(row['merged']);
  const storedFields: Readonly<Record<string, unknown>> = { ...toHeader(row) };
  return isMerged && blocksTable.header.every((column) => storedFields[column] === block[column]);
}
