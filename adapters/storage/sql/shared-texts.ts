import type { Kysely } from 'kysely';
import type { TextChange } from '../../../src/ports/index.ts';
import type { SqlTables } from './rows.ts';
import { metaTable } from './tables.ts';

const PREFIX = 'shared ';

export async function readSharedText(kysely: Kysely<SqlTables>, name: string): Promise<string | undefined> {
  const query = kysely.selectFrom(metaTable).select('value').where('name', '=', `${PREFIX}${name}`);
  const row = await query.executeTakeFirst();
  return row === undefined ? undefined : String(row['value']);
}

/** Replaces the text if it equals `from`, and returns the text that is stored afterwards. Runs within a transaction. */
export async function changeSharedText(
  kysely: Kysely<SqlTables>,
  name: string,
  { from, to }: TextChange,
): Promise<string | undefined> {
  const key = `${PREFIX}${name}`;
  if (from === undefined) {
    const insert = kysely.insertInto(metaTable).values({ name: key, value: to });
    await insert.onConflict((conflict) => conflict.column('name').doNothing()).execute();
  } else {
    const update = kysely.updateTable(metaTable).set({ value: to });
    await update.where('name', '=', key).where('value', '=', from).execute();
  }
  return readSharedText(kysely, name);
}
