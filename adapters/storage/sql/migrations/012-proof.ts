import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';

/** Version 12: what a passport asks its agent to prove. */
export async function proofColumn(kysely: Kysely<SqlTables>, { text }: SqlDialect): Promise<void> {
  await sql.raw(`alter table ais_passports add column proof ${text}`).execute(kysely);
}
