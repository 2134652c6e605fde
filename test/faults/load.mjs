/** The questions that go on while something is broken, and a note of every answer. */
import { setTimeout as pause } from 'node:timers/promises';
import { SPENDS } from './evaluate.mjs';

const WORKERS = 6;
/** Between two questions of one worker: two cores have a store, a node and this to carry. */
const REST_MS = 15;
const PROBE_MS = 100;
const SETUP_MS = 60_000;

/** What each worker asks, over and over. */
const ROUND = [
  ...['good', 'revoked', 'unknown', 'over', 'create', 'spend'],
  ...['good', 'revoke', 'revoked', 'spend again'],
];

const REVOKES = ['revoke', 'revoke again'];

const DOMAIN = 'faults.example.com';
/** What a spend takes, and the budget that it takes it from. */
const PRICE = 1;
const CURRENCY = 'EUR';
const BUDGETED = {
  currency: CURRENCY,
  monetary_actions: ['payments.create'],
  budgets: [{ window: 'lifetime', limit: 1_000_000 }],
};
const FIELDS = { domain: DOMAIN, allowed_actions: ['payments.create'], monetary_limit_per_txn: 100 };

/** The `agent_id` of a passport of the load. */
export function agentOf(name) {
  return `did:web:${DOMAIN}:agents:${name}`;
}

/**
 * What is known of the passports behind one store.
 *
 * @typedef {object} World
 * @property {string} good an agent that may always pay 25
 * @property {string} buyer an agent with a budget
 * @property {Map<string, boolean>} spends the key of each spend that was asked for; `true`: it was acknowledged
 * @property {Map<string, number>} revoked agents with the moment at which their revocation was acknowledged
 * @property {Set<string>} revoking agents whose revocation was asked for, whatever came of it
 * @property {string[]} created agents whose creation was acknowledged
 * @property {string[]} spare agents that the load may revoke
 * @property {string[]} doomed agents that are revoked just before a fault
 */

/** A world with its first passport, made through `target`. @returns {Promise<World>} */
export async function openWorld(target) {
  const good = await make(target, 'good');
  const buyer = await make(target, 'buyer', BUDGETED);
  return {
    good,
    buyer,
    spends: new Map(),
    revoked: new Map(),
    revoking: new Set(),
    created: [],
    spare: [],
    doomed: [],
  };
}

/** Sees to it that this number of passports waits to be revoked, and one to be revoked just before the fault. */
export async function stock(target, world, count) {
  while (world.spare.length < count) world.spare.push(await make(target, 'victim'));
  while (world.doomed.length < 1) world.doomed.push(await make(target, 'victim'));
}

/** Revokes the passport that waited for it; the load asks about it from then on. */
export async function revokeOne(target, world) {
  const agent_id = world.doomed.pop();
  if (agent_id === undefined) return;
  await patiently(() => target.revoke(agent_id));
  world.revoking.add(agent_id);
  world.revoked.set(agent_id, performance.now());
}

/** Asks one question of a round and gives back the note of it. */
async function ask(target, world, wanted) {
  const agent_id = agentFor(wanted, world);
  // Nothing need be written for it: that is no acknowledged write.
  const question = wanted === 'revoke' && world.revoking.has(agent_id) ? 'revoke again' : wanted;
  if (question === 'revoke') world.revoking.add(agent_id);
  const once = SPENDS.includes(question) ? keyFor(question, world) : undefined;
  const startedAt = performance.now();
  const { outcome, detail, body } = await put(target, question, agent_id, once);
  const endedAt = performance.now();
  const codes = body?.reasons?.map(({ code }) => code) ?? [];
  if (outcome === 'done' && question === 'create') {
    world.created.push(agent_id);
    world.spare.push(agent_id);
  }
  if (outcome === 'ALLOW' && once !== undefined) world.spends.set(once, true);
  if (outcome === 'done' && REVOKES.includes(question) && !world.revoked.has(agent_id)) {
    world.revoked.set(agent_id, endedAt);
  }
  return { target: target.name, question, agent_id, startedAt, endedAt, outcome, detail, codes };
}

/** Load on one target until `stop`; every answer goes to `notes`. */
export function startLoad(target, world, notes) {
  let isOn = true;
  let isQuiet = false;
  let underWay = 0;
  const worker = async (first) => {
    for (let turn = first; isOn; turn += 1) {
      if (!isQuiet) {
        underWay += 1;
        notes.push(await ask(target, world, ROUND[turn % ROUND.length]));
        underWay -= 1;
      }
      await pause(REST_MS);
    }
  };
  const prober = async (question) => {
    while (isOn) {
      notes.push(await ask(target, world, question));
      await pause(PROBE_MS);
    }
  };
  const all = [
    ...Array.from({ length: WORKERS }, (_, first) => worker(first)),
    ...['ready', 'live'].map(prober),
  ];
  return {
    /** Nothing new is asked; settles when all is answered. */
    async quiet() {
      isQuiet = true;
      while (underWay > 0) await pause(5);
    },
    resume() {
      isQuiet = false;
    },
    async stop() {
      isOn = false;
      await Promise.all(all);
    },
  };
}

/** Asks until the answer is good, at most for `mostMs`; the moment of it, or `undefined`. */
export async function firstGood(target, world, question, mostMs) {
  const end = performance.now() + mostMs;
  const good = question === 'good' ? 'ALLOW' : 'done';
  let found;
  while (found === undefined && performance.now() < end) {
    // Not one after the other: one that waits for its deadline must not hold up the next.
    ask(target, world, question).then(({ outcome, endedAt }) => {
      if (outcome === good) found ??= endedAt;
    });
    await pause(PROBE_MS / 2);
  }
  return found;
}

/** Those of `agents` that the service does not find. */
export async function missing(target, agents) {
  const lost = [];
  for (const agent_id of agents) {
    const { body } = await patiently(() => target.verify(intentOn(agent_id, '25')));
    if (body.reasons.some(({ code }) => code === 'agent_not_found')) lost.push(agent_id);
  }
  return lost;
}

/**
 * What is wrong with the money of a world: at least every acknowledged spend was taken, each once, and nothing that was
 * not asked for.
 */
export async function moneyProblem(target, { buyer, spends }) {
  const { body } = await patiently(() => target.budgets(buyer));
  const spent = Number(body.data[0].spent);
  const least = PRICE * [...spends.values()].filter(Boolean).length;
  const most = PRICE * spends.size;
  if (spent >= least && spent <= most) return undefined;
  return `${spent} spent, although ${least} were acknowledged and ${most} asked for`;
}

let named = 0;

/** A store may have been used by a run before this one. */
function nextName(kind) {
  named += 1;
  return `${kind}-${process.pid}-${named}`;
}

function agentFor(question, world) {
  if (question === 'revoked') return latest([...world.revoked.keys()]) ?? world.good;
  if (question === 'unknown') return agentOf('unknown');
  if (SPENDS.includes(question)) return world.buyer;
  if (question === 'create') return agentOf(nextName('made'));
  if (question === 'revoke') return world.spare.pop() ?? latest([...world.revoking]) ?? world.doomed[0];
  return world.good;
}

/** The idempotency key of a new spend, or of one whose answer was lost, else of one that was answered. */
function keyFor(question, { spends }) {
  const unheard = [...spends.keys()].filter((key) => !spends.get(key));
  const again =
    question === 'spend again' ? latest(unheard.length > 0 ? unheard : [...spends.keys()]) : undefined;
  const key = again ?? nextName('spend');
  if (!spends.has(key)) spends.set(key, false);
  return key;
}

/** One of the last three. */
function latest(agents) {
  return agents.slice(-3)[Math.floor(Math.random() * Math.min(3, agents.length))];
}

function put(target, question, agent_id, once) {
  if (question === 'ready') return target.ready();
  if (question === 'live') return target.live();
  if (REVOKES.includes(question)) return target.revoke(agent_id);
  if (question === 'create') return target.create({ ...FIELDS, agent_name: agent_id.split(':').at(-1) });
  if (once !== undefined) return target.verify(intentOn(agent_id, PRICE, { currency: CURRENCY }), once);
  return target.verify(intentOn(agent_id, question === 'over' ? '100.01' : '25'));
}

function intentOn(agent_id, amount, more = {}) {
  return { agent_id, action: 'payments.create', parameters: { amount, ...more } };
}

/** A new passport; its agent. */
async function make(target, kind, fields = {}) {
  let agent_name;
  await patiently(() => {
    // A try that was given up may have been written: the next one takes another name.
    agent_name = nextName(kind);
    return target.create({ ...FIELDS, ...fields, agent_name });
  });
  return agentOf(agent_name);
}

/** Outside of a fault a busy machine is given time; the answer that was good in the end. */
async function patiently(put) {
  const end = performance.now() + SETUP_MS;
  for (;;) {
    const answer = await put();
    if (['ALLOW', 'DENY', 'done'].includes(answer.outcome)) return answer;
    if (answer.outcome !== 'unavailable' || performance.now() > end) {
      throw new Error(`The set-up was refused: ${answer.outcome} ${answer.detail ?? ''}`);
    }
    await pause(PROBE_MS);
  }
}
