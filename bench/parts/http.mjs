/** POST /verify over loopback: servers and load in processes of their own, 64 connections, rounds that alternate. */
import { measureFetch, measureReading } from '../lib/http-in-process.mjs';
import { askUnderLoad, assertVerdicts } from '../lib/http-load.mjs';
import { finish, progress, readTask } from '../lib/part.mjs';
import { startServeCommand } from '../lib/serve-command.mjs';
import { startServer } from '../lib/server-process.mjs';
import { median, range, ratios } from '../lib/stats.mjs';
import { column } from '../lib/table.mjs';
import { target } from '../lib/target.mjs';
import { BODY_BYTES, httpWork } from '../lib/work.mjs';
import { askByWrk, isWrkThere } from '../lib/wrk.mjs';

const { isQuick, isFull, rounds, peers } = readTask();
const SECONDS = isQuick ? 0.1 : isFull ? 3 : 0.6;
const CONNECTIONS = 64;
const LOAD_COLUMNS = [
  column('cpu', 'server CPU per request', 'ns'),
  column('cpuSpread', 'rounds, low to high', 'ns'),
  column('ratio', 'x its floor', 'x'),
  column('perSecond', 'requests', 'per s'),
  column('p50', 'p50 of requests', 'ns'),
  column('p99', 'p99 of requests', 'ns'),
];

const SERVERS = [
  { name: 'node:http, a constant', kind: 'bare', floor: 'bare' },
  { name: 'node:http, contract-shaped', kind: 'shaped', floor: 'bare' },
  { name: 'nodeListener', kind: 'listener', floor: 'shaped' },
  { name: 'agent-identity serve, memory', kind: 'serve-memory', floor: 'listener' },
  { name: 'agent-identity serve, default storage', kind: 'serve-default', floor: 'serve-memory' },
  { name: 'Express, a contract-shaped route', kind: 'express-shaped', floor: 'express-shaped' },
  { name: 'identityRouter on Express', kind: 'express', floor: 'express-shaped' },
  { name: 'identityRouter, createExpressServer', kind: 'express-server', floor: 'express' },
];
/** Those that are asked by a client that sleeps, too, and at a rate below saturation, each beside its floor. */
const PAIRS = [
  ['listener', 'shaped'],
  ['serve-memory', 'shaped'],
  ['serve-default', 'serve-memory'],
  ['serve-default', 'shaped'],
  ['express', 'express-shaped'],
];

const work = httpWork();
const running = [];
try {
  for (const server of SERVERS) running.push(await open(server));
  if (peers !== undefined) {
    const { openPeerServers } = await import('../peers/http.mjs');
    running.push(...(await openPeerServers(peers, work)));
  }
  const load = await startServer('servers/load.mjs', []);
  running.push({ process: load, isLoad: true });
  const servers = running.filter(({ isLoad }) => !isLoad);
  for (const server of servers) await assertAnswers(server);
  await assertSameFields(servers);
  await rateAll(servers, load);
  await rateFixed(servers, load);
  await rateByWrk(servers);
  progress('in process');
  const reading = await measureReading({ rounds });
  const fetching = await measureFetch({ rounds, isQuick });
  finish({
    tables: [saturated(servers), fixedRate(servers), sleeping(servers), fetching, reading.table],
    targets: [...targetsOf(servers), reading.target],
  });
} finally {
  for (const { process: child } of running) await child.stop();
}

async function open(server) {
  progress(`${server.name} starts`);
  const { bodies, expected, passports } = work;
  const child = server.kind.startsWith('serve-')
    ? await startServeCommand(passports, server.kind === 'serve-memory' ? { storage: 'memory:' } : {})
    : await startServer('servers/serve.mjs', [server.kind]);
  const headers = { 'x-api-key': child.key };
  return { ...server, process: child, path: '/api/verify', headers, bodies, expected, rounds: [] };
}

/** Asks for every body once: a verdict where the server gives one, else its constant. */
function assertAnswers({ name, kind, process: { port }, ...server }) {
  const expected = kind === 'bare' ? server.bodies.map(() => 'ALLOW') : server.expected;
  return assertVerdicts(name, { ...server, port, expected });
}

/** A floor that leaves out a field of the record would be too low. */
async function assertSameFields(servers) {
  const [shaped, real] = await Promise.all(['shaped', 'listener'].map((kind) => fieldsOf(of(servers, kind))));
  if (shaped !== real) throw new Error(`bench/servers/serve.mjs answers ${shaped}, the service ${real}.`);
}

async function fieldsOf({ process: { port }, path, headers, bodies: [body] }) {
  const request = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, request);
  return Object.keys(await answer.json())
    .sort()
    .join(' ');
}

/** As fast as 64 connections are answered. */
async function rateAll(servers, load) {
  for (let round = 0; round <= rounds; round += 1) {
    progress(`saturation: round ${round} of ${rounds}`);
    for (const server of servers) {
      const found = await run(server, load);
      if (round > 0) server.rounds.push(found);
    }
  }
  for (const server of servers) server.perSecond = median(server.rounds.map(({ perSecond }) => perSecond));
}

/** Both of a pair at the same rate: 60 % of what the slower of them can do. */
async function rateFixed(servers, load) {
  for (const server of servers) server.fixed = {};
  for (let round = 0; round <= rounds; round += 1) {
    progress(`fixed rate: round ${round} of ${rounds}`);
    for (const [kind, floorKind] of PAIRS) {
      const [server, floor] = [of(servers, kind), of(servers, floorKind)];
      const rate = 0.6 * Math.min(server.perSecond, floor.perSecond);
      for (const [each, other] of [
        [floor, kind],
        [server, floorKind],
      ]) {
        const found = await run(each, load, rate);
        each.fixed[other] ??= [];
        if (round > 0) each.fixed[other].push({ ...found, rate });
      }
    }
  }
}

/** By a client that sleeps until an answer wakes it, where there is one. */
async function rateByWrk(servers) {
  const asked = new Set(isQuick || !isWrkThere() ? [] : PAIRS.flat());
  for (const server of servers) server.slept = [];
  for (let round = 0; round <= rounds; round += 1) {
    progress(`wrk: round ${round} of ${rounds}`);
    for (const server of servers.filter(({ kind }) => asked.has(kind))) {
      const { headers, bodies } = server;
      const task = { headers, bodies, connections: CONNECTIONS, seconds: SECONDS };
      const found = await askByWrk(server.process, task);
      if (round > 0) server.slept.push(found);
    }
  }
}

function run({ process: child, path, headers, bodies, name }, load, rate) {
  const task = { path, headers, bodies, connections: CONNECTIONS, seconds: SECONDS, rate };
  return askUnderLoad(name, child, load, task);
}

function of(servers, wanted) {
  return servers.find(({ kind }) => kind === wanted);
}

/** The targets of HTTP. Ratios are taken within each round. */
function targetsOf(servers) {
  const ratio = (kind, floor, listOf, key) =>
    median(
      ratios(
        ...[
          [kind, floor],
          [floor, kind],
        ].map(([each, other]) => listOf(of(servers, each), other).map((round) => round[key])),
      ),
    );
  const cpu = (kind, floor) => ratio(kind, floor, ({ rounds: found }) => found, 'cpuNs');
  const late = (kind, floor) => ratio(kind, floor, ({ fixed }, other) => fixed[other], 'p99');
  const asleep = (kind, floor, key) => ratio(kind, floor, ({ slept }) => slept, key);
  const hasWrk = of(servers, 'listener').slept.length > 0;
  return [
    target('nodeListener / contract-shaped, CPU', cpu('listener', 'shaped'), { atMost: 1.45 }),
    target('nodeListener / a constant, CPU', cpu('listener', 'bare'), { atMost: 1.6 }),
    target('identityRouter / contract-shaped route, CPU', cpu('express', 'express-shaped'), { atMost: 1.35 }),
    target('serve on memory / nodeListener, CPU', cpu('serve-memory', 'listener'), { atMost: 1.2 }),
    target('serve, default storage / memory, CPU', cpu('serve-default', 'serve-memory'), { atMost: 1.1 }),
    target('p99 at 60 %, listener / contract-shaped', late('listener', 'shaped'), { atMost: 1.5 }),
    target('p99 at 60 %, serve on memory / contract-shaped', late('serve-memory', 'shaped'), { atMost: 1.5 }),
    target('p99 at 60 %, serve, default storage / contract-shaped', late('serve-default', 'shaped'), {
      atMost: 1.5,
    }),
    target('p99 at 60 %, serve, default storage / memory', late('serve-default', 'serve-memory'), {
      atMost: 1.5,
    }),
    ...(hasWrk
      ? [
          target('serve on memory / nodeListener, CPU, wrk', asleep('serve-memory', 'listener', 'cpuNs'), {
            atMost: 1.15,
          }),
          target(
            'serve, default storage / memory, CPU, wrk',
            asleep('serve-default', 'serve-memory', 'cpuNs'),
            {
              atMost: 1.15,
            },
          ),
          target(
            'serve, default storage / memory, p99, wrk',
            asleep('serve-default', 'serve-memory', 'p99'),
            {
              atMost: 1.5,
            },
          ),
        ]
      : []),
  ];
}

function rowOf({ name }, found, floorFound) {
  const cpu = found.map(({ cpuNs }) => cpuNs);
  return {
    name,
    cpu: median(cpu),
    cpuSpread: range(cpu),
    ratio: median(
      ratios(
        cpu,
        floorFound.map(({ cpuNs }) => cpuNs),
      ),
    ),
    perSecond: median(found.map(({ perSecond }) => perSecond)),
    p50: median(found.map(({ p50 }) => p50)),
    p99: median(found.map(({ p99 }) => p99)),
  };
}

function saturated(servers) {
  return {
    title: `POST ${BODY_BYTES} bytes, ${CONNECTIONS} connections, as fast as they are answered`,
    note: 'The ratio is of server CPU per request: contract-shaped to the constant, nodeListener and the router to the contract-shaped row of their kind, serve on memory to nodeListener, the default storage to memory, createExpressServer to a plain server.',
    columns: LOAD_COLUMNS,
    rows: servers.map((server) => rowOf(server, server.rounds, of(servers, server.floor).rounds)),
  };
}

function sleeping(servers) {
  const asked = servers.filter(({ slept }) => slept.length > 0);
  return {
    title: 'The same asked by wrk, a client that sleeps',
    note:
      asked.length > 0
        ? 'Waking the client is counted as work of the server, the more often the slower it answers.'
        : 'Not measured: there is no wrk on this machine.',
    columns: LOAD_COLUMNS,
    rows: asked.map((server) => {
      const floor = of(servers, server.floor);
      return rowOf(server, server.slept, floor.slept.length > 0 ? floor.slept : server.slept);
    }),
  };
}

function fixedRate(servers) {
  const rows = PAIRS.flatMap((pair) =>
    pair.map((kind, side) => {
      const { name, fixed } = of(servers, kind);
      const found = fixed[pair[1 - side]];
      return {
        name: side === 0 ? name : `  ${name}`,
        rate: median(found.map(({ rate }) => rate)),
        p50: median(found.map(({ p50 }) => p50)),
        p99: median(found.map(({ p99 }) => p99)),
        spread: range(found.map(({ p99 }) => p99)),
        lag: median(found.map(({ lag99 }) => lag99)),
      };
    }),
  );
  return {
    title: 'In pairs at a fixed rate, 60 % of what the slower of the pair can do',
    note: 'A request counts from when it was due. Where the client itself is as late as the figures, they say nothing.',
    columns: [
      column('rate', 'requests', 'per s'),
      column('p50', 'p50 of requests', 'ns'),
      column('p99', 'p99 of requests', 'ns'),
      column('spread', 'p99 of the rounds', 'ns'),
      column('lag', 'client late, p99', 'ns'),
    ],
    rows,
  };
}
