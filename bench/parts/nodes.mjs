/**
 * Measures POST /verify to one, two and four `agent-identity serve` on one PostgreSQL, to show what more processes add.
 */
import { ENGINES } from '../lib/engines.mjs';
import { assertVerdicts } from '../lib/http-load.mjs';
import { finish, progress, readTask } from '../lib/part.mjs';
import { startServeCommand } from '../lib/serve-command.mjs';
import { startServer } from '../lib/server-process.mjs';
import { median, range } from '../lib/stats.mjs';
import { column } from '../lib/table.mjs';
import { target } from '../lib/target.mjs';
import { httpWork } from '../lib/work.mjs';

const { isQuick, isFull, rounds } = readTask();
const SECONDS = isQuick ? 0.1 : isFull ? 5 : 1.5;
const PROCESSES = [1, 2, 4];
const LOADS = Math.max(...PROCESSES);
/** The number of connections of each load, which is the same for one process and for four. */
const CONNECTIONS = 64 / LOADS;

const { passports, bodies, expected } = httpWork();
const engine = await ENGINES.postgres().catch((error) =>
  progress(`Not measured: there is no PostgreSQL (${error.code ?? 'no answer'}).`),
);
const found = engine === undefined ? undefined : await measured(engine);
const columns = [
  column('cpu', 'server CPU per request', 'ns'),
  column('spread', 'rounds, low to high', 'ns'),
  column('times', 'one process, times', 'x'),
  column('perSecond', 'requests', 'per s'),
];
finish({
  tables: [
    {
      title: 'agent-identity serve on one PostgreSQL, 64 connections',
      note: 'CPU of the processes alone. Times: the work of how many such processes by themselves would fit into the same CPU. Clients and servers share the cores, so that requests a second say what is left of these.',
      columns,
      rows: found === undefined ? [] : PROCESSES.map((count) => rowOf(count, found)),
    },
  ],
  targets:
    found === undefined
      ? []
      : [target('work of two processes / of one, by CPU time', scaling(2, found), { atLeast: 1.7 })],
});

async function measured({ address, remove }) {
  const running = [];
  try {
    progress('the processes start');
    const servers = [];
    for (let count = 0; count < LOADS; count += 1) {
      const server = await startServeCommand(passports, { storage: address, key: servers[0]?.key });
      servers.push(server);
      running.push(server);
    }
    const loads = [];
    for (let count = 0; count < LOADS; count += 1) loads.push(await startServer('servers/load.mjs', []));
    running.push(...loads);
    const headers = { 'x-api-key': servers[0].key };
    for (const { port } of servers)
      await assertVerdicts('agent-identity serve', { port, headers, bodies, expected });
    return await measure(servers, loads, headers);
  } finally {
    for (const child of running) await child.stop();
    await remove();
  }
}

/** Measures the numbers of processes in turn. The first round is discarded. */
async function measure(servers, loads, headers) {
  const figures = Object.fromEntries(PROCESSES.map((count) => [count, []]));
  for (let round = 0; round <= rounds; round += 1) {
    progress(`round ${round} of ${rounds}`);
    for (const count of PROCESSES) {
      const asked = loads.map((_, at) => servers[at % count]);
      const figure = await ask(asked, loads, headers);
      if (round > 0) figures[count].push(figure);
    }
  }
  return figures;
}

/** Sends one load to each of the servers at the same time. */
async function ask(servers, loads, headers) {
  const cpuUs = async () => {
    const usages = await Promise.all([...new Set(servers)].map(({ usage }) => usage()));
    return usages.reduce((sum, usage) => sum + usage.cpuUs, 0);
  };
  const task = { path: '/api/verify', headers, bodies, connections: CONNECTIONS, seconds: SECONDS };
  const before = await cpuUs();
  const answers = await Promise.all(loads.map((load, at) => load.ask({ ...task, port: servers[at].port })));
  const spent = (await cpuUs()) - before;
  const sum = (key) => answers.reduce((total, answer) => total + answer[key], 0);
  if (sum('errors') > 0) throw new Error(`agent-identity serve: ${sum('errors')} requests failed`);
  return { cpuNs: (spent * 1e3) / sum('answered'), perSecond: sum('perSecond') };
}

function rowOf(count, found) {
  const cpu = found[count].map(({ cpuNs }) => cpuNs);
  return {
    name: count === 1 ? '1 process' : `${count} processes`,
    cpu: median(cpu),
    spread: range(cpu),
    times: scaling(count, found),
    perSecond: median(found[count].map(({ perSecond }) => perSecond)),
  };
}

/**
 * Returns how many times the work of one process `count` processes do with a core each. Their coordination makes the
 * factor lower than `count`.
 */
function scaling(count, found) {
  return median(found[1].map(({ cpuNs }, round) => (count * cpuNs) / found[count][round].cpuNs));
}
