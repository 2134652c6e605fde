import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';

/** Version 20: what is being erased, and the lists by which what an account has is found. */
export async function erasureTable(
  kysely: Kysely<SqlTables>,
  { text, integer, tableOptions }: SqlDialect,
): Promise<void> {
  const statements = [
    `alter table ais_accounts add column erased_at ${text}`,
    `create table ais_erasures (
      id ${text} not null primary key,
      account_id ${text} not null,
      version ${integer} not null,
      created_at ${text} not null,
      agent_id ${text},
      swept_at ${text},
      leased_until ${text} not null
    ) ${tableOptions}`,
    'create index ais_erasures_by_age on ais_erasures (created_at, id)',
    'create index ais_idempotency_by_account on ais_idempotency (account_id, created_at, id)',
    'create index ais_spends_by_account on ais_spends (account_id, created_at, id)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}
