/** Each proof says what it saw in rows of the report. */
import { makeChanges } from './changes.mjs';
import { SHARED, tearChannel } from './engines.mjs';
import { killNodes, killStore } from './kills.mjs';
import { raceRevocations } from './races.mjs';
import { count, ms, percentile } from './report.mjs';
import { restartRolling } from './rolling.mjs';

const MAX_MS = 1_000;
const TYPICAL_MS = 100;

/**
 * The proofs by name and in their order: on which engines, and how. `open` gives the three nodes of the proof before
 * where they are the same; the kills start nodes of their own.
 */
export const PROOFS = {
  strict: { engines: SHARED, prove: (given) => proveChanges(given, { consistency: 'strict' }) },
  silent: { engines: SHARED, prove: (given) => proveChanges(given, { channel: 'silent', isDeaf: true }) },
  default: { engines: SHARED, prove: (given) => proveChanges(given) },
  torn: { engines: SHARED, prove: (given) => proveChanges(given, { channel: 'torn' }) },
  races: { engines: SHARED, prove: proveRaces },
  rolling: { engines: SHARED, prove: proveRolling },
  nodes: { engines: [...SHARED, 'sqlite'], startsNodes: true, prove: proveNodeKills },
  store: { engines: SHARED, startsNodes: true, prove: proveStoreKills },
};

async function proveChanges(given, { consistency = 'default', channel, isDeaf = false } = {}) {
  const { engine, open, row, say, random, isQuick } = given;
  const site = await open({ consistency, isDeaf });
  const tearing = channel === 'torn' ? await tearChannel(engine) : undefined;
  let cuts;
  let run;
  try {
    run = await makeChanges({ site, total: given.changes, random, say });
  } finally {
    cuts = await tearing?.stop();
  }
  const { evaluated, changes } = run;
  const decided = Object.values(evaluated).reduce((sum, each) => sum + each, 0);
  const mode = channel === undefined ? consistency : `channel ${channel}`;
  const cutText = cuts === undefined ? '' : `, ${count(cuts)} cuts`;
  const load = `${count(decided)} verdicts, ${count(changes.length)} changes${cutText}`;
  say(`${load} in ${run.seconds.toFixed(0)} s; undecided ${run.undecided}, refused ${run.refused}`);
  sayKinds(run, say);
  if (run.firstProblem !== undefined) say(run.firstProblem);

  const stale = evaluated['stale ALLOW'];
  const older = evaluated.older + evaluated['stale DENY'];
  if (consistency === 'strict') {
    row(`${mode}: stale ALLOW`, '0', `${stale} of ${load}`, stale === 0);
    row(`${mode}: other verdicts by an older state`, '0', `${older}`, older === 0);
  } else {
    const allows = latenessOf(run, 'DENY');
    const denies = latenessOf(run, 'ALLOW');
    // How fast a message is depends on the machine; the bound does not.
    if (channel === undefined && !isQuick) {
      const typical = `${ms(allows.p99)} (p50 ${ms(allows.p50)})`;
      row(`${mode}: stale ALLOW, p99`, `<= ${TYPICAL_MS} ms`, typical, allows.p99 <= TYPICAL_MS);
    }
    const seen = `${figures(allows)}; ${count(stale)} of ${load}`;
    row(`${mode}: the latest stale ALLOW`, `<= ${count(MAX_MS)} ms`, seen, allows.max <= MAX_MS);
    const also = figures(denies);
    row(`${mode}: the latest stale DENY`, `<= ${count(MAX_MS)} ms`, also, denies.max <= MAX_MS);
  }
  const strange = evaluated.wrong + run.neverSeen;
  row(`${mode}: verdicts that no state explains`, '0', `${strange}`, strange === 0);
  // What proves that the proof sees anything: without a channel there is something to see.
  if (channel === 'silent')
    row(`${mode}: stale verdicts at all`, '> 0', count(stale + older), stale + older > 0);
  if (cuts !== undefined) row(`${mode}: it was cut`, '> 0 times', count(cuts), cuts > 0);
}

/**
 * Of every change with this outcome and every node, how late the last verdict without it was. What is typical comes
 * from those that were watched all the time, `max` from all.
 */
function latenessOf({ changes, site }, verdict) {
  const lateOf = (some) =>
    some
      .filter((change) => change.verdict === verdict)
      .flatMap(({ lateness }) => site.nodes.map(({ origin }) => lateness.get(origin) ?? 0))
      .sort((a, b) => a - b);
  const watched = lateOf(changes.filter(({ isCold }) => !isCold));
  const max = lateOf(changes).at(-1) ?? 0;
  return { max, p50: percentile(watched, 0.5), p99: percentile(watched, 0.99) };
}

function sayKinds({ changes, site }, say) {
  for (const kind of new Set(changes.map((change) => change.kind))) {
    const own = changes.filter((change) => change.kind === kind);
    const late = latenessOf({ changes: own, site }, own[0].verdict);
    say(`  ${kind}: ${count(own.length)} changes, known everywhere after ${figures(late)}`);
  }
}

function figures({ max, p50, p99 }) {
  return `${ms(max)} (p50 ${ms(p50)}, p99 ${ms(p99)})`;
}

async function proveRaces({ engine, open, row, say, random, races }) {
  const run = await raceRevocations({ site: await open(), engine, total: races, random });
  const against = `${count(run.won + run.refused)} requests against ${count(run.raced.length)} revocations`;
  say(`${count(run.won)} won, ${count(run.refused)} lost against the revocation, ${run.unclear} unclear`);
  for (const text of [run.lost[0], run.problems[0], run.firstProblem]) if (text !== undefined) say(text);
  const seen = `${run.lost.length} (${against})`;
  const isClean = run.lost.length === 0 && run.raced.length === races;
  row('resurrections after a second, by verdict and store', '0', seen, isClean);
  const strange = run.problems.length + run.backwards;
  row('versions that went back, doubled or left a hole', '0', `${strange}`, strange === 0);
}

async function proveRolling({ open, row, say, rounds, settledAfter }) {
  const run = await restartRolling({ site: await open(), rounds, settledAfter, say });
  for (const failure of run.failures.slice(0, 5)) say(failure);
  const isClean = run.failures.length === 0 && run.exits.every((exit) => exit === 0);
  const seen = `${run.failures.length} of ${count(run.sent)} requests, ${run.restarts} restarts`;
  row('rolling restart: failed requests', '0', seen, isClean);
}

async function proveNodeKills({ engine, row, say, random, nodeKills, sqliteKills }) {
  const kills = engine.name === 'sqlite' ? sqliteKills : nodeKills;
  const run = await killNodes({ engine, kills, random, say });
  rowsOfKills(run, `${kills} kill -9 of a node`, { row, say });
}

async function proveStoreKills({ engine, row, say, random, storeKills }) {
  const run = await killStore({ engine, kills: storeKills, random, say });
  const late = run.takenUp.sort((a, b) => a - b);
  say(`written to again after its return: p50 ${ms(percentile(late, 0.5))}, at most ${ms(late.at(-1))}`);
  rowsOfKills(run, `${storeKills} kill -9 of the store`, { row, say });
}

function rowsOfKills({ ledger, known, found, inDoubt, lost, halves }, what, { row, say }) {
  for (const text of [...lost.slice(0, 3), ...halves.slice(0, 3), ...ledger.problems.slice(0, 3)]) say(text);
  const books = `${count(known)} records acknowledged, ${count(found)} found`;
  const seen = `${lost.length}; ${books} (${count(ledger.acknowledged)} writes, ${count(inDoubt)} in doubt)`;
  row(`${what}: acknowledged writes lost`, '0', seen, lost.length === 0 && known > 0);
  const strange = halves.length + ledger.problems.length;
  row(`${what}: records half there`, '0', `${strange}`, strange === 0);
}
