import { sql } from 'kysely';
import type { BlockName } from '../../../../src/ports/index.ts';
import type { Calls } from '../calls.ts';
import type { SqlDialect } from '../dialect.ts';
import { isSqlText } from '../rows.ts';
import { blocksTable } from '../tables.ts';
import { takeRemovalTurn } from './remove-blocks.ts';

export interface TextErasure {
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
