/** One row of the table: load, a fault, its end, and what was seen. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { evaluate, MEMORY_BYTES, RECOVERY_MS, RECOVERY_PROBLEM, slowestMs } from './evaluate.mjs';
import { firstGood, missing, moneyProblem, revokeOne, startLoad, stock } from './load.mjs';

const BEFORE_MS = 500;
const AFTER_MS = 500;
const SPARES = 20;
/** How long a recovery that comes too late is waited for. */
const PATIENCE_MS = 15_000;
const RECOVERIES = ['good', 'create', 'ready'];
/** Acknowledged passports that are looked for afterwards. */
const LOOKED_FOR = 20;

/**
 * Something that goes wrong with a store, and its end.
 *
 * @typedef {object} Fault
 * @property {string} name
 * @property {string} expected what the table says
 * @property {() => Promise<void>} apply
 * @property {() => Promise<void>} undo settles when the store is back
 * @property {object} away as in `evaluate.mjs`
 * @property {number} [lastsMs] default 3,000
 * @property {boolean} [isQuiet] nothing is asked while it comes: what is written then could be lost
 * @property {boolean} [inQuick] whether the short run has it
 * @property {boolean} [endsNodes] whether the nodes refuse the store until they are started again
 * @property {() => Promise<void>} [prepare] what needs time, before the load
 * @property {string} [impossible] why it cannot be had on this machine
 */

/**
 * Runs a fault under load. `pairs`: each target with its world, and `stored` where the agents in its store can be read
 * without it.
 *
 * @param {Fault} fault
 */
export async function runRow(fault, pairs) {
  for (const { target, world } of pairs) await stock(target, world, SPARES);
  const madeBefore = pairs.map(({ world }) => world.created.length);
  const notes = [];
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const loads = pairs.map(({ target, world }) => startLoad(target, world, notes));
  const memory = watchMemory(pairs);
  let happened;
  let grown;
  try {
    happened = await happen(fault, pairs, loads);
    await pause(AFTER_MS);
  } finally {
    grown = memory.stop();
    await Promise.all(loads.map((load) => load.stop()));
    delay.disable();
  }
  const lagMs = delay.max / 1e6;
  const revoked = pairs.map(({ world }) => world.revoked);
  const problems = evaluate({ ...happened, notes, revoked, lagMs, away: fault.away });
  if (happened.recoveredMs > RECOVERY_MS) problems.push(RECOVERY_PROBLEM);
  if (grown > MEMORY_BYTES) problems.push('memory grew too much');
  if (pairs.some(({ target }) => !target.isAlive())) problems.push('the node died');
  for (const [index, { target, world, stored }] of pairs.entries()) {
    if (fault.endsNodes) break;
    const made = world.created.slice(madeBefore[index]);
    const found = await stored?.();
    const unstored = found === undefined ? [] : made.filter((agent_id) => !found.has(agent_id));
    if (unstored.length > 0) problems.push(`${unstored.length} acknowledged passports are not in the file`);
    const lost = await missing(target, [...made.slice(0, LOOKED_FOR), ...made.slice(-LOOKED_FOR)]);
    if (lost.length > 0) problems.push(`${lost.length} acknowledged passports lost`);
    const money = await moneyProblem(target, world);
    if (money !== undefined) problems.push(money);
  }
  return { fault, problems, seen: describe({ ...happened, notes, grown, lagMs }) };
}

/** Lets the fault come and go under the load; its moments. */
async function happen(fault, pairs, loads) {
  await pause(BEFORE_MS);
  for (const { target, world } of pairs) await revokeOne(target, world);
  if (fault.isQuiet) await Promise.all(loads.map((load) => load.quiet()));
  try {
    await fault.apply();
  } catch (error) {
    await fault.undo().catch(() => {});
    throw error;
  }
  const onset = performance.now();
  for (const load of loads) load.resume();
  await pause(fault.lastsMs ?? 3_000);
  const undone = performance.now();
  await fault.undo();
  const back = performance.now();
  if (fault.endsNodes) return { onset, undone };
  const recoveries = await Promise.all(pairs.map((pair) => recover(pair, back)));
  return { onset, undone, recoveredMs: Math.max(...recoveries) };
}

/** Milliseconds until everything works again through one target. */
async function recover({ target, world }, back) {
  const moments = await Promise.all(
    RECOVERIES.map((question) => firstGood(target, world, question, PATIENCE_MS)),
  );
  return Math.max(...moments.map((moment) => (moment ?? Infinity) - back));
}

/** The most by which the memory of a target grows. */
function watchMemory(pairs) {
  const before = pairs.map(({ target }) => target.rss());
  let most = 0;
  const look = () => {
    for (const [index, { target }] of pairs.entries()) {
      if (target.isAlive()) most = Math.max(most, target.rss() - before[index]);
    }
  };
  const timer = setInterval(look, 100);
  return {
    stop() {
      look();
      clearInterval(timer);
      return most;
    },
  };
}

function describe({ notes, onset, undone, recoveredMs, grown, lagMs }) {
  const during = notes.filter(({ startedAt, endedAt }) => startedAt >= onset && endedAt <= undone);
  const asked = during.filter(({ question }) => question !== 'ready' && question !== 'live');
  const refused = asked.filter(({ outcome }) => outcome === 'unavailable').length;
  const ready = during.filter(({ question }) => question === 'ready');
  const isReady = ready.filter(({ outcome }) => outcome === 'done').length;
  return [
    `${asked.length - refused} answered, ${refused} x 503`,
    `ready ${isReady === 0 ? '503' : isReady === ready.length ? '200' : '200 and 503'}`,
    `slowest ${Math.round(slowestMs(notes))} ms${lagMs > 200 ? ` (this process ${Math.round(lagMs)} ms)` : ''}`,
    recoveredMs === undefined ? 'back when started again' : `back in ${Math.round(recoveredMs)} ms`,
    `memory +${Math.round(grown / 1_048_576)} MiB`,
  ].join('; ');
}
