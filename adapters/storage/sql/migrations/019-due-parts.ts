import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';

/** Version 19: what is due of one chain of agents, of one agent and of one account. */
export async function dueParts(kysely: Kysely<SqlTables>, { text }: SqlDialect): Promise<void> {
  const isDue = 'where due_at is not null';
  const statements = [
    `alter table ais_spends add column root_agent_id ${text}`,
    `create index ais_spends_by_root_due on ais_spends (root_agent_id, due_at, id) ${isDue}`,
    `create index ais_approvals_by_account_due on ais_approvals (account_id, due_at, id) ${isDue}`,
    `create index ais_approvals_by_agent_due on ais_approvals (agent_id, due_at, id) ${isDue}`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}
