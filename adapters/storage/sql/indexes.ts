const isDue = 'where due_at is not null';
const hasEnd = 'where expires_at is not null';

/**
 * The table and columns of each index, by name. Each list of the storage port is a scan of one index, which has the
 * fields of the filter first, then `created_at` and `id`. A new index needs a migration that adds it.
 */
export const indexes: Readonly<Record<string, string>> = {
  ais_accounts_by_created_at_id: 'ais_accounts (created_at, id)',
  ais_sessions_by_account_id_created_at_id: 'ais_sessions (account_id, created_at, id)',
  ais_sessions_by_expires_at: 'ais_sessions (expires_at)',
  ais_api_keys_by_account_id_created_at_id: 'ais_api_keys (account_id, created_at, id)',
  ais_api_keys_by_expiry: `ais_api_keys (account_id, status, expires_at, id) ${hasEnd}`,
  ais_passports_by_account_id_created_at_id: 'ais_passports (account_id, created_at, id)',
  ais_passports_by_account_id_domain_created_at_id: 'ais_passports (account_id, domain, created_at, id)',
  ais_passports_by_status: 'ais_passports (account_id, status, created_at, id)',
  ais_passports_by_expiry: `ais_passports (account_id, expires_at, id) ${hasEnd}`,
  ais_passports_by_parent:
    'ais_passports (account_id, parent_agent_id, created_at, id) where parent_agent_id is not null',
  // Covers the count of passports, which continues from an id.
  ais_passports_count: 'ais_passports (account_id, id, status, suspended_until, expires_at)',
  ais_passport_versions_by_agent_id_created_at_id: 'ais_passport_versions (agent_id, created_at, id)',
  ais_domains_by_account_id_created_at_id: 'ais_domains (account_id, created_at, id)',
  ais_events_by_account: 'ais_events (account_id, created_at, id)',
  ais_events_by_age: 'ais_events (created_at, id)',
  ais_events_by_expiry: 'ais_events (expires_at)',
  ais_signing_keys_by_age: 'ais_signing_keys (created_at, id)',
  ais_status_slots_by_age: 'ais_status_slots (created_at, id)',
  ais_spends_by_account: 'ais_spends (account_id, created_at, id)',
  ais_spends_by_age: 'ais_spends (created_at, id)',
  ais_spends_by_due: `ais_spends (due_at, id) ${isDue}`,
  ais_spends_by_root_due: `ais_spends (root_agent_id, due_at, id) ${isDue}`,
  ais_spends_by_expiry: 'ais_spends (expires_at)',
  ais_webhooks_by_account: 'ais_webhooks (account_id, created_at, id)',
  ais_webhooks_by_age: 'ais_webhooks (created_at, id)',
  ais_webhook_deliveries_by_webhook: 'ais_webhook_deliveries (webhook_id, created_at, id)',
  ais_webhook_deliveries_by_age: 'ais_webhook_deliveries (created_at, id)',
  ais_webhook_deliveries_by_due: `ais_webhook_deliveries (due_at, id) ${isDue}`,
  ais_webhook_deliveries_by_expiry: 'ais_webhook_deliveries (expires_at)',
  ais_approvals_by_account: 'ais_approvals (account_id, created_at, id)',
  ais_approvals_by_status: 'ais_approvals (account_id, status, created_at, id)',
  ais_approvals_by_agent: 'ais_approvals (account_id, agent_id, created_at, id)',
  ais_approvals_by_digest: 'ais_approvals (environment, digest, created_at, id)',
  ais_approvals_by_age: 'ais_approvals (created_at, id)',
  ais_approvals_by_due: `ais_approvals (due_at, id) ${isDue}`,
  ais_approvals_by_account_due: `ais_approvals (account_id, due_at, id) ${isDue}`,
  ais_approvals_by_agent_due: `ais_approvals (agent_id, due_at, id) ${isDue}`,
  ais_approvals_by_expiry: 'ais_approvals (expires_at)',
  ais_erasures_by_age: 'ais_erasures (created_at, id)',
  ais_idempotency_by_account: 'ais_idempotency (account_id, created_at, id)',
  ais_idempotency_by_expires_at: 'ais_idempotency (expires_at)',
  ais_counters_by_expires_at: 'ais_counters (expires_at)',
  // The order of a list. from_ms lets the scan skip blocks that begin after the page.
  ais_journal_blocks_by_account: 'ais_journal_blocks (account_id, to_ms, writer, seq, from_ms)',
  ais_journal_blocks_by_age: 'ais_journal_blocks (to_ms)',
};
