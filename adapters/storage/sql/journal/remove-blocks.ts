import { type Kysely, sql } from 'kysely';
import { type BlockHeader, type BlockName, MAX_PURGED_BLOCKS } from '../../../../src/ports/index.ts';
import type { SqlDialect } from '../dialect.ts';
import { IDENTITY_NAME } from '../identity.ts';
import { isSqlText, type SqlRow, type SqlTables } from '../rows.ts';
import { blocksTable, metaTable, writersTable } from '../tables.ts';
import { toName } from './blocks.ts';

const blocks = sql.table(blocksTable.name);
const writers = sql.table(writersTable.name);

/**
 * Takes the lock of removals until the transaction ends. Without the lock, a purge would skip blocks that a compaction
 * has locked, and each would see only a part of the other's changes.
 */
export async function takeRemovalTurn(connection: Kysely<SqlTables>, dialect: SqlDialect): Promise<void> {
  await sql`
    select value from ${sql.table(metaTable)} where name = ${IDENTITY_NAME} ${sql.raw(dialect.lockRow)}`.execute(
    connection,
  );
}

/**
 * Removes blocks by their names within a transaction, and returns how many existed. Each block has its own statement,
 * because for a list of names SQLite would search by the account only.
 */
export async function removeBlocks(
  connection: Kysely<SqlTables>,
  names: readonly BlockName[],
): Promise<number> {
  let removedCount = 0;
  for (const { writer, seq, account_id } of names) {
    if (!isSqlText(writer) || !isSqlText(account_id)) continue;
    const { numAffectedRows = 0n } = await sql`
      delete from ${blocks}
      where writer = ${writer} and seq = ${BigInt(seq)} and account_id = ${account_id}`.execute(connection);
    removedCount += Number(numAffectedRows);
  }
  return removedCount;
}

export async function removeFound(
  connection: Kysely<SqlTables>,
  headers: readonly BlockHeader[],
): Promise<number> {
  let removedCount = 0;
  for (const header of headers) {
    const isSame = blocksTable.header.map((column) => {
      const value = header[column];
      return sql`${sql.ref(column)} = ${typeof value === 'number' ? BigInt(value) : value}`;
    });
    const { numAffectedRows = 0n } = await sql`
      delete from ${blocks} where ${sql.join(isSame, sql` and `)}`.execute(connection);
    removedCount += Number(numAffectedRows);
  }
  return removedCount;
}

/**
 * Removes the oldest merged blocks that end before an instant, up to a maximum, within a transaction. Returns the
 * number of removed records, but at least 1 for each block.
 */
export async function purgeBlocks(
  connection: Kysely<SqlTables>,
  dialect: SqlDialect,
  cutoff: string,
): Promise<number> {
  await takeRemovalTurn(connection, dialect);
  const { rows } = await sql<SqlRow>`
    select writer, seq, account_id, records from ${blocks} as b
    where to_ms < ${BigInt(Date.parse(cutoff))}
      and not exists (select 1 from ${writers} as w where w.id = b.writer and w.merged < b.seq)
    order by to_ms limit ${BigInt(MAX_PURGED_BLOCKS)}`.execute(connection);
  if (rows.length > 0) await removeBlocks(connection, rows.map(toName));
  return rows.reduce((sum, { records }) => sum + Math.max(Number(records), 1), 0);
}
