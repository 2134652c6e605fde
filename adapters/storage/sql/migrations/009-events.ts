import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';

/** Version 9: what has happened, written together with the change. */
export async function eventTable(
  kysely: Kysely<SqlTables>,
  { text, integer, tableOptions }: SqlDialect,
): Promise<void> {
  const statements = [
    `create table ais_events (
      id ${text} not null primary key,
      account_id ${text} not null,
      version ${integer} not null,
      created_at ${text} not null,
      type ${text} not null,
      expires_at ${text} not null,
      data ${text} not null
    ) ${tableOptions}`,
    'create index ais_events_by_account on ais_events (account_id, created_at, id)',
    'create index ais_events_by_age on ais_events (created_at, id)',
    'create index ais_events_by_expiry on ais_events (expires_at)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}
