/** Who writes passports and keys, and keeps books of what was acknowledged. */
import { setTimeout as pause } from 'node:timers/promises';
import { ACTION, DOMAIN, newName } from './site.mjs';

/** After an answer that a storage is away. */
const REFUSED_MS = 20;
const GRACE_SECONDS = 3_600;
const KEY_SHARE = 0.4;

/** Ends a life of which it is not known how it went on. */
class Doubt extends Error {}

/**
 * Empty books. An entry says what a record has to look like (`known`), and what it may look like instead because
 * the answer to the last change never came (`doubt`); `known` is undefined when its making is in doubt itself.
 */
export function openLedger() {
  return { entries: [], acknowledged: 0, unanswered: 0, refused: 0, problems: [] };
}

/** Writes through one node, one life after another, until `isOver` says so. */
export async function keepWriting({ ledger, node, token, random, isOver }) {
  const writer = { ledger, node, token, random, isOver };
  while (!isOver()) {
    try {
      await (random() < KEY_SHARE ? liveAsKey(writer) : liveAsPassport(writer));
    } catch (error) {
      if (!(error instanceof Doubt)) throw error;
    }
  }
}

async function liveAsPassport(writer) {
  const { ledger, random } = writer;
  const agent_name = newName();
  const id = `did:web:${DOMAIN}:agents:${agent_name}`;
  const entry = { collection: 'passports', id, known: undefined, doubt: undefined };
  const limit = () => `${Math.floor(random() * 1_000_000)}.25`;
  const fields = { allowed_actions: [ACTION], metadata: { text: 'x'.repeat(400) } };
  const input = { domain: DOMAIN, agent_name, monetary_limit_per_txn: limit(), ...fields };
  const options = random() < 0.5 ? {} : { 'idempotency-key': agent_name };
  ledger.entries.push(entry);

  async function step(change, method, path, json, headers) {
    const version = (entry.known?.version ?? 0) + 1;
    entry.doubt = { ...entry.known, ...change, version };
    await write(writer, method, path, json, headers);
    entry.known = entry.doubt;
    entry.doubt = undefined;
  }
  const patch = () => {
    const json = { monetary_limit_per_txn: limit() };
    return step(json, 'PATCH', `/passports/${encodeURIComponent(id)}`, json);
  };

  const { monetary_limit_per_txn } = input;
  await step({ status: 'active', monetary_limit_per_txn }, 'POST', '/passports', input, options);
  await patch();
  await step({ status: 'suspended' }, 'POST', '/suspend', { agent_id: id });
  await step({ status: 'active' }, 'POST', '/reinstate', { agent_id: id });
  await patch();
  // Some stay, so that there is also something to lose that is not revoked.
  if (random() < 0.7) await step({ status: 'revoked' }, 'POST', '/revoke', { agent_id: id });
}

async function liveAsKey(writer) {
  const { ledger, random } = writer;
  const name = newName();
  const made = await write(writer, 'POST', '/keys', { name, scopes: ['verify'] });
  const first = { collection: 'keys', id: made.id, known: { name, status: 'active' }, doubt: undefined };
  ledger.entries.push(first);
  const grace_seconds = random() < 0.5 ? GRACE_SECONDS : 0;
  const status = grace_seconds === 0 ? 'revoked' : 'rotating';
  first.doubt = { name, status };
  const { id } = await write(writer, 'POST', `/keys/${first.id}/rotate`, { grace_seconds });
  Object.assign(first, { known: { name, status, rotated_to: id }, doubt: undefined });
  const second = { collection: 'keys', id, known: { name, status: 'active' }, doubt: undefined };
  ledger.entries.push(second);
  if (random() < 0.3) return;
  second.doubt = { name, status: 'revoked' };
  await write(writer, 'DELETE', `/keys/${second.id}`);
  Object.assign(second, { known: second.doubt, doubt: undefined });
}

/** One write; the body of its acknowledgement. */
async function write({ ledger, node, token, isOver }, method, path, json, headers = {}) {
  if (isOver()) throw new Doubt();
  const given = { token, headers, ...(json !== undefined && { json }) };
  const answer = await node.ask(method, path, given).catch(() => undefined);
  if (answer === undefined) {
    ledger.unanswered += 1;
    throw new Doubt();
  }
  if (answer.status < 300) {
    ledger.acknowledged += 1;
    return answer.body;
  }
  ledger.refused += 1;
  if (answer.status !== 503) ledger.problems.push(`${method} ${path}: ${answer.status} ${answer.body.code}`);
  await pause(REFUSED_MS);
  throw new Doubt();
}
