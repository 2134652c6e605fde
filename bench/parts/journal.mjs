/**
 * Measures verdicts at a constant rate over each storage. Checks that all are recorded, and measures the cost of
 * recording and of reading.
 */
import { ENGINES } from '../lib/engines.mjs';
import { ROW_TIMES, ROWS } from '../lib/journal-rows.mjs';
import { finish, progress, readTask } from '../lib/part.mjs';
import { runAlone } from '../lib/run-alone.mjs';
import { median } from '../lib/stats.mjs';
import { column } from '../lib/table.mjs';
import { target } from '../lib/target.mjs';

const { isQuick, isFull } = readTask();
const RATE = isQuick ? 2_000 : 100_000;
const HIGH_RATE = 150_000;
const AGENTS = isQuick ? 50 : 1_000;
const WARM_UP = isQuick ? 500 : 30_000;
const SECONDS = isQuick ? 1 : isFull ? 60 : 10;
const ROUNDS = isQuick || isFull ? 1 : 3;
/** The number of records before pages are read. The other two storages keep only the newest records. */
const RECORDS = isFull ? { sqlite: 10_000_000, postgres: 10_000_000 } : {};
const PAGE_BOUNDS = {
  page: { label: 'the newest page', atMost: 2 },
  agentPage: { label: 'a page of one agent', atMost: 5 },
  rarePage: { label: 'a page of an agent seen 3 times', atMost: 8 },
};
/**
 * The numbers of accounts. With 100, each account has some traffic; with 1,000, each has one or two verdicts per flush.
 */
const ACCOUNTS = [100, 1_000];
/** The number of rounds of a load, because short runs vary more than the cost of a record. */
const LOAD_ROUNDS = 3;
const CALLERS = 256;
const MIB = 1_048_576;

const rows = [];
for (const name of Object.keys(ENGINES)) {
  const rounds = [];
  const task = { engine: name, rate: RATE, seconds: SECONDS, records: RECORDS[name] };
  for (let round = 0; round < ROUNDS; round += 1) {
    progress(`${name}: round ${round + 1} of ${ROUNDS}, ${SECONDS} s each`);
    const found = await filing({ ...task, isReadBack: true });
    if (found === undefined) break;
    rounds.push(found);
  }
  if (rounds.length === 0) continue;
  const hasLoads = !isQuick && name !== 'memory';
  rows.push({ ...rowOf(name, rounds), ...(hasLoads ? await underOtherLoads(name) : {}) });
}
finish({ tables: [recorded(), loads(), read()], targets: rows.flatMap(targetsOf) });

/** Runs the load once, and once more with a storage that stores nothing. The difference is the cost of storing. */
async function filing(task) {
  const kept = await run({ ...task, isKept: true });
  const bare = await run({ ...task, seconds: Math.min(task.seconds, 10), isKept: false });
  if (kept === undefined || bare === undefined) return undefined;
  const own = kept.cpu - bare.cpu;
  return {
    ...kept,
    filing: own,
    filingOfBoth: kept.cpuOfBoth - bare.cpuOfBoth,
    share: own / kept.cpu,
    grown: Math.max(0, kept.grown - bare.grown),
  };
}

/** Measures many accounts, a higher rate, and callers who wait for their record. */
async function underOtherLoads(engine) {
  const seconds = 5;
  const found = {};
  for (const [at, accounts] of ACCOUNTS.entries()) {
    const figures = [];
    for (let round = 0; round < LOAD_ROUNDS; round += 1) {
      progress(`${engine}: ${accounts} accounts, round ${round + 1} of ${LOAD_ROUNDS}`);
      const figure = await filing({ engine, rate: RATE, seconds, accounts });
      figures.push(figure.filingOfBoth);
    }
    found[at === 0 ? 'someAccounts' : 'manyAccounts'] = median(figures);
  }
  progress(`${engine}: ${HIGH_RATE} a second`);
  const high = await run({ engine, rate: HIGH_RATE, seconds, isKept: true });
  Object.assign(found, { highRate: high.perSecond, highDropped: high.dropped });
  if (engine === 'redis') return found;
  progress(`${engine}: ${CALLERS} callers of a strict journal`);
  const { perSecond } = await run({ engine, seconds, callers: CALLERS, isKept: true });
  return { ...found, strict: perSecond };
}

/** Runs a task in its own process; returns `undefined` if the storage is not available. */
function run(task) {
  return runAlone('journal', { ...task, agents: AGENTS, warmUp: WARM_UP });
}

function rowOf(name, rounds) {
  const keys =
    'perSecond filing filingOfBoth share bytes grown csv page agentPage rarePage retention longestTurn';
  return {
    name,
    ...Object.fromEntries(keys.split(' ').map((key) => [key, median(rounds.map((round) => round[key]))])),
    dropped: Math.max(...rounds.map(({ dropped }) => dropped)),
  };
}

function recorded() {
  return {
    title: `${RATE.toLocaleString('en')} verdicts a second for ${SECONDS} s, one account, 1,000 agents`,
    note: 'Filing is the CPU per verdict, more memory the resident set at its largest, each less that of the same over a storage that keeps nothing; merges of sums are in both.',
    columns: [
      column('perSecond', 'asked', 'per s'),
      column('dropped', 'dropped', 'count'),
      column('filing', 'filing', 'ns'),
      column('filingOfBoth', 'with the server', 'ns'),
      column('share', 'share of filing', 'x'),
      column('bytes', 'a record', 'bytes'),
      column('grown', 'more memory', 'MiB'),
      column('longestTurn', 'longest turn', 'ms'),
    ],
    rows,
  };
}

function loads() {
  return {
    title: 'Under other loads',
    note: `CPU of process and server per verdict; ${HIGH_RATE.toLocaleString('en')} a second; ${CALLERS} callers who wait until their verdict is stored.`,
    columns: [
      column('someAccounts', `${ACCOUNTS[0]} accounts`, 'ns'),
      column('manyAccounts', `${ACCOUNTS[1]} accounts`, 'ns'),
      column('highRate', 'asked', 'per s'),
      column('highDropped', 'dropped', 'count'),
      column('strict', 'strict', 'per s'),
    ],
    rows,
  };
}

function read() {
  return {
    title: 'Reading them again',
    note: 'CSV by the fetch handler, CPU per record; the pages have 50 records; retention with the server.',
    columns: [
      column('csv', 'CSV, a record', 'ns'),
      column('page', 'the newest page', 'ms'),
      column('agentPage', 'of one agent of 1,000', 'ms'),
      column('rarePage', 'of an agent seen 3 times', 'ms'),
      column('retention', 'retention, a record', 'ns'),
    ],
    rows,
  };
}

function targetsOf(row) {
  const { name } = row;
  const pages = RECORDS[name] === undefined ? {} : PAGE_BOUNDS;
  return [
    target(`verdicts dropped, ${name}`, row.dropped, { atMost: 0, unit: 'count' }),
    target(`more resident memory, ${name}`, row.grown, { atMost: 64 * MIB, unit: 'MiB' }),
    ...(row.highRate === undefined ? [] : furtherTargets(row)),
    ...Object.entries(pages).map(([key, { label, atMost }]) =>
      target(`${label} at 10,000,000 records, ${name}`, row[key], { atMost, unit: 'ms' }),
    ),
  ];
}

/** Returns the targets for other loads, and the targets relative to an earlier release that stored rows. */
function furtherTargets(row) {
  const { name } = row;
  const times = Object.entries(ROW_TIMES[name] ?? {});
  return [
    target(`verdicts dropped at 150,000 a second, ${name}`, row.highDropped, { atMost: 0, unit: 'count' }),
    ...times.map(([key, { label, atLeast }]) =>
      target(`${label}, ${name}`, timesOf(key, ROWS[name][key], row[key]), { atLeast }),
    ),
  ];
}

/** Returns how many times better a block is than a row: more verdicts per second, or less of any other figure. */
function timesOf(key, before, now) {
  return key === 'strict' ? now / before : before / now;
}
