/** What is stored and filed: passports that all look alike, but for their names and instants. */

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

/** A batch of so many verdicts, each on another agent, filed under a number that no other batch has. */
export function batchOf(number, entries) {
  const at = new Date(START + number * 1_000).toISOString();
  const minute = `${at.slice(0, 16)}:00.000Z`;
  const countsOf = (agent_id, count) => {
    const rollup = { account_id: ACCOUNT, environment: 'live', minute, agent_id, count };
    return [
      { ...rollup, kind: 'verdict', key: 'ALLOW' },
      { ...rollup, kind: 'action', key: 'payments.create' },
      { ...rollup, kind: 'latency', key: '2' },
    ];
  };
  return {
    id: `bat_${number}`,
    at,
    entries: Array.from({ length: entries }, (_, index) => ({
      id: `dec_${number}_${index}`,
      account_id: ACCOUNT,
      created_at: at,
      verdict: 'ALLOW',
      reasons: [],
      agent_id: agentOf(index),
      action: 'payments.create',
      target: null,
      amount: '25',
      currency: 'EUR',
      passport_version: 1,
      environment: 'live',
      key_id: 'key_cost',
      request_id: null,
      dry_run: false,
    })),
    rollups: [
      ...countsOf('', entries),
      ...Array.from({ length: entries }, (_, index) => countsOf(agentOf(index), 1)).flat(),
    ],
  };
}
