import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';

/** Version 10: the keys that the service signs with, the private part encrypted. */
export async function signingKeyTable(
  kysely: Kysely<SqlTables>,
  { text, integer, tableOptions }: SqlDialect,
): Promise<void> {
  const statements = [
    `create table ais_signing_keys (
      id ${text} not null primary key,
      account_id ${text} not null,
      version ${integer} not null,
      created_at ${text} not null,
      kid ${text} not null,
      purpose ${text} not null,
      alg ${text} not null,
      public_jwk ${text} not null,
      sealed ${text} not null,
      not_before ${text} not null,
      retire_at ${text},
      revoked_at ${text}
    ) ${tableOptions}`,
    'create index ais_signing_keys_by_age on ais_signing_keys (created_at, id)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}
