import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';

/** Version 17: the agent that an agent helps, and its helpers. */
export async function parentColumn(kysely: Kysely<SqlTables>, { text }: SqlDialect): Promise<void> {
  const statements = [
    `alter table ais_passports add column parent_agent_id ${text}`,
    `create index ais_passports_by_parent on ais_passports (account_id, parent_agent_id, created_at, id)
      where parent_agent_id is not null`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}
