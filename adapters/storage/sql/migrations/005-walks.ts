import { type Kysely, sql } from 'kysely';
import type { SqlTables } from '../rows.ts';

/** Version 5: every list of passports and keys is a walk through an index. */
export async function walkIndexes(kysely: Kysely<SqlTables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}

const statements = [
  'create index ais_passports_by_status on ais_passports (account_id, status, created_at, id)',
  `create index ais_passports_by_expiry on ais_passports (account_id, expires_at, id) where expires_at is not null`,
  `create index ais_api_keys_by_expiry on ais_api_keys (account_id, status, expires_at, id)
    where expires_at is not null`,
];
