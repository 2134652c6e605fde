import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';
import { WRITE_FUNCTION } from './write-function.ts';

/** Version 15: the budgets of passports, and what was spent or is held; in PostgreSQL also the function `ais_write`. */
export async function budgetTables(
  kysely: Kysely<SqlTables>,
  { name, text, integer, tableOptions }: SqlDialect,
): Promise<void> {
  const statements = [
    `alter table ais_passports add column budgets ${text}`,
    `create table ais_spends (
      id ${text} not null primary key,
      account_id ${text} not null,
      version ${integer} not null,
      created_at ${text} not null,
      agent_id ${text} not null,
      environment ${text} not null,
      status ${text} not null,
      amount ${text},
      released_amount ${text},
      committed_amount ${text},
      committed_whole ${integer} not null,
      currency ${text},
      decimals ${integer} not null,
      held_until ${text},
      due_at ${text},
      updated_at ${text} not null,
      expires_at ${text},
      takings ${text} not null
    ) ${tableOptions}`,
    'create index ais_spends_by_age on ais_spends (created_at, id)',
    'create index ais_spends_by_due on ais_spends (due_at, id) where due_at is not null',
    'create index ais_spends_by_expiry on ais_spends (expires_at)',
    ...(name === 'postgres' ? [WRITE_FUNCTION] : []),
  ];
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}
