/** The rest of an erased passport: its id, which is never reused. */
import { canonicalJson } from '../../base/values/canonical-json.ts';
import type { Instant } from '../../records.ts';
import type { PassportRecord } from './collections.ts';
import { NOT_SUSPENDED } from './passport-record.ts';

/** Returns the passport as revoked, with nothing but its id and the instants of its state. */
export function stripped(
  { id, account_id, version, created_at, revoked_at, domain, agent_name }: PassportRecord,
  at: Instant,
): PassportRecord {
  return {
    ...{ id, account_id, version: version + 1, created_at, updated_at: at, domain, agent_name },
    ...{ allowed_actions: [], monetary_limit_per_txn: '0', status: 'revoked', ...NOT_SUSPENDED },
    ...{ revoked_at: revoked_at ?? at, revoked_by: null, revocation_reason: null },
    ...{ widened_by: null, widened_at: null },
  };
}

/** Returns `true` for a passport that has only its id and its state left. */
export function isStripped(record: PassportRecord): boolean {
  const bare = stripped({ ...record, version: record.version - 1 }, record.updated_at);
  return canonicalJson(bare) === canonicalJson(record);
}
