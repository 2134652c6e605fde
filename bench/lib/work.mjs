/**
 * The input of every contestant: 1,000 passports and 10,000 intents, which are the same in every run.
 *
 * A passport has 8 actions and a limit, and every second one has targets. Half of the intents are an ALLOW. The others
 * break one or two rules.
 */
import { createRandom } from './random.mjs';

const PASSPORTS = 1_000;
const AT = '2026-11-20T12:00:00.000Z';

export const EVALUATED_AT = Date.parse(AT);

/**
 * Returns the passports, and the JSON texts of the intents. `subset: 'common'` leaves out targets and revocation, which
 * some peers do not support. An action, a limit and an amount remain.
 */
export function makeWork({ intents = 10_000, subset = 'all' } = {}) {
  const random = createRandom(20_261_120);
  const pick = (choices) => choices[Math.floor(random() * choices.length)];
  const isCommon = subset === 'common';
  const passports = Array.from({ length: PASSPORTS }, (_, index) =>
    passportOf(index, { random, pick, isCommon }),
  );
  const sound = passports.filter(({ status }) => status === 'active');
  const revoked = passports.filter(({ status }) => status === 'revoked');
  const faults = isCommon
    ? ['action', 'amount', 'action and amount']
    : ['action', 'amount', 'target', 'action and amount', 'revoked'];
  const texts = Array.from({ length: intents }, (_, index) => {
    const fault = index % 2 === 0 ? 'none' : pick(faults);
    const passport = pick(fault === 'revoked' ? revoked : sound);
    return JSON.stringify(intentOf(passport, fault, { random, pick, isCommon }));
  });
  return { passports, texts, expected: texts.map((_, index) => (index % 2 === 0 ? 'ALLOW' : 'DENY')) };
}

/** Returns the input that an application gives to `passports.create`. */
export function toInput({ domain, agent_name, allowed_actions, monetary_limit_per_txn, allowed_targets }) {
  const input = { domain, agent_name, allowed_actions, monetary_limit_per_txn };
  return allowed_targets === undefined ? input : { ...input, allowed_targets };
}

/** Returns intents as literal objects whose strings no code has read yet, like the result of a request parser. */
export function freshIntents(texts) {
  return texts.map((text) => {
    const { agent_id, action, target, parameters } = JSON.parse(text);
    const { amount } = parameters;
    return target === undefined
      ? { agent_id, action, parameters: { amount } }
      : { agent_id, action, target, parameters: { amount } };
  });
}

function passportOf(index, { random, pick, isCommon }) {
  const isRevoked = !isCommon && index % 20 === 0;
  const actions = Array.from(
    { length: 8 },
    (_, n) => `payments.${pick(['send', 'refund', 'quote', 'hold'])}.${n}`,
  );
  const targets = Array.from({ length: 4 }, (_, n) => `did:web:shop-${(index * 7 + n) % 500}.example.org`);
  const hasTargets = !isCommon && index % 2 === 0;
  // Through JSON, as a store hands it over: no text is shared with the intents.
  return JSON.parse(
    JSON.stringify({
      agent_id: `did:web:agents-${index}.example.com:agents:buyer-${index}`,
      domain: `agents-${index}.example.com`,
      agent_name: `buyer-${index}`,
      allowed_actions: actions,
      monetary_limit_per_txn: Math.floor(10_000 + random() * 100_000) / 100,
      allowed_targets: hasTargets ? targets : undefined,
      status: isRevoked ? 'revoked' : 'active',
      version: 1,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
      suspended_until: null,
      suspended_by: null,
      suspension_reason: null,
      revoked_at: isRevoked ? '2026-02-01T00:00:00.000Z' : null,
      revoked_by: null,
      revocation_reason: null,
    }),
  );
}

function intentOf(passport, fault, { random, pick, isCommon }) {
  const { agent_id, allowed_actions, allowed_targets, monetary_limit_per_txn: limit } = passport;
  const cents = Math.floor(limit * 100 * random());
  const amount = (fault.includes('amount') ? Math.ceil(limit * 100) + 1 + cents : cents) / 100;
  const isWrongAction = fault.includes('action') || (fault === 'target' && allowed_targets === undefined);
  const action = isWrongAction ? 'payments.steal.1' : pick(allowed_actions);
  const target =
    fault === 'target' ? 'did:web:unlisted.example.net' : pick(allowed_targets ?? ['did:web:any.example']);
  const isAimed = !isCommon && (allowed_targets !== undefined || random() < 0.2);
  return isAimed
    ? { agent_id, action, target, parameters: { amount } }
    : { agent_id, action, parameters: { amount } };
}

/** The size of the request body in bytes. */
export const BODY_BYTES = 145;

const AGENTS = 64;

/** Returns passports, and a body of exactly 145 bytes for each. The bodies lead to an ALLOW and a DENY in turn. */
export function httpWork() {
  const names = Array.from({ length: AGENTS }, (_, index) => `a${String(index).padStart(2, '0')}`);
  const passports = names.map((name) => ({
    domain: `${name}.example.com`,
    agent_name: 'buyer',
    allowed_actions: ['payments.create', 'payments.refund'],
    monetary_limit_per_txn: 500,
    status: 'active',
  }));
  const bodies = names.map((name, index) => {
    const parameters = { amount: index % 2 === 0 ? 19.99 : 999.5, memo: '' };
    const intent = {
      agent_id: `did:web:${name}.example.com:agents:buyer`,
      action: 'payments.create',
      parameters,
    };
    parameters.memo = 'm'.repeat(BODY_BYTES - JSON.stringify(intent).length);
    return JSON.stringify(intent);
  });
  return { passports, bodies, expected: bodies.map((_, index) => (index % 2 === 0 ? 'ALLOW' : 'DENY')) };
}
