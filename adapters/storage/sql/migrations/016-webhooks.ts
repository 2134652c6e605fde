import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';

/** Version 16: webhooks, and the events on their way to them. */
export async function webhookTables(
  kysely: Kysely<SqlTables>,
  { text, integer, tableOptions }: SqlDialect,
): Promise<void> {
  const common = `
      id ${text} not null primary key,
      account_id ${text} not null,
      version ${integer} not null,
      created_at ${text} not null,`;
  const statements = [
    `create table ais_webhooks (${common}
      url ${text} not null,
      types ${text} not null,
      description ${text},
      status ${text} not null,
      disabled_reason ${text},
      created_by ${text} not null,
      updated_at ${text} not null,
      last_success_at ${text},
      last_failure_at ${text},
      failures_in_a_row ${integer} not null,
      sealed ${text} not null,
      previous_sealed ${text},
      previous_until ${text},
      read_from ${text} not null
    ) ${tableOptions}`,
    'create index ais_webhooks_by_account on ais_webhooks (account_id, created_at, id)',
    'create index ais_webhooks_by_age on ais_webhooks (created_at, id)',
    `create table ais_webhook_deliveries (${common}
      webhook_id ${text} not null,
      event_id ${text} not null,
      event_type ${text} not null,
      status ${text} not null,
      attempt ${integer} not null,
      http_status ${integer},
      duration_ms ${integer},
      attempted_at ${text},
      due_at ${text},
      is_leased ${integer} not null,
      payload ${text} not null,
      expires_at ${text} not null
    ) ${tableOptions}`,
    'create index ais_webhook_deliveries_by_webhook on ais_webhook_deliveries (webhook_id, created_at, id)',
    'create index ais_webhook_deliveries_by_age on ais_webhook_deliveries (created_at, id)',
    'create index ais_webhook_deliveries_by_due on ais_webhook_deliveries (due_at, id) where due_at is not null',
    'create index ais_webhook_deliveries_by_expiry on ais_webhook_deliveries (expires_at)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}
