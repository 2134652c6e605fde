/**
 * Measures the evidence log of an account: its cost compared with no log, the delay of its leaves, and the cost of an
 * audit.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tilePath } from 'agent-identity-service/log';
import { proofOf, tilesFor } from '../../dist/bench/log-proofs.js';
import { ENGINES } from '../lib/engines.mjs';
import { writeLargeLog } from '../lib/large-log.mjs';
import { finish, progress, ratioOf, readTask, withRatios } from '../lib/part.mjs';
import { measure, promising } from '../lib/rounds.mjs';
import { runAlone } from '../lib/run-alone.mjs';
import { openService } from '../lib/service.mjs';
import { COMMITS, measureCommits } from '../lib/spend-commits.mjs';
import { median } from '../lib/stats.mjs';
import { column, timeColumns } from '../lib/table.mjs';
import { target } from '../lib/target.mjs';

const { isQuick, isFull, rounds } = readTask();
const RATE = isQuick ? 2_000 : 100_000;
const AGENTS = isQuick ? 50 : 1_000;
const WARM_UP = isQuick ? 500 : 30_000;
const SECONDS = isQuick ? 1 : isFull ? 60 : 10;
const ROUNDS = isQuick || isFull ? 1 : 3;
/** The time within which large blocks get their leaf. */
const REST_MS = isQuick ? 500 : 5_000;
const CALLS = isQuick ? 200 : 20_000;
/** The number of held spends, which is the permitted maximum. */
const COMMITTED = isQuick ? 100 : 1_000;
const LEAVES = isQuick ? 1_000 : 1_000_000;
const PROOFS = isQuick ? 20 : 1_000;
const MIB = 1_048_576;
/** A load with one verdict per second of each account. It is long enough for two minutes of small blocks. */
const ACCOUNTS = { accounts: 1_000, rate: 1_000, agents: 1_000, seconds: 130, restMs: 80_000, least: 1 };
/** The number of records from which a block does not wait for other blocks. */
const LARGE = 1_024;
const LOAD = { rate: RATE, agents: AGENTS, seconds: SECONDS, restMs: REST_MS, least: isQuick ? 1 : LARGE };

const verdicts = await measureVerdicts();
const commits = await measureCommits({
  calls: COMMITTED,
  rounds,
  report: (round, of) => progress(`commits of a spend: round ${round} of ${of}`),
});
const audit = await measureAudit();
const rows = [];
for (const engine of isQuick ? ['sqlite'] : Object.keys(ENGINES)) {
  const found = await offAndOn(engine, LOAD, ROUNDS);
  if (found !== undefined) rows.push(found);
}
const small = isFull ? [await offAndOn('sqlite', ACCOUNTS, 1)] : [];

finish({
  tables: [
    {
      title: 'A verdict without a permit, with the log of its account off and on',
      columns: timeColumns('x log off'),
      rows: withRatios(verdicts, 'verify, log off'),
    },
    {
      title: 'A commit of a spend',
      note: 'Memory storage. The leaves follow behind the commits: they are in the CPU until the end of the service.',
      columns: [
        column('cpu', 'CPU', 'ns'),
        column('ratio', 'x without its event', 'x'),
        column('whole', 'until the end', 'ns'),
      ],
      rows: commits,
    },
    flowTable(`${RATE.toLocaleString('en')} verdicts a second for ${SECONDS} s, one account`, rows),
    ...(isFull ? [flowTable('1,000 accounts with a verdict a second each', small)] : []),
    {
      title: `A log of ${LEAVES.toLocaleString('en')} leaves, without blocks`,
      note: 'The audit of the entry point ./log in a process of its own, which reads tiles from files; a proof of one leaf from tiles in files.',
      columns: [
        column('ms', 'time', 'ms'),
        column('resident', 'resident memory', 'MiB'),
        column('tiles', 'tiles read', 'count'),
      ],
      rows: audit,
    },
  ],
  targets: [
    target('verify, log on / off', ratioOf(verdicts, 'verify, log on', 'verify, log off'), { atMost: 1.05 }),
    ...COMMITS.slice(1).map((name, index) =>
      target(`a commit ${name} / without its event`, commits[index + 1].ratio, { atMost: 1.25 }),
    ),
    ...rows.flatMap(targetsOf),
    ...small.flatMap(targetsOfSmall),
    ...auditTargets(audit),
  ],
});

async function measureVerdicts() {
  const passport = {
    domain: 'shop.example',
    agent_name: 'reader',
    allowed_actions: ['orders.*'],
    monetary_limit_per_txn: 0,
  };
  const open = (isLogged) =>
    openService([passport], {
      domainProof: 'off',
      identity: { publicUrl: 'https://id.example.com/api' },
      evidence: isLogged ? {} : undefined,
    });
  const [off, on] = [await open(false), await open(true)];
  const intent = { agent_id: 'did:web:shop.example:agents:reader', action: 'orders.get' };
  const contestants = [
    promising('verify, log off', (given) => off.service.verify(given), { settle: off.settle }),
    promising('verify, log on', (given) => on.service.verify(given), { settle: on.settle }),
  ];
  const inputs = () => Array.from({ length: CALLS }, () => ({ ...intent }));
  const report = (round, of) => progress(`verdicts: round ${round} of ${of}`);
  const figures = await measure(contestants, { inputs, rounds, report });
  await Promise.all([off, on].map(({ service }) => service.close()));
  return figures;
}

/**
 * Measures the same load without and with the log, as the median of some rounds; `undefined` if the storage is not
 * available.
 */
async function offAndOn(engine, load, times) {
  const found = [];
  for (let round = 0; round < times; round += 1) {
    progress(`${engine}: round ${round + 1} of ${times}, ${load.seconds} s without and with the log`);
    const task = { engine, warmUp: WARM_UP, ...load };
    const off = await runAlone('log', { ...task, isLogged: false });
    const on = off && (await runAlone('log', { ...task, isLogged: true }));
    if (on === undefined) return undefined;
    const more = on.cpuOfAll / on.asked - off.cpuOfAll / off.asked;
    found.push({
      ...{ cpuOff: off.cpuOfAll / off.asked, cpuOn: on.cpuOfAll / on.asked, more },
      ...{ coreShare: (more * load.rate) / 1e9, turnOff: off.longestTurn, turnOn: on.longestTurn },
      ...{ dropped: on.dropped, perSecond: on.perSecond, leaves: on.leaves },
      ...{ delay: on.delay, longestDelay: on.longestDelay },
    });
  }
  const keys = Object.keys(found[0]);
  const medians = Object.fromEntries(keys.map((key) => [key, median(found.map((each) => each[key]))]));
  const worst = (key) => Math.max(...found.map((each) => each[key]));
  return { name: engine, ...medians, dropped: worst('dropped'), longestDelay: worst('longestDelay') };
}

function flowTable(title, found) {
  return {
    title,
    note: 'CPU per verdict with the server of the storage, until large blocks have their leaf; a leaf after the first record of its block.',
    columns: [
      column('cpuOff', 'CPU, log off', 'ns'),
      column('cpuOn', 'log on', 'ns'),
      column('turnOff', 'longest turn, log off', 'ms'),
      column('turnOn', 'log on', 'ms'),
      column('perSecond', 'asked', 'per s'),
      column('dropped', 'dropped', 'count'),
      column('leaves', 'leaves', 'count'),
      column('delay', 'a leaf after', 'ms'),
      column('longestDelay', 'at the longest', 'ms'),
    ],
    rows: found,
  };
}

function targetsOf({ name, more, dropped, longestDelay, turnOn }) {
  return [
    target(`CPU of the log for a record, ${name}`, more, { atMost: 100, unit: 'ns' }),
    target(`verdicts dropped with the log on, ${name}`, dropped, { atMost: 0, unit: 'count' }),
    target(`the latest leaf of a large block, ${name}`, longestDelay, { atMost: 5_000, unit: 'ms' }),
    target(`longest turn with the log on, ${name}`, turnOn, { atMost: 20, unit: 'ms' }),
  ];
}

function targetsOfSmall({ more, coreShare, longestDelay }) {
  return [
    target('CPU of the log for a record of small blocks', more, { atMost: 1_000, unit: 'ns' }),
    target('a core, 1,000 accounts with the log on above off', coreShare, { atMost: 0.05 }),
    target('the latest leaf of a small block', longestDelay, { atMost: 75_000, unit: 'ms' }),
  ];
}

async function measureAudit() {
  const folder = mkdtempSync(join(tmpdir(), 'ais-bench-log-'));
  try {
    progress(`a log of ${LEAVES} leaves is made`);
    const key = writeLargeLog(folder, LEAVES);
    const audited = await runAlone('audit', { folder, key, size: LEAVES });
    const times = [];
    let tiles = 0;
    for (let number = 0; number < PROOFS; number += 1) {
      const claim = { leaf: Math.floor((number * LEAVES) / PROOFS) };
      const startedAt = performance.now();
      const needed = tilesFor(claim, LEAVES).map((tile) => [
        tilePath(tile),
        readFileSync(join(folder, tilePath(tile))),
      ]);
      const read = new Map(needed);
      proofOf(claim, LEAVES, (tile) => read.get(tilePath(tile)));
      times.push(performance.now() - startedAt);
      tiles = Math.max(tiles, needed.length);
    }
    return [
      { name: 'audit', ...audited },
      { name: 'a proof', ms: median(times), tiles },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function auditTargets([audited, proof]) {
  const leaves = LEAVES.toLocaleString('en');
  return [
    target(`an audit of ${leaves} leaves`, audited.ms, { atMost: 30_000, unit: 'ms' }),
    target('resident memory of an audit', audited.resident, { atMost: 128 * MIB, unit: 'MiB' }),
    target(`a proof of one leaf of ${leaves}`, proof.ms, { atMost: 10, unit: 'ms' }),
    target('tiles read for a proof', proof.tiles, { atMost: 8, unit: 'count' }),
  ];
}
