import type { CollectionName, StoredRecords } from '../../../src/ports/index.ts';
import { type ColumnsOf, common, type Table } from './columns.ts';
import { logTables } from './log-tables.ts';

/** The tables of the collections. A new column needs a migration that adds it. */
export const tables: {
  readonly [Name in CollectionName]: {
    readonly name: string;
    readonly columns: ColumnsOf<StoredRecords[Name]>;
  };
} = {
  accounts: {
    name: 'ais_accounts',
    columns: {
      ...common,
      email: 'text|null',
      external_id: 'text|null',
      name: 'text|null',
      plan: 'text',
      password_hash: 'text',
      token_version: 'integer',
      disabled_at: 'text|null',
      created_by: 'text|null',
      changed_at: 'text|null',
      changed_by: 'text|null',
      erased_at: 'text?',
    },
  },
  sessions: {
    name: 'ais_sessions',
    columns: {
      ...common,
      member_id: 'text|null',
      member_version: 'integer|null',
      token_version: 'integer',
      expires_at: 'text',
      revoked_at: 'text|null',
    },
  },
  members: {
    name: 'ais_members',
    columns: {
      ...common,
      email: 'text|null',
      name: 'text|null',
      role: 'text',
      status: 'text',
      login: 'text|null',
      login_id: 'text|null',
      link_id: 'text|null',
      token_version: 'integer',
      created_by: 'text|null',
      changed_at: 'text|null',
      changed_by: 'text|null',
    },
  },
  logins: {
    name: 'ais_logins',
    columns: {
      ...common,
      member_id: 'text',
      kind: 'text',
      digest: 'text',
      password_hash: 'text|null',
      expires_at: 'text?',
    },
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
      budgets: 'json?',
      approval: 'json?',
      conditions: 'json?',
      pace: 'json?',
      not_before: 'text?',
      expires_at: 'text?',
      proof: 'text?',
      description: 'text?',
      public_keys: 'json?',
      metadata: 'json?',
      parent_agent_id: 'text?',
      status: 'text',
      suspended_until: 'text|null',
      suspended_by: 'text|null',
      suspension_reason: 'text|null',
      revoked_at: 'text|null',
      revoked_by: 'text|null',
      revocation_reason: 'text|null',
      widened_by: 'text|null',
      widened_at: 'text|null',
      reviewed_version: 'integer?',
      authors: 'json?',
    },
  },
  passport_versions: {
    name: 'ais_passport_versions',
    columns: { ...common, agent_id: 'text', changed_by: 'text', changed_at: 'text', passport: 'json' },
  },
  domains: {
    name: 'ais_domains',
    columns: {
      ...common,
      changed_at: 'text|null',
      changed_by: 'text|null',
      status: 'text?',
      token: 'text?',
      token_expires_at: 'text?',
      method: 'text?',
      proven_at: 'text?',
      checked_at: 'text?',
      seen_at: 'text?',
      failures: 'integer?',
    },
  },
  events: {
    name: 'ais_events',
    columns: { ...common, type: 'text', expires_at: 'text', due_at: 'text?', data: 'json' },
  },
  signing_keys: {
    name: 'ais_signing_keys',
    columns: {
      ...common,
      kid: 'text',
      purpose: 'text',
      alg: 'text',
      public_jwk: 'json',
      sealed: 'text',
      not_before: 'text',
      retire_at: 'text|null',
      revoked_at: 'text|null',
    },
  },
  status_slots: {
    name: 'ais_status_slots',
    columns: { ...common, list_id: 'text', status_index: 'integer|null', agent_id: 'text|null' },
  },
  spends: {
    name: 'ais_spends',
    columns: {
      ...common,
      agent_id: 'text',
      root_agent_id: 'text?',
      environment: 'text',
      status: 'text',
      amount: 'text|null',
      released_amount: 'text|null',
      committed_amount: 'text|null',
      committed_whole: 'boolean',
      currency: 'text|null',
      decimals: 'integer',
      held_until: 'text|null',
      permit_until: 'text?',
      due_at: 'text?',
      updated_at: 'text',
      expires_at: 'text?',
      takings: 'json',
    },
  },
  webhooks: {
    name: 'ais_webhooks',
    columns: {
      ...common,
      url: 'text',
      types: 'json',
      description: 'text|null',
      status: 'text',
      disabled_reason: 'text|null',
      created_by: 'text',
      updated_at: 'text',
      last_success_at: 'text|null',
      last_failure_at: 'text|null',
      failures_in_a_row: 'integer',
      sealed: 'text',
      previous_sealed: 'text|null',
      previous_until: 'text|null',
      read_from: 'text',
    },
  },
  webhook_deliveries: {
    name: 'ais_webhook_deliveries',
    columns: {
      ...common,
      webhook_id: 'text',
      event_id: 'text',
      event_type: 'text',
      status: 'text',
      attempt: 'integer',
      http_status: 'integer|null',
      duration_ms: 'integer|null',
      attempted_at: 'text|null',
      due_at: 'text?',
      is_leased: 'boolean',
      payload: 'text',
      expires_at: 'text',
    },
  },
  approvals: {
    name: 'ais_approvals',
    columns: {
      ...common,
      agent_id: 'text',
      environment: 'text',
      digest: 'text',
      round: 'integer',
      status: 'text',
      intent: 'json',
      reasons: 'json',
      expires_at: 'text',
      due_at: 'text?',
      decided_by: 'text|null',
      decided_at: 'text|null',
      note: 'text|null',
      decision_id: 'text|null',
      kind: 'text|null',
      change: 'json|null',
      needed: 'integer|null',
      by: 'text|null',
      decisions: 'json|null',
      requested_by: 'text|null',
    },
  },
  erasures: {
    name: 'ais_erasures',
    columns: { ...common, agent_id: 'text|null', swept_at: 'text|null', leased_until: 'text' },
  },
  ...logTables,
  idempotency: {
    name: 'ais_idempotency',
    columns: { ...common, expires_at: 'text', request_digest: 'text', object_id: 'text', response: 'json' },
  },
};

/** The table of the blocks of the journal: first the columns of the header, then the bytes. */
export const blocksTable = {
  name: 'ais_journal_blocks',
  header: ['writer', 'seq', 'account_id', 'from_ms', 'to_ms', 'records', 'denied', 'flags', 'erased'],
  bytes: ['filter', 'data', 'erasable'],
} as const;

/** The table of the writers that file blocks. */
export const writersTable: Table = {
  name: 'ais_journal_writers',
  columns: { id: 'text', flushed: 'integer', merged: 'integer', seen_at: 'text' },
};

/** The table of merged deltas that are not yet in the rollups, many in a row: `id`, `from_key`, `to_key`, `deltas`. */
export const deltasTable = 'ais_journal_deltas';

/** The table of the rollups. All columns except the last, `count`, are its primary key. */
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

/** The table of named texts, such as the schema version and the identity: `name`, `value`. */
export const metaTable = 'ais_meta';
