import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';

/** Version 11: the public keys of agents. */
export async function publicKeysColumn(kysely: Kysely<SqlTables>, { text }: SqlDialect): Promise<void> {
  await sql.raw(`alter table ais_passports add column public_keys ${text}`).execute(kysely);
}
