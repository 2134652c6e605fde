import type { CollectionName } from '../../../src/ports/index.ts';

/**
 * How a field is kept in its column. NULL stands for exactly one thing per column: for `null` where a field is
 * always there (`text|null`, `json|null`, `integer|null`), for its absence where it is optional (`text?`,
 * `json?`). A `boolean` is 0 or 1.
 */
export type ColumnKind =
  | 'text'
  | 'integer'
  | 'boolean'
  | 'json'
  | 'text|null'
  | 'integer|null'
  | 'json|null'
  | 'text?'
  | 'json?';

/** One table: the fields of its records in column order. */
export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnKind>>;
}

const common = { id: 'text', account_id: 'text', version: 'integer', created_at: 'text' } as const;

/** The table of every collection. Whoever adds a column here adds the migration that creates it. */
export const tables: Readonly<Record<CollectionName, Table>> = {
  accounts: {
    name: 'ais_accounts',
    columns: {
      ...common,
      email: 'text',
      plan: 'text',
      password_hash: 'text',
      token_version: 'integer',
      disabled_at: 'text|null',
      created_by: 'text|null',
      changed_at: 'text|null',
      changed_by: 'text|null',
    },
  },
  sessions: {
    name: 'ais_sessions',
    columns: { ...common, token_version: 'integer', expires_at: 'text', revoked_at: 'text|null' },
  },
  keys: {
    name: 'ais_api_keys',
    columns: {
      ...common,
      name: 'text',
      start: 'text',
      digest: 'text',
      environment: 'text',
      scopes: 'json',
      agent_ids: 'json|null',
      status: 'text',
      expires_at: 'text|null',
      last_used_at: 'text|null',
      revoked_at: 'text|null',
      rotated_to: 'text|null',
      created_by: 'text|null',
      changed_at: 'text|null',
      changed_by: 'text|null',
      revoked_by: 'text|null',
    },
  },
  passports: {
    name: 'ais_passports',
    columns: {
      ...common,
      updated_at: 'text',
      domain: 'text',
      agent_name: 'text',
      allowed_actions: 'json',
      monetary_limit_per_txn: 'text',
      denied_actions: 'json?',
      currency: 'text?',
      allowed_targets: 'json?',
      monetary_actions: 'json?',
      not_before: 'text?',
      expires_at: 'text?',
      description: 'text?',
      metadata: 'json?',
      status: 'text',
      suspended_until: 'text|null',
      suspended_by: 'text|null',
      suspension_reason: 'text|null',
      revoked_at: 'text|null',
      revoked_by: 'text|null',
      revocation_reason: 'text|null',
    },
  },
  passport_versions: {
    name: 'ais_passport_versions',
    columns: { ...common, agent_id: 'text', changed_by: 'text', changed_at: 'text', passport: 'json' },
  },
  domains: {
    name: 'ais_domains',
    columns: { ...common, changed_at: 'text|null', changed_by: 'text|null' },
  },
  idempotency: {
    name: 'ais_idempotency',
    columns: { ...common, expires_at: 'text', request_digest: 'text', object_id: 'text', response: 'json' },
  },
};

/** The table of the blocks of the journal: their header, and then their bytes. */
export const blocksTable = {
  name: 'ais_journal_blocks',
  header: ['writer', 'seq', 'account_id', 'from_ms', 'to_ms', 'records', 'denied', 'flags'],
  bytes: ['filter', 'data'],
} as const;

/** The table of those who file blocks. */
export const writersTable: Table = {
  name: 'ais_journal_writers',
  columns: { id: 'text', flushed: 'integer', merged: 'integer', seen_at: 'text' },
};

/** The table of the deltas that are merged and not yet in the rollups, many to a row: `id`, `from_key`, `to_key`, `deltas`. */
export const deltasTable = 'ais_journal_deltas';

/** The table of the rollups: all columns but the last, `count`, are its primary key. */
export const rollupsTable: Table = {
  name: 'ais_rollups',
  columns: {
    resolution: 'text',
    start: 'text',
    account_id: 'text',
    environment: 'text',
    agent_id: 'text',
    kind: 'text',
    key: 'text',
    count: 'integer',
  },
};

/** The table of the counters: `id`, `value`, `expires_at` (NULL: never). */
export const countersTable = 'ais_counters';

/** The table that holds the version of the schema: `name`, `value`. */
export const metaTable = 'ais_meta';
