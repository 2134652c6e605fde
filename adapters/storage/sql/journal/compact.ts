import { type Kysely, sql } from 'kysely';
import {
  type Block,
  type BlockHeader,
  type BlockName,
  isFinal,
  keepsCounts,
} from '../../../../src/ports/index.ts';
import type { Calls } from '../calls.ts';
import type { SqlDialect } from '../dialect.ts';
import { isSqlText, type SqlRow, type SqlTables } from '../rows.ts';
import { writersTable } from '../tables.ts';
import { nameOf } from './blocks.ts';
import type { InsertBlocks } from './insert-blocks.ts';
import { removeFound, takeRemovalTurn } from './remove-blocks.ts';

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
