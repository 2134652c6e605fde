/** Verdicts at a constant rate over each storage: whether all are recorded, what that costs, and what reading them costs. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ENGINES } from '../lib/engines.mjs';
import { finish, progress, readTask, target } from '../lib/part.mjs';
import { median } from '../lib/stats.mjs';
import { column } from '../lib/table.mjs';

const { isQuick, isFull } = readTask();
const RATE = isQuick ? 2_000 : 100_000;
const AGENTS = isQuick ? 50 : 1_000;
const SECONDS = isQuick ? 1 : isFull ? 60 : 10;
const ROUNDS = isQuick || isFull ? 1 : 3;
const MIB = 1_048_576;

/**
 * Nanoseconds of CPU of this process for a record that was a row, as the journal kept them before (ae64a3d, Node 20.20.2,
 * 2 shared cores, 2,000 verdicts a second, as it dropped what was more). Of the others the server does most of the work.
 */
const ROWS = { sqlite: { filing: 63_000, csv: 13_400 }, postgres: { csv: 13_400 }, redis: { csv: 9_100 } };
/** How many times less a record in a block is to cost. */
const BOUND = 70;

const rows = [];
for (const name of Object.keys(ENGINES)) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    progress(`${name}: round ${round + 1} of ${ROUNDS}, ${SECONDS} s each`);
    const kept = await flow({ engine: name, isKept: true });
    const bare = await flow({ engine: name, isKept: false });
    if (kept === undefined || bare === undefined) break;
    rounds.push({ ...kept, filing: kept.cpu - bare.cpu, share: (kept.cpu - bare.cpu) / kept.cpu });
  }
  if (rounds.length > 0) rows.push(rowOf(name, rounds));
}
finish({ tables: [recorded(), read()], targets: rows.flatMap(targetsOf) });

/** One run in a process of its own; undefined where the storage is not there. */
async function flow(task) {
  const path = fileURLToPath(new URL('../servers/journal.mjs', import.meta.url));
  const child = fork(path, [JSON.stringify({ ...task, agents: AGENTS, rate: RATE, seconds: SECONDS })], {
    execArgv: ['--expose-gc'],
  });
  let found;
  child.on('message', (message) => {
    found = message;
  });
  const [code] = await once(child, 'exit');
  if (found?.absent !== undefined) {
    progress(`Not measured: ${task.engine} is not there (${found.absent}).`);
    return undefined;
  }
  if (code !== 0 || found === undefined) throw new Error(`The records of ${task.engine} ended with ${code}.`);
  return found.found;
}

function rowOf(name, rounds) {
  const of = (key) => median(rounds.map((round) => round[key]));
  const keys = ['perSecond', 'filing', 'share', 'bytes', 'grown', 'csv', 'page', 'agentPage', 'rarePage'];
  return {
    name,
    ...Object.fromEntries(keys.map((key) => [key, of(key)])),
    dropped: Math.max(...rounds.map(({ dropped }) => dropped)),
    longestTurn: of('longestTurn'),
  };
}

function recorded() {
  return {
    title: `${RATE.toLocaleString('en')} verdicts a second for ${SECONDS} s, one account, 1,000 agents`,
    note: 'Filing is the CPU of the process per verdict, less that of the same over a storage that keeps nothing.',
    columns: [
      column('perSecond', 'asked', 'per s'),
      column('dropped', 'dropped', 'count'),
      column('filing', 'filing', 'ns'),
      column('share', 'share of filing', 'x'),
      column('bytes', 'a record', 'bytes'),
      column('grown', 'more resident memory', 'MiB'),
      column('longestTurn', 'longest turn', 'ms'),
    ],
    rows,
  };
}

function read() {
  return {
    title: 'Reading them again',
    note: 'CSV by the fetch handler, CPU per record; the pages have 50 records.',
    columns: [
      column('csv', 'CSV, a record', 'ns'),
      column('page', 'the newest page', 'ms'),
      column('agentPage', 'of one agent of 1,000', 'ms'),
      column('rarePage', 'of an agent hardly seen', 'ms'),
    ],
    rows,
  };
}

function targetsOf({ name, dropped, share, filing, csv, grown }) {
  const before = ROWS[name];
  return [
    target(`verdicts dropped, ${name}`, dropped, { atMost: 0, unit: 'count' }),
    target(`resident memory grown, ${name}`, grown, { atMost: 64 * MIB, unit: 'MiB' }),
    ...(name === 'memory' ? [target('filing, share of verify and filing', share, { atMost: 0.3 })] : []),
    ...(before?.filing === undefined
      ? []
      : [target(`a row / a record in a block, CPU, ${name}`, before.filing / filing, { atLeast: BOUND })]),
    ...(before === undefined
      ? []
      : [target(`CSV of rows / of blocks, CPU, ${name}`, before.csv / csv, { atLeast: 6 })]),
  ];
}
