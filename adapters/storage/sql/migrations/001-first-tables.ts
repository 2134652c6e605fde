import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';

/** A column: its type, and a question mark where it may be NULL. */
type Column = 'text' | 'integer' | 'text?';

type Columns = Readonly<Record<string, Column>>;

const record: Columns = { id: 'text', account_id: 'text', version: 'integer', created_at: 'text' };

const tables: Readonly<Record<string, Columns>> = {
  ais_meta: { name: 'text', value: 'text' },
  ais_accounts: {
    ...record,
    email: 'text',
    plan: 'text',
    password_hash: 'text',
    token_version: 'integer',
    disabled_at: 'text?',
  },
  ais_sessions: { ...record, token_version: 'integer', expires_at: 'text', revoked_at: 'text?' },
  ais_api_keys: {
    ...record,
    name: 'text',
    start: 'text',
    digest: 'text',
    environment: 'text',
    scopes: 'text',
    agent_ids: 'text?',
    status: 'text',
    expires_at: 'text?',
    last_used_at: 'text?',
    revoked_at: 'text?',
    rotated_to: 'text?',
  },
  ais_passports: {
    ...record,
    updated_at: 'text',
    domain: 'text',
    agent_name: 'text',
    allowed_actions: 'text',
    monetary_limit_per_txn: 'text',
    denied_actions: 'text?',
    currency: 'text?',
    allowed_targets: 'text?',
    monetary_actions: 'text?',
    not_before: 'text?',
    expires_at: 'text?',
    description: 'text?',
    metadata: 'text?',
    status: 'text',
    suspended_until: 'text?',
    suspended_by: 'text?',
    suspension_reason: 'text?',
    revoked_at: 'text?',
    revoked_by: 'text?',
    revocation_reason: 'text?',
  },
  ais_passport_versions: {
    ...record,
    agent_id: 'text',
    changed_by: 'text',
    changed_at: 'text',
    passport: 'text',
  },
  ais_domains: record,
  ais_counters: { id: 'text', value: 'integer', expires_at: 'text?' },
};

/** Each list is one walk through one of these: the fields it asks for, then `created_at` and `id`. */
const indexes: readonly (readonly [table: string, ...columns: string[]])[] = [
  ['ais_accounts', 'created_at', 'id'],
  ['ais_sessions', 'account_id', 'created_at', 'id'],
  ['ais_sessions', 'expires_at'],
  ['ais_api_keys', 'account_id', 'created_at', 'id'],
  ['ais_passports', 'account_id', 'created_at', 'id'],
  ['ais_passports', 'account_id', 'domain', 'created_at', 'id'],
  ['ais_passport_versions', 'agent_id', 'created_at', 'id'],
  ['ais_domains', 'account_id', 'created_at', 'id'],
  ['ais_counters', 'expires_at'],
];

/** Version 1: the tables of the first release. */
export async function firstTables(kysely: Kysely<SqlTables>, dialect: SqlDialect): Promise<void> {
  for (const [name, columns] of Object.entries(tables)) await createTable(kysely, dialect, name, columns);
  for (const [table, ...columns] of indexes) {
    const name = `${table}_by_${columns.join('_')}`;
    await kysely.schema.createIndex(name).on(table).columns(columns).execute();
  }
}

async function createTable(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  name: string,
  columns: Columns,
): Promise<void> {
  const [key] = Object.keys(columns);
  let table = kysely.schema.createTable(name).modifyEnd(sql.raw(dialect.tableOptions));
  for (const [column, kind] of Object.entries(columns)) {
    const type = sql.raw(kind === 'integer' ? dialect.integer : dialect.text);
    table = table.addColumn(column, type, (built) => {
      const required = kind.endsWith('?') ? built : built.notNull();
      return column === key ? required.primaryKey() : required;
    });
  }
  await table.execute();
}
