import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';

/** Version 2: the verdicts with their rollups, the requests that may be repeated, the index for counts of passports. */
export async function journalTables(kysely: Kysely<SqlTables>, dialect: SqlDialect): Promise<void> {
  for (const statement of statements(dialect)) await sql.raw(statement).execute(kysely);
}

function statements(dialect: SqlDialect): readonly string[] {
  const { text, integer, tableOptions, keyOrderedTableOptions } = dialect;
  return [
    `create table ais_verdicts (
      id ${text} not null primary key,
      account_id ${text} not null,
      created_at ${text} not null,
      verdict ${text} not null,
      reasons ${text} not null,
      agent_id ${text} not null,
      action ${text} not null,
      target ${text},
      amount ${text},
      currency ${text},
      passport_version ${integer},
      environment ${text} not null,
      key_id ${text},
      dry_run ${integer} not null,
      reason_codes ${text} not null
    ) ${tableOptions}`,
    'create index ais_verdicts_by_account on ais_verdicts (account_id, created_at, id)',
    'create index ais_verdicts_by_agent on ais_verdicts (account_id, agent_id, created_at, id)',
    // Denials are few and asked for most; a filter by reason reads only them.
    `create index ais_verdicts_denied on ais_verdicts (account_id, created_at, id) where verdict = 'DENY'`,
    'create index ais_verdicts_by_created_at on ais_verdicts (created_at)',

    // All that a count of passports looks at, in an order in which it can be taken up again.
    'create index ais_passports_count on ais_passports (account_id, id, status, suspended_until, expires_at)',

    // Rows that are counted together are stored together: with the names before the start each row of a batch was on a page of
    // its own, and needed an index of the starts besides (64 ms for 250 verdicts in SQLite instead of 22).
    `create table ais_rollups (
      resolution ${text} not null,
      start ${text} not null,
      account_id ${text} not null,
      environment ${text} not null,
      agent_id ${text} not null,
      kind ${text} not null,
      key ${text} not null,
      count ${integer} not null check (count between -9007199254740991 and 9007199254740991),
      primary key (resolution, start, account_id, environment, agent_id, kind, key)
    ) ${keyOrderedTableOptions}`,

    `create table ais_idempotency (
      id ${text} not null primary key,
      account_id ${text} not null,
      version ${integer} not null,
      created_at ${text} not null,
      expires_at ${text} not null,
      request_digest ${text} not null,
      object_id ${text} not null,
      response ${text} not null
    ) ${tableOptions}`,
    'create index ais_idempotency_by_expires_at on ais_idempotency (expires_at)',
  ];
}
