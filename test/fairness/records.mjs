/** Records of one account, put straight into a storage: by the service they would take hours. */
import { packRecords } from '../../dist/bench/blocks.js';

/** The account whose requests read much. */
export const LOUD = { account_id: 'acc_loud' };

/** The passport of another account, whose verdicts must not wait. */
export const QUIET_PASSPORT = {
  domain: 'quiet.example',
  agent_name: 'agent',
  allowed_actions: ['*'],
  monetary_limit_per_txn: 1,
};

const DAY_MS = 86_400_000;
const START_MS = Date.now() - 10 * DAY_MS;
const AT_ONCE = 500;
const IN_A_BLOCK = 8_192;
const WRITER = 'fill'.padEnd(18, '0');

/** The instant before which such a share of the verdicts is. */
export function oldAfter(share) {
  return new Date(START_MS + share * DAY_MS).toISOString();
}

const NAMES = ['a', 'b', 'c', 'd'];

/** Passports that have expired, of one domain. */
export async function fillPassports(storage, number) {
  for (let from = 0; from < number; from += AT_ONCE) {
    const changes = Array.from({ length: Math.min(AT_ONCE, number - from) }, (_, at) => ({
      op: 'insert',
      collection: 'passports',
      record: passportOf(from + at),
    }));
    await storage.write(changes);
  }
}

/** Verdicts that are all alike, with their sums. */
export async function fillJournal(storage, number) {
  const { journal } = storage;
  await journal.open(WRITER, oldAfter(0));
  let seq = 0;
  for (let from = 0; from < number; from += IN_A_BLOCK) {
    const records = Array.from({ length: Math.min(IN_A_BLOCK, number - from) }, (_, at) => ({
      record: recordOf(from + at, number),
      bucket: 3,
    }));
    for (const block of packRecords(records)) {
      seq += 1;
      const of = { writer: WRITER, at: oldAfter(0), account_id: LOUD.account_id, seq };
      await journal.file({ ...of, blocks: [{ ...of, ...block }] });
    }
  }
  const minute = oldAfter(0).replace(/:\d\d\.\d+Z$/, ':00.000Z');
  const of = { account_id: LOUD.account_id, environment: 'live', minute, agent_id: '' };
  const rollups = [
    { ...of, kind: 'verdict', key: 'DENY', count: number },
    { ...of, kind: 'action', key: 'orders.get', count: number },
  ];
  await journal.merge({ writer: WRITER, from: 0, to: seq, at: oldAfter(0), rollups });
}

function passportOf(index) {
  const created_at = new Date(START_MS + index).toISOString();
  return {
    id: agentOf(index),
    account_id: LOUD.account_id,
    version: 1,
    created_at,
    updated_at: created_at,
    domain: 'loud.example',
    agent_name: `agent-${index}`,
    allowed_actions: ['orders.get', 'orders.list'],
    monetary_limit_per_txn: '100',
    expires_at: created_at,
    status: 'active',
    suspended_until: null,
    suspended_by: null,
    suspension_reason: null,
    revoked_at: null,
    revoked_by: null,
    revocation_reason: null,
    widened_by: null,
    widened_at: null,
  };
}

function agentOf(index) {
  return `did:web:loud.example:agents:agent-${index}`;
}

function recordOf(index, number) {
  const name = NAMES[index % NAMES.length];
  return {
    decision_id: `dec_${WRITER}${String(index).padStart(8, '0')}`,
    evaluated_at: new Date(START_MS + Math.floor((index / number) * DAY_MS)).toISOString(),
    verdict: 'DENY',
    reasons: [{ code: 'action_not_allowed', message: 'The action is not allowed.' }],
    agent_id: agentOf(index % 1_000),
    action: `orders.${name}`,
    target: null,
    amount: 12.5,
    currency: 'EUR',
    passport_version: 1,
    environment: 'live',
    key_id: null,
    request_id: null,
    dry_run: false,
    trace_id: null,
    proof_kid: null,
    subject: null,
    approval_id: null,
    hold_seconds: null,
    verifier: null,
    permit_audience: null,
    ancestor_versions: null,
    budgets: [],
  };
}
