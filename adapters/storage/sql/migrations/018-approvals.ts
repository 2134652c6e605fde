import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';

/** Version 18: when passports need an approval, and the approvals. */
export async function approvalTable(
  kysely: Kysely<SqlTables>,
  { text, integer, tableOptions }: SqlDialect,
): Promise<void> {
  const statements = [
    `alter table ais_passports add column approval ${text}`,
    `create table ais_approvals (
      id ${text} not null primary key,
      account_id ${text} not null,
      version ${integer} not null,
      created_at ${text} not null,
      agent_id ${text} not null,
      environment ${text} not null,
      digest ${text} not null,
      round ${integer} not null,
      status ${text} not null,
      intent ${text} not null,
      reasons ${text} not null,
      expires_at ${text} not null,
      due_at ${text},
      decided_by ${text},
      decided_at ${text},
      note ${text},
      decision_id ${text}
    ) ${tableOptions}`,
    'create index ais_approvals_by_age on ais_approvals (created_at, id)',
    'create index ais_approvals_by_account on ais_approvals (account_id, created_at, id)',
    'create index ais_approvals_by_status on ais_approvals (account_id, status, created_at, id)',
    'create index ais_approvals_by_agent on ais_approvals (account_id, agent_id, created_at, id)',
    'create index ais_approvals_by_digest on ais_approvals (environment, digest, created_at, id)',
    'create index ais_approvals_by_due on ais_approvals (due_at, id) where due_at is not null',
    'create index ais_approvals_by_expiry on ais_approvals (expires_at)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}
