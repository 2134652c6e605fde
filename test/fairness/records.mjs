/** Records of one account, put straight into a storage: by the service they would take hours. */

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
  const size = storage.batchSize ?? AT_ONCE;
  for (let from = 0; from < number; from += size) {
    const entries = Array.from({ length: Math.min(size, number - from) }, (_, at) =>
      entryOf(from + at, number),
    );
    const minute = `${entries[0].created_at.slice(0, 16)}:00.000Z`;
    const of = { account_id: LOUD.account_id, environment: 'live', minute };
    const rollups = ['', agentOf(from)].flatMap((agent_id) => [
      { ...of, agent_id, kind: 'verdict', key: 'DENY', count: entries.length },
      { ...of, agent_id, kind: 'action', key: 'orders.get', count: entries.length },
    ]);
    await storage.append({ id: `fill-${from}`, at: entries[0].created_at, entries, rollups });
  }
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
  };
}

function agentOf(index) {
  return `did:web:loud.example:agents:agent-${index}`;
}

function entryOf(index, number) {
  const name = NAMES[index % NAMES.length];
  return {
    id: `dec_${String(index).padStart(12, '0')}`,
    account_id: LOUD.account_id,
    created_at: new Date(START_MS + Math.floor((index / number) * DAY_MS)).toISOString(),
    verdict: 'DENY',
    reasons: [{ code: 'action_not_allowed', message: 'The action is not allowed.' }],
    agent_id: agentOf(index % 1_000),
    action: `orders.${name}`,
    target: null,
    amount: '12.5',
    currency: 'EUR',
    passport_version: 1,
    environment: 'live',
    key_id: null,
    request_id: null,
    dry_run: false,
  };
}
