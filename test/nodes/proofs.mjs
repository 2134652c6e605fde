/** Each proof runs on an engine of its own and says what it saw in rows of the report. */
import { makeChanges } from './changes.mjs';
import { openEngine, SHARED, tearChannel } from './engines.mjs';
import { killNodes, killStore } from './kills.mjs';
import { raceRevocations } from './races.mjs';
import { count, ms, percentile } from './report.mjs';
import { restartRolling } from './rolling.mjs';
import { openSite } from './site.mjs';

const MOST_MS = 1_000;
const TYPICAL_MS = 100;

/** The proofs by name: on which engines, and how. */
export const PROOFS = {
  strict: { engines: SHARED, prove: (given) => proveChanges(given, { consistency: 'strict' }) },
  default: { engines: SHARED, prove: (given) => proveChanges(given, { consistency: 'default' }) },
  silent: { engines: SHARED, prove: (given) => proveChanges(given, { channel: 'silent', isDeaf: true }) },
  torn: { engines: SHARED, prove: (given) => proveChanges(given, { channel: 'torn' }) },
  races: { engines: SHARED, prove: proveRaces },
  rolling: { engines: SHARED, prove: proveRolling },
  nodes: { engines: [...SHARED, 'sqlite'], prove: proveNodeKills },
  store: { engines: SHARED, prove: proveStoreKills },
};

/** Runs one proof; one that cannot go on is a row that fails. */
export async function prove(name, engineName, { report, ...given }) {
  report.say(`${engineName}: ${name}`);
  const say = (text) => report.say(`${engineName}: ${name}: ${text}`);
  let engine;
  try {
    engine = await openEngine(engineName);
    const row = (...cells) => report.row(engineName, ...cells);
    await PROOFS[name].prove({ ...given, engine, say, row });
  } catch (error) {
    say(error.stack);
    report.row(
      engineName,
      `the proof "${name}" runs to its end`,
      'yes',
      error.message.split('\n', 1)[0],
      false,
    );
  } finally {
    await engine?.remove();
  }
}

async function proveChanges(given, { consistency = 'default', channel, isDeaf = false }) {
  const { engine, row, say, random, isQuick } = given;
  const site = await openSite(engine, { consistency, isDeaf });
  try {
    const tearing = channel === 'torn' ? await tearChannel(engine) : undefined;
    const run = await makeChanges({ site, total: given.changes, random, say });
    const cuts = await tearing?.stop();
    const { judged, changes } = run;
    const decided = Object.values(judged).reduce((sum, each) => sum + each, 0);
    const mode = [consistency, ...(channel === undefined ? [] : [`channel ${channel}`])].join(', ');
    const cutText = cuts === undefined ? '' : `, ${count(cuts)} cuts`;
    const load = `${count(decided)} verdicts, ${count(changes.length)} changes${cutText}`;
    say(`${load} in ${run.seconds.toFixed(0)} s; undecided ${run.undecided}, refused ${run.refused}`);
    sayKinds(run, say);
    if (run.firstProblem !== undefined) say(run.firstProblem);

    const allows = latenessOf(run, 'DENY');
    const denies = latenessOf(run, 'ALLOW');
    if (consistency === 'strict') {
      row(`${mode}: stale ALLOW`, '0', `${judged['stale ALLOW']} of ${load}`, judged['stale ALLOW'] === 0);
      const older = judged.older + judged['stale DENY'];
      row(`${mode}: other verdicts by an older state`, '0', `${older}`, older === 0);
    } else {
      const p99 = percentile(allows, 0.99);
      const typical = `p50 ${ms(percentile(allows, 0.5))}, p99 ${ms(p99)}`;
      // How fast a message is depends on the machine; the bound does not.
      if (channel === undefined && !isQuick) {
        row(`${mode}: stale ALLOW after the change, p99`, `<= ${TYPICAL_MS} ms`, typical, p99 <= TYPICAL_MS);
      }
      const latest = allows.at(-1) ?? 0;
      const seen = `${ms(latest)} (${typical}); ${judged['stale ALLOW']} of ${load}`;
      row(`${mode}: the latest stale ALLOW`, `<= ${count(MOST_MS)} ms`, seen, latest <= MOST_MS);
      const latestDeny = denies.at(-1) ?? 0;
      const deny = `${ms(latestDeny)} (p50 ${ms(percentile(denies, 0.5))}, p99 ${ms(percentile(denies, 0.99))})`;
      row(`${mode}: the latest stale DENY`, `<= ${count(MOST_MS)} ms`, deny, latestDeny <= MOST_MS);
    }
    const strange = judged.wrong + run.neverSeen;
    row(`${mode}: verdicts that no state explains`, '0', `${strange}`, strange === 0);
    if (cuts !== undefined) row(`${mode}: the channel was cut`, '> 0 times', count(cuts), cuts > 0);
  } finally {
    await site.close();
  }
}

/** Of every change with this outcome and every node, how late the last verdict without it was; sorted. */
function latenessOf({ changes, site }, verdict) {
  return changes
    .filter((change) => change.verdict === verdict)
    .flatMap(({ lateness }) => site.nodes.map(({ origin }) => lateness.get(origin) ?? 0))
    .sort((a, b) => a - b);
}

function sayKinds({ changes, site }, say) {
  for (const kind of new Set(changes.map((change) => change.kind))) {
    const own = changes.filter((change) => change.kind === kind);
    const late = latenessOf({ changes: own, site }, own[0].verdict);
    const figures = `p50 ${ms(percentile(late, 0.5))}, p99 ${ms(percentile(late, 0.99))}, max ${ms(late.at(-1))}`;
    say(`  ${kind}: ${count(own.length)} changes, seen everywhere after ${figures}`);
  }
}

async function proveRaces({ engine, row, say, random, races }) {
  const site = await openSite(engine);
  try {
    const run = await raceRevocations({ site, engine, total: races, random, say });
    const against = `${count(run.won + run.refused)} requests against ${count(run.raced.length)} revocations`;
    const [lost, problem] = [run.lost[0], run.problems[0]];
    for (const text of [lost, problem]) if (text !== undefined) say(text);
    const seen = `${run.lost.length} (${against})`;
    row('resurrections after a second, by verdict and store', '0', seen, run.lost.length === 0);
    const strange = run.problems.length + run.backwards;
    row('versions that went back, doubled or left a hole', '0', `${strange}`, strange === 0);
  } finally {
    await site.close();
  }
}

async function proveRolling({ engine, row, say, rounds }) {
  const site = await openSite(engine);
  try {
    const run = await restartRolling({ site, rounds, say });
    for (const failure of run.failures.slice(0, 5)) say(failure);
    const isClean = run.exits.every((exit) => exit === 0);
    const seen = `${run.failures.length} of ${count(run.sent)} requests, ${run.restarts} restarts`;
    row('rolling restart: failed requests', '0', seen, run.failures.length === 0 && isClean);
  } finally {
    await site.close();
  }
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
