/**
 * Chains of passports against Cedar: each chain is one policy, whose condition is the conjunction of its passports. In a
 * process of its own, as Node 20 ends in a loop over Cedar unless it runs with `--no-turbo-inline-js-wasm-calls`.
 * Arguments: how many questions, the seed, and `verifier` to ask a local verifier in the place of `decide`.
 */
import { decide, prepare } from 'agent-identity-service/verdict';
import { createRandom } from '../../bench/lib/random.mjs';
import { cedarAllows, keepPolicy } from './cedar-policy.mjs';
import { openChains } from './verifier-chains.mjs';

const [questions = 1_000, seed = 1] = process.argv.slice(2, 4).map(Number);
const isByVerifier = process.argv[4] === 'verifier';
const random = createRandom(seed);
const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const HOUR = 3_600_000;
const ACTIONS = ['payments.send', 'payments.send.now', 'payments.refund', 'quotes:read', 'x'];
const ENTRIES = [...ACTIONS, 'payments.*', 'payments.send.*', 'quotes:*', '*'];
const TARGETS = ['did:web:till.example.com', 'did:web:a.till.example.com:agents:b', 'did:web:other.example'];
const TARGET_ENTRIES = [...TARGETS, 'did:web:*.example.com', 'did:web:*.till.example.com'];
const CURRENCIES = ['EUR', 'USD'];
/** At least 40 chains, also for few questions: four random chains may allow nothing. */
const PER_CHAIN = Math.max(1, Math.min(50, Math.floor(questions / 40)));

const oneOf = (list) => list[Math.floor(random() * list.length)];
const some = (list, share) => list.filter(() => random() < share);
const chance = (share) => random() < share;
const text = (value) => JSON.stringify(value);
const cents = (value) => (value / 100).toFixed(2);

function passportAt(place, length) {
  const limit = Math.floor(random() * 20_000);
  const status = chance(0.95) ? 'active' : oneOf(['suspended', 'revoked']);
  return {
    agent_id: idOf(place),
    domain: 'shop.example',
    agent_name: `agent-${place}`,
    allowed_actions: some(ENTRIES, 0.7),
    monetary_limit_per_txn: cents(limit),
    status,
    suspended_until: status === 'suspended' && chance(0.5) ? instantOf(oneOf([10, 12, 14])) : null,
    revoked_at: null,
    ...(chance(0.3) && { denied_actions: some(ENTRIES.slice(0, -1), 0.15) }),
    ...(chance(0.3) && { monetary_actions: some(ENTRIES, 0.3) }),
    ...(chance(0.3) && { allowed_targets: some(TARGET_ENTRIES, 0.7) }),
    ...(chance(0.6) && { currency: chance(0.9) ? 'EUR' : 'USD' }),
    ...(chance(0.2) && { not_before: instantOf(oneOf([8, 11])) }),
    ...(chance(0.2) && { expires_at: instantOf(oneOf([13, 16])) }),
    ...(place + 1 < length && { parent_agent_id: idOf(place + 1) }),
  };
}

function intentFor(chain) {
  const limits = chain.map(({ monetary_limit_per_txn: limit }) => Math.round(limit * 100));
  const amount = Math.max(0, oneOf([...limits, Math.floor(random() * 20_000)]) + oneOf([-1, 0, 1]));
  const parameters = {
    ...(chance(0.7) && { amount: cents(amount) }),
    ...(chance(0.8) && { currency: chance(0.9) ? 'EUR' : oneOf(CURRENCIES) }),
  };
  return {
    agent_id: idOf(0),
    action: oneOf(ACTIONS),
    ...(chance(0.7) && { target: oneOf(TARGETS) }),
    ...(chance(0.9) && { parameters }),
  };
}

function idOf(place) {
  return `did:web:shop.example:agents:agent-${place}`;
}

function instantOf(hour) {
  return new Date(NOON + (hour - 12) * HOUR).toISOString();
}

/** Returns the function that decides on an intent by this chain. */
function decided(chain) {
  const [passport, ...ancestors] = chain.map((one) => prepare(one));
  return async (intent, at) => decide({ passport, ancestors, intent, at });
}

const verifier = isByVerifier ? await openChains(NOON - 6 * HOUR) : undefined;
// The time of a verifier does not run backwards: it passes from chain to chain.
const perChain = (12 * HOUR * PER_CHAIN) / questions;
const counts = { asked: 0, allowed: 0, differ: 0 };
while (counts.asked < questions) {
  const length = oneOf([1, 2, 2, 3, 3, 4, 5]);
  const chain = Array.from({ length }, (_, place) => passportAt(place, length));
  keepPolicy('chain', chain);
  const evaluate = verifier === undefined ? decided(chain) : await verifier.put(chain, perChain);
  for (let asked = 0; asked < PER_CHAIN && counts.asked < questions; asked += 1) {
    const intent = intentFor(chain);
    const at = verifier?.now() ?? NOON + Math.floor((random() * 12 - 6) * HOUR);
    const isAllowed = cedarAllows('chain', intent, at);
    const { verdict, reasons } = await evaluate(intent, at);
    counts.asked += 1;
    if (isAllowed) counts.allowed += 1;
    if (isAllowed === (verdict === 'ALLOW')) continue;
    counts.differ += 1;
    if (counts.differ <= 3) console.error(text({ chain, intent, at, isAllowed, verdict, reasons }));
  }
}
await verifier?.close();
console.log(text({ ...counts, ...verifier?.counts() }));
