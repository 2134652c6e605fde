/**
 * `decide` against its floors: npm run build && node bench/decide.mjs [door, default ../dist/verdict.js]
 *
 * Rounds alternate between the contestants, the first round is thrown away, and every contestant must give the
 * same verdicts before anything is timed. Only the ratios within one run mean something.
 */
import { cpus } from 'node:os';

const { decide, prepare } = await import(new URL(process.argv[2] ?? '../dist/verdict.js', import.meta.url));

const PASSPORTS = 1_000;
const INTENTS = 10_000;
const ROUNDS = 15;
const BATCH = 100;
const AT = Date.parse('2026-11-20T12:00:00.000Z');

const random = seeded(20_261_120);
const passports = Array.from({ length: PASSPORTS }, (_, index) => passportOf(index));
const sound = passports.filter((passport) => passport.status === 'active');
const intentTexts = Array.from({ length: INTENTS }, (_, index) => JSON.stringify(intentOf(index)));

const byId = keyed((passport) => passport);
const prepared = keyed(prepare);
const entries = keyed(entryOf);
const compiled = keyed(compile);
const agents = intentTexts.map((text) => JSON.parse(text).agent_id);
const compiledInHand = agents.map((agent_id) => compiled.get(agent_id));
const preparedInHand = agents.map((agent_id) => prepared.get(agent_id));
const passportInHand = agents.map((agent_id) => byId.get(agent_id));

const ALLOW = Object.freeze({ verdict: 'ALLOW', reasons: Object.freeze([]) });
const DENY = Object.freeze({ verdict: 'DENY', reasons: Object.freeze([]) });

const FLOOR = 'floor: Map.get, Set.has, compare';
const COMPILED = 'compiled floor: passport in hand';
const contestants = new Map([
  [FLOOR, loop(floor)],
  [COMPILED, loop((intent, index) => compiledInHand[index](intent))],
  [
    'decide, prepared, Map.get',
    loop((intent) => decide({ passport: prepared.get(intent.agent_id), intent, at: AT })),
  ],
  [
    'decide, prepared, in hand',
    loop((intent, index) => decide({ passport: preparedInHand[index], intent, at: AT })),
  ],
  [
    'decide, plain passport',
    loop((intent, index) => decide({ passport: passportInHand[index], intent, at: AT })),
  ],
]);

assertEqualAnswers();
report(measure());

function passportOf(index) {
  const revoked = index % 20 === 0;
  const actions = Array.from(
    { length: 8 },
    (_, n) => `payments.${pick(['send', 'refund', 'quote', 'hold'])}.${n}`,
  );
  const targets = Array.from({ length: 4 }, (_, n) => `did:web:shop-${(index * 7 + n) % 500}.example.org`);
  const passport = {
    agent_id: `did:web:agents-${index}.example.com:agents:buyer-${index}`,
    domain: `agents-${index}.example.com`,
    agent_name: `buyer-${index}`,
    status: revoked ? 'revoked' : 'active',
    version: 1,
    allowed_actions: actions,
    monetary_limit_per_txn: Math.floor(10_000 + random() * 100_000) / 100,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    suspended_until: null,
    suspended_by: null,
    suspension_reason: null,
    revoked_at: revoked ? '2026-02-01T00:00:00.000Z' : null,
    revoked_by: null,
    revocation_reason: null,
  };
  return index % 2 === 0 ? { ...passport, allowed_targets: targets } : passport;
}

/** Half of them ALLOW; each of the others breaks one rule or two. */
function intentOf(index) {
  const fault =
    index % 2 === 0 ? 'none' : pick(['action', 'amount', 'target', 'action and amount', 'revoked']);
  const passport =
    fault === 'revoked' ? passports[20 * Math.floor(random() * (PASSPORTS / 20))] : pick(sound);
  const { agent_id, allowed_actions, allowed_targets, monetary_limit_per_txn: limit } = passport;
  const cents = Math.floor(limit * 100 * random());
  const isWrongAction = fault.includes('action') || (fault === 'target' && allowed_targets === undefined);
  const target =
    fault === 'target' ? 'did:web:stranger.example.net' : pick(allowed_targets ?? ['did:web:any.example']);
  return {
    agent_id,
    action: isWrongAction ? 'payments.steal.1' : pick(allowed_actions),
    ...((allowed_targets || random() < 0.2) && { target }),
    parameters: { amount: (fault.includes('amount') ? Math.ceil(limit * 100) + 1 + cents : cents) / 100 },
  };
}

function keyed(make) {
  return new Map(passports.map((passport) => [passport.agent_id, make(passport)]));
}

function entryOf({ status, allowed_actions, monetary_limit_per_txn, allowed_targets }) {
  return {
    active: status === 'active',
    actions: new Set(allowed_actions),
    limit: monetary_limit_per_txn,
    targets: allowed_targets && new Set(allowed_targets),
  };
}

function floor(intent) {
  const entry = entries.get(intent.agent_id);
  if (entry === undefined || !entry.active || !entry.actions.has(intent.action)) return DENY;
  if (entry.targets !== undefined && !entry.targets.has(intent.target)) return DENY;
  return intent.parameters.amount <= entry.limit ? ALLOW : DENY;
}

function compile(passport) {
  const { active, actions, limit, targets } = entryOf(passport);
  return (intent) => {
    if (!active || !actions.has(intent.action)) return DENY;
    if (targets !== undefined && !targets.has(intent.target)) return DENY;
    return intent.parameters.amount <= limit ? ALLOW : DENY;
  };
}

/** Strings that nobody has looked at yet, in objects built as literals: what a parser of requests hands over. */
function freshIntents() {
  return intentTexts.map((text) => {
    const { agent_id, action, target, parameters } = JSON.parse(text);
    const { amount } = parameters;
    return target === undefined
      ? { agent_id, action, parameters: { amount } }
      : { agent_id, action, target, parameters: { amount } };
  });
}

/** A loop of its own per contestant, so that none is slowed by what the optimizer saw of another. */
function loop(answer) {
  const body = `let allowed = 0;
    for (let index = from; index < to; index += 1) if (answer(intents[index], index).verdict === 'ALLOW') allowed += 1;
    return allowed;`;
  return { answer, run: new Function('answer', 'intents', 'from', 'to', body).bind(undefined, answer) };
}

function assertEqualAnswers() {
  const intents = freshIntents();
  let allowed = 0;
  for (const [index, intent] of intents.entries()) {
    const answers = [...contestants.values()].map(({ answer }) => answer(intent, index).verdict);
    if (new Set(answers).size !== 1) throw new Error(`Answers differ: ${JSON.stringify(intent)} ${answers}`);
    if (answers[0] === 'ALLOW') allowed += 1;
  }
  console.log(`${PASSPORTS} passports, ${INTENTS} intents, ${allowed} ALLOW; all contestants agree.`);
}

/** Nanoseconds per verdict, one figure per batch, of every round but the first. */
function measure() {
  const figures = new Map([...contestants.keys()].map((name) => [name, { batches: [], rounds: [] }]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, { run }] of contestants) {
      const intents = freshIntents();
      globalThis.gc?.();
      const times = [process.hrtime.bigint()];
      for (let from = 0; from < INTENTS; from += BATCH) {
        run(intents, from, from + BATCH);
        times.push(process.hrtime.bigint());
      }
      if (round === 0) continue;
      const { batches, rounds } = figures.get(name);
      batches.push(...times.slice(1).map((time, index) => Number(time - times[index]) / BATCH));
      rounds.push(Number(times.at(-1) - times[0]) / INTENTS);
    }
  }
  return figures;
}

function report(figures) {
  const rows = [...figures].map(([name, { batches, rounds }]) => ({
    name,
    p50: quantile(batches, 0.5),
    p99: quantile(batches, 0.99),
    median: quantile(rounds, 0.5),
    spread: `${quantile(rounds, 0).toFixed(0)} to ${quantile(rounds, 1).toFixed(0)}`,
  }));
  const medianOf = (wanted) => rows.find(({ name }) => name === wanted).median;
  console.log(
    `${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}, ${new Date().toISOString()}`,
  );
  console.log(`${ROUNDS} rounds, strings fresh in each, p50 and p99 over batches of ${BATCH} verdicts\n`);
  console.log(
    'ns per verdict'.padEnd(36),
    ...['median', 'p50', 'p99', 'spread', 'x floor', 'x comp.'].map(column),
  );
  for (const { name, median, p50, p99, spread } of rows) {
    const ratios = [median / medianOf(FLOOR), median / medianOf(COMPILED)].map((ratio) => ratio.toFixed(2));
    console.log(
      name.padEnd(36),
      ...[...[median, p50, p99].map((ns) => ns.toFixed(0)), spread, ...ratios].map(column),
    );
  }
}

function column(text) {
  return text.padStart(11);
}

function quantile(values, q) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.round(q * (sorted.length - 1))];
}

function pick(choices) {
  return choices[Math.floor(random() * choices.length)];
}

/** mulberry32: the same work in every run. */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
