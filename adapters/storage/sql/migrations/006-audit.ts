import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';

/** Version 6: who made, changed and revoked what, and which request a verdict answered. Older rows do not say. */
export async function auditColumns(kysely: Kysely<SqlTables>, { text }: SqlDialect): Promise<void> {
  for (const [table, columns] of Object.entries(added)) {
    for (const column of columns) {
      await sql.raw(`alter table ${table} add column ${column} ${text}`).execute(kysely);
    }
  }
}

const added: Readonly<Record<string, readonly string[]>> = {
  ais_accounts: ['created_by', 'changed_at', 'changed_by'],
  ais_api_keys: ['created_by', 'changed_at', 'changed_by', 'revoked_by'],
  ais_domains: ['changed_at', 'changed_by'],
  ais_verdicts: ['request_id'],
};
