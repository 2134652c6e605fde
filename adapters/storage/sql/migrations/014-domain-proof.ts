import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';

const TEXTS = ['status', 'token', 'token_expires_at', 'method', 'proven_at', 'checked_at', 'seen_at'];

/** Version 14: what proves the claims of domains. */
export async function domainProofColumns(
  kysely: Kysely<SqlTables>,
  { text, integer }: SqlDialect,
): Promise<void> {
  const columns = [...TEXTS.map((name) => `${name} ${text}`), `failures ${integer}`];
  for (const column of columns) {
    await sql.raw(`alter table ais_domains add column ${column}`).execute(kysely);
  }
}
