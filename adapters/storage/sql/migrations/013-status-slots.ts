import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';

/** Version 13: the places of passports in status lists. */
export async function statusSlotTable(
  kysely: Kysely<SqlTables>,
  { text, integer, tableOptions }: SqlDialect,
): Promise<void> {
  const statements = [
    `create table ais_status_slots (
      id ${text} not null primary key,
      account_id ${text} not null,
      version ${integer} not null,
      created_at ${text} not null,
      list_id ${text} not null,
      status_index ${integer},
      agent_id ${text}
    ) ${tableOptions}`,
    'create index ais_status_slots_by_age on ais_status_slots (created_at, id)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}
