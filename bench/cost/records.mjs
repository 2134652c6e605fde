/** What is stored and filed: passports that all look alike, but for their names and instants. */
import { packRecords } from 'agent-identity-service/blocks';

export const ACCOUNT = 'acc_cost';
const START = Date.parse('2026-01-01T00:00:00.000Z');

/** The id of the passport of that number. */
export function agentOf(index) {
  return `did:web:example.com:agents:agent-${index}`;
}

/** The record of the passport of that number, as the service stores it. */
export function passportOf(index, version = 1) {
  const created_at = new Date(START + index * 10).toISOString();
  return {
    id: agentOf(index),
    account_id: ACCOUNT,
    version,
    created_at,
    updated_at: created_at,
    domain: 'example.com',
    agent_name: `agent-${index}`,
    allowed_actions: ['payments.create', 'orders.*'],
    monetary_limit_per_txn: '100',
    currency: 'EUR',
    status: 'active',
    suspended_until: null,
    suspended_by: null,
    suspension_reason: null,
    revoked_at: null,
    revoked_by: null,
    revocation_reason: null,
  };
}

/** A block of that many verdicts, each on another agent, as flush number `seq` of a writer. */
export function flushOf(writer, seq, records) {
  const evaluated_at = new Date(START + seq * 1_000).toISOString();
  const [block] = packRecords(
    Array.from({ length: records }, (_, index) => ({
      bucket: 2,
      record: {
        decision_id: `dec_${'0'.repeat(18)}${String(seq * records + index).padStart(8, '0')}`,
        evaluated_at,
        verdict: 'ALLOW',
        reasons: [],
        agent_id: agentOf(index),
        action: 'payments.create',
        target: null,
        amount: 25,
        currency: 'EUR',
        passport_version: 1,
        environment: 'live',
        key_id: 'key_cost',
        request_id: null,
        dry_run: false,
      },
    })),
  );
  const name = { writer, seq };
  return { ...name, at: evaluated_at, blocks: [{ ...name, account_id: ACCOUNT, ...block }] };
}
