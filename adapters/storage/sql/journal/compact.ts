import { type Kysely, sql } from 'kysely';
import {
  type Block,
  type BlockHeader,
  type BlockName,
  type BlockRewriting,
  isFinal,
  keepsCounts,
} from '../../../../src/ports/index.ts';
import type { Calls } from '../calls.ts';
import type { SqlDialect } from '../dialect.ts';
import { isSqlText, type SqlRow, type SqlTables } from '../rows.ts';
import { blocksTable, writersTable } from '../tables.ts';
import { nameOf, toHeader } from './blocks.ts';
import { toDeltaRows, toParts } from './deltas.ts';
import type { InsertBlocks } from './insert-blocks.ts';
import { removeBlocks, removeFound, takeRemovalTurn } from './remove-blocks.ts';
import type { AddToRollups } from './rollups.ts';

export interface CompactParts {
  readonly calls: Calls;
  readonly dialect: SqlDialect;
  readonly insert: InsertBlocks;
}

/**
 * Replaces blocks by one block. Returns `false` if a block is not merged into the rollups, differs from its header, or
 * is final. A final block is kept for the evidence log. A single block that keeps its counts need not be merged.
 */
export async function compactBlocks(
  { calls, dialect, insert }: CompactParts,
  headers: readonly BlockHeader[],
  targetBlock: Block,
): Promise<boolean> {
  if (!areOfOne(headers, targetBlock) || headers.some(isFinal)) return false;
  if (!isSqlText(targetBlock.writer) || !isSqlText(targetBlock.account_id)) return false;
  const packedBlocks = insert.pack([targetBlock]);
  return calls.store(async (connection) => {
    await takeRemovalTurn(connection, dialect);
    if (!keepsCounts(headers, targetBlock) && !(await areMerged(connection, targetBlock.writer, headers)))
      return false;
    if ((await removeFound(connection, headers)) < headers.length) return false;
    await insert.run(connection, packedBlocks);
    return true;
  }, Boolean);
}

async function areMerged(
  connection: Kysely<SqlTables>,
  writer: string,
  names: readonly BlockName[],
): Promise<boolean> {
  const query = sql<SqlRow>`select merged from ${sql.table(writersTable.name)} where id = ${writer}`;
  const [row] = (await query.execute(connection)).rows;
  return row === undefined || names.every(({ seq }) => seq <= Number(row['merged']));
}

function areOfOne(names: readonly BlockName[], targetBlock: Block): boolean {
  const unique = new Set(names.map(nameOf));
  const isOfOne = names.every(
    ({ writer, account_id }) => writer === targetBlock.writer && account_id === targetBlock.account_id,
  );
  return isOfOne && unique.size === names.length && unique.has(nameOf(targetBlock));
}

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
