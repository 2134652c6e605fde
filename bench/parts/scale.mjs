/** Measures the costs that grow with the number of passports, verdicts and names, and the cost of a first verdict. */
import { spawnSync } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createIdentityService } from 'agent-identity-service';
import { finish, progress, readTask } from '../lib/part.mjs';
import { endlessStorage, KEPT_IN_MEMORY, withoutFiling } from '../lib/service.mjs';
import { median, quantile, range } from '../lib/stats.mjs';
import { column } from '../lib/table.mjs';
import { target } from '../lib/target.mjs';

const { isQuick, isFull, rounds } = readTask();
const SIZES = isQuick ? [10, 100] : [1_000, 10_000, 100_000, 1_000_000];
/** The number of measured starts of each kind. It is high, because starts differ by several milliseconds. */
const STARTS = isQuick ? 2 : 40;
const ASKED = isQuick ? 100 : 20_000;
const VERDICTS = isQuick ? 2_000 : isFull ? 10_000_000 : 300_000;
const STEPS = 5;
/** The maximum number of verdicts that the storage keeps. From then on, each verdict removes another. */
const KEPT = isQuick ? 1_000 : KEPT_IN_MEMORY;
const CHUNK = 1_000;
const MIB = 1_048_576;
/** Cache limits that are never reached, so that every passport stays in memory. */
const CACHE = { maxEntries: 2_000_000, maxBytes: 4 * 1024 ** 3 };
/**
 * The clocks of a service. They run so slowly that a passport in memory is still valid after a million other passports
 * were read. The measurement thus counts cache hits, not reads.
 */
const SLOW_CLOCK = {
  now: () => performance.timeOrigin + performance.now() / 1_000,
  monotonic: () => performance.now() / 1_000,
};
/** A clock that stays within one minute, because the storage keeps sums for each minute. */
const ONE_MINUTE = { now: () => Date.UTC(2026, 10, 20), monotonic: () => performance.now() };

const sizes = await bySize();
const lasting = await overTime((action) => action);
const named = await overTime((_, index) => `payments.send.n${index}`);
const starts = startTimes();
finish({ tables: [sizeTable(), lastingTable(), startTable()], targets: targets() });

/** Measures `verify` with different numbers of passports in memory, and the memory for each passport. */
async function bySize() {
  const rows = [];
  for (const size of SIZES) {
    progress(`${size} passports`);
    // Verdicts are thrown away: nothing of them is what a passport keeps.
    const { storage, action } = await endlessStorage();
    const service = open({ clock: SLOW_CLOCK, storage: withoutFiling(storage) });
    await service.verify({ agent_id: agentOf(0), action });
    const before = heapAfter();
    for (let index = 0; index < size; index += 1) {
      const { verdict } = await service.verify({ agent_id: agentOf(index), action });
      if (verdict !== 'ALLOW') throw new Error(`The verdict is ${verdict}.`);
      if (index % CHUNK === CHUNK - 1) await nextTurn();
    }
    await settle(service);
    const bytes = (heapAfter() - before) / size;
    const bare = new Map(Array.from({ length: size }, (_, index) => [agentOf(index), { index }]));
    const perRound = [];
    const bareRounds = [];
    for (let round = 0; round <= rounds; round += 1) {
      const nanoseconds = lookUp(bare, agentsAsked(size));
      if (round > 0) bareRounds.push(nanoseconds);
      const agents = agentsAsked(size);
      const samples = [];
      for (let from = 0; from < ASKED; from += 100) {
        const startedAt = performance.now();
        for (let index = from; index < from + 100; index += 1) {
          await service.verify({ agent_id: agents[index], action });
        }
        samples.push(((performance.now() - startedAt) * 1e6) / 100);
        if (from % CHUNK === 0) await settle(service);
      }
      if (round > 0) perRound.push(median(samples));
    }
    rows.push({
      name: `${size.toLocaleString('en')} passports`,
      p50: median(perRound),
      spread: range(perRound),
      bytes,
      bare: median(bareRounds),
    });
    await service.close();
  }
  return rows.map((row) => ({ ...row, ratio: row.p50 / rows[0].p50 }));
}

/** Creates new texts, so that each look-up has to read the key. */
function agentsAsked(size) {
  return Array.from({ length: ASKED }, (_, index) => agentOf((index * 7_919) % size));
}

/** Returns the nanoseconds that a plain Map takes to find an agent and read its value. */
function lookUp(map, agents) {
  let sum = 0;
  const startedAt = performance.now();
  for (const agent of agents) sum += map.get(agent).index;
  const ms = performance.now() - startedAt;
  if (!(sum >= 0)) throw new Error('One of them is missing.');
  return (ms * 1e6) / agents.length;
}

/**
 * Measures the heap after each fifth of the verdicts on 100 passports, once the storage has reached its maximum number
 * of records.
 */
async function overTime(actionOf) {
  const { storage, action } = await endlessStorage();
  const service = open({ clock: ONE_MINUTE, storage });
  const heaps = [];
  let asked = 0;
  const askUntil = async (end) => {
    progress(`verdict ${asked} of ${KEPT + VERDICTS}`);
    for (; asked < end; asked += 1) {
      await service.verify({ agent_id: agentOf(asked % 100), action: actionOf(action, asked) });
      if (asked % CHUNK === CHUNK - 1) await settle(service);
    }
    await settle(service);
  };
  await askUntil(KEPT);
  for (let step = 1; step <= STEPS; step += 1) {
    await askUntil(KEPT + (step * VERDICTS) / STEPS);
    heaps.push(heapAfter());
  }
  await service.close();
  return heaps;
}

function open(options) {
  return createIdentityService({ cache: CACHE, ...options });
}

/** Waits until all records were passed to the storage. */
async function settle(service) {
  await service.verifications.list({ limit: 1 });
}

function heapAfter() {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

function agentOf(index) {
  return `did:web:agents-${index}.example.com:agents:buyer-${index}`;
}

/** Measures the milliseconds from the start of Node to its end. The kinds of programs take turns. */
function startTimes() {
  const file = fileURLToPath(new URL('../servers/start.mjs', import.meta.url));
  const kinds = {
    'node -e 0': ['-e', '0'],
    'a module that does nothing': [file, 'nothing'],
    './verdict and a first verdict': [file, 'verdict'],
    'the service and a first verdict': [file, 'service'],
  };
  const times = Object.keys(kinds).map(() => []);
  for (let round = 0; round <= STARTS; round += 1) {
    progress(`cold start: round ${round} of ${STARTS}`);
    for (const [index, args] of Object.values(kinds).entries()) {
      const startedAt = performance.now();
      const { status, stderr } = spawnSync(process.execPath, args);
      const ms = performance.now() - startedAt;
      if (status !== 0) throw new Error(`${stderr}`);
      if (round > 0) times[index].push(ms);
    }
  }
  return Object.keys(kinds).map((name, index) => ({
    name,
    p50: median(times[index]),
    spread: range(times[index]),
    beyond: median(times[index].map((ms, round) => ms - times[1][round])),
  }));
}

function sizeTable() {
  return {
    title: 'Verify by the number of passports in memory',
    note: 'In a loop, asked in an order that is not theirs, and answered from memory: the clock of the service is slowed.',
    columns: [
      column('p50', 'p50 of batches of 100', 'ns'),
      column('spread', 'rounds, low to high', 'ns'),
      column('ratio', `x ${SIZES[0]}`, 'x'),
      column('bytes', 'heap per passport', 'bytes'),
      column('bare', 'a bare Map.get', 'ns'),
    ],
    rows: sizes,
  };
}

function lastingTable() {
  const columns = Array.from({ length: STEPS }, (_, step) =>
    column(`${step}`, `${(100 * (step + 1)) / STEPS} %`, 'MiB'),
  );
  return {
    title: `The heap over ${VERDICTS.toLocaleString('en')} verdicts, storage in memory and all`,
    note: `${KEPT.toLocaleString('en')} verdicts before them filled the storage; all are of one minute.`,
    columns,
    rows: [
      { name: '100 agents, one action', ...lasting },
      { name: '100 agents, an action of its own each', ...named },
    ],
  };
}

function startTable() {
  return {
    title: 'Cold start of a process',
    columns: [
      column('p50', 'p50 of starts', 'ms'),
      column('spread', 'low to high', 'ms'),
      column('beyond', 'beyond that module', 'ms'),
    ],
    rows: starts,
  };
}

function targets() {
  const growth = (key) => sizes.at(-1)[key] / sizes[0][key];
  const grown = (heaps) => quantile(heaps.slice(1), 1) - heaps[0];
  return [
    target(
      `slowdown of verify with ${sizes.at(-1).name} / of a lookup in a Map`,
      growth('p50') / growth('bare'),
      { atMost: 0.6 },
    ),
    target('heap per passport in memory', sizes.at(-1).bytes, { atMost: 900, unit: 'bytes' }),
    target('heap grown over the verdicts', grown(lasting), { atMost: 4 * MIB, unit: 'MiB' }),
    target('heap grown over distinct actions', grown(named), { atMost: 4 * MIB, unit: 'MiB' }),
    target('cold start of the service', starts[3].beyond, { atMost: 60, unit: 'ms' }),
    target('cold start of ./verdict', starts[2].beyond, { atMost: 6, unit: 'ms' }),
  ];
}
