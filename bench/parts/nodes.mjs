/** POST /verify to one and to two `agent-identity serve` on one PostgreSQL: what a second process adds. */
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
/** Two loads of half as many connections, whether they ask one process or two. */
const CONNECTIONS = 32;

const { passports, bodies, expected } = httpWork();
const engine = await ENGINES.postgres().catch((error) =>
  progress(`Not measured: there is no PostgreSQL (${error.code ?? 'no answer'}).`),
);
const found = engine === undefined ? undefined : await measured(engine);
const columns = [
  column('cpu', 'server CPU per request', 'ns'),
  column('spread', 'rounds, low to high', 'ns'),
  column('perSecond', 'requests', 'per s'),
];
finish({
  tables: [
    {
      title: 'agent-identity serve on one PostgreSQL, 64 connections',
      note: 'CPU of the processes alone. Clients and servers share the cores, so that requests a second say what is left of these.',
      columns,
      rows: found === undefined ? [] : [rowOf('one process', found.one), rowOf('two processes', found.two)],
    },
  ],
  targets:
    found === undefined ? [] : [target('two processes / one, by CPU', scaling(found), { atLeast: 1.7 })],
});

async function measured({ address, remove }) {
  const running = [];
  try {
    progress('the processes start');
    const first = await startServeCommand(passports, { storage: address });
    running.push(first);
    const second = await startServeCommand(passports, { storage: address, key: first.key });
    running.push(second);
    const loads = [];
    for (let count = 0; count < 2; count += 1) loads.push(await startServer('servers/load.mjs', []));
    running.push(...loads);
    const headers = { 'x-api-key': first.key };
    for (const { port } of [first, second])
      await assertVerdicts('agent-identity serve', { port, headers, bodies, expected });
    return await measure({ one: [first, first], two: [first, second] }, loads, headers);
  } finally {
    for (const child of running) await child.stop();
    await remove();
  }
}

/** In turn; the first round is thrown away. */
async function measure(contestants, loads, headers) {
  const figures = { one: [], two: [] };
  for (let round = 0; round <= rounds; round += 1) {
    progress(`round ${round} of ${rounds}`);
    for (const [name, servers] of Object.entries(contestants)) {
      const figure = await ask(servers, loads, headers);
      if (round > 0) figures[name].push(figure);
    }
  }
  return figures;
}

/** One load for each of the servers, at the same time. */
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

function rowOf(name, figures) {
  const cpu = figures.map(({ cpuNs }) => cpuNs);
  return {
    name,
    cpu: median(cpu),
    spread: range(cpu),
    perSecond: median(figures.map(({ perSecond }) => perSecond)),
  };
}

/** How many times the work of one process two do with a core each: twice, less what each of them pays for the other. */
function scaling({ one, two }) {
  return median(one.map(({ cpuNs }, round) => (2 * cpuNs) / two[round].cpuNs));
}
