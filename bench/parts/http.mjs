/** POST /verify over loopback: servers and load in processes of their own, 64 connections, rounds that alternate. */
import { askUnderLoad, assertVerdicts } from '../lib/http-asking.mjs';
import { measureFetch, measureReading } from '../lib/http-in-process.mjs';
import { httpTargets } from '../lib/http-targets.mjs';
import { BODY_BYTES, httpWork } from '../lib/http-work.mjs';
import { finish, progress, readTask } from '../lib/part.mjs';
import { startServer } from '../lib/server-process.mjs';
import { median, range, ratios } from '../lib/stats.mjs';
import { column } from '../lib/table.mjs';

const { isQuick, isFull, rounds, peers } = readTask();
const SECONDS = isQuick ? 0.1 : isFull ? 3 : 0.6;
const CONNECTIONS = 64;

const SERVERS = [
  { name: 'node:http, the same JSON parsed, a constant', kind: 'bare', floor: 'bare' },
  { name: 'nodeListener', kind: 'listener', floor: 'bare' },
  { name: 'Express, a raw route, a constant', kind: 'express-raw', floor: 'express-raw' },
  { name: 'Express, the raw route, createExpressServer', kind: 'express-raw-server', floor: 'express-raw' },
  { name: 'identityRouter on Express', kind: 'express', floor: 'express-raw' },
  { name: 'identityRouter, createExpressServer', kind: 'express-server', floor: 'express' },
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
  await rateAll(servers, load);
  for (const server of servers) server.fixed = [];
  await rateFixed(servers, load);
  progress('in process');
  const reading = await measureReading({ rounds });
  const fetching = await measureFetch({ rounds, isQuick });
  finish({
    tables: [saturated(servers), fixedRate(servers), fetching, reading.table],
    targets: [...httpTargets(servers), reading.target],
  });
} finally {
  for (const { process: child } of running) await child.stop();
}

async function open(server) {
  progress(`${server.name} starts`);
  const child = await startServer('servers/serve.mjs', [server.kind]);
  const { bodies, expected } = work;
  const headers = { 'x-api-key': child.key };
  return { ...server, process: child, path: '/api/verify', headers, bodies, expected, rounds: [] };
}

/** Asks for every body once: a verdict where the server gives one, else its constant. */
function assertAnswers({ name, kind, process: { port }, ...server }) {
  const isConstant = kind === 'bare' || kind.startsWith('express-raw');
  const expected = isConstant ? server.bodies.map(() => 'ALLOW') : server.expected;
  return assertVerdicts(name, { ...server, port, expected });
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

/** Each server and its floor at the same rate: 60 % of what the slower of them can do. */
async function rateFixed(servers, load) {
  const ours = servers.filter(({ kind }) => kind === 'listener' || kind === 'express');
  for (let round = 0; round <= rounds; round += 1) {
    progress(`fixed rate: round ${round} of ${rounds}`);
    for (const server of ours) {
      const floor = servers.find(({ kind }) => kind === server.floor);
      const rate = 0.6 * Math.min(server.perSecond, floor.perSecond);
      for (const each of [floor, server]) {
        const found = await run(each, load, rate);
        if (round > 0) each.fixed.push({ ...found, rate });
      }
    }
  }
}

function run({ process: child, path, headers, bodies, name }, load, rate) {
  const task = { path, headers, bodies, connections: CONNECTIONS, seconds: SECONDS, rate };
  return askUnderLoad(name, child, load, task);
}

function rowOf({ name, rounds: found }, floor) {
  const cpu = found.map(({ cpuNs }) => cpuNs);
  const floorCpu = floor.rounds.map(({ cpuNs }) => cpuNs);
  return {
    name,
    cpu: median(cpu),
    cpuSpread: range(cpu),
    ratio: median(ratios(cpu, floorCpu)),
    perSecond: median(found.map(({ perSecond }) => perSecond)),
    p50: median(found.map(({ p50 }) => p50)),
    p99: median(found.map(({ p99 }) => p99)),
  };
}

function floorOf({ floor }, servers) {
  return servers.find(({ kind }) => kind === floor);
}

function saturated(servers) {
  return {
    title: `POST ${BODY_BYTES} bytes, ${CONNECTIONS} connections, as fast as they are answered`,
    note: 'The ratio is of server CPU per request, to the row of the same kind that answers a constant (of createExpressServer, to the same on a plain server).',
    columns: [
      column('cpu', 'server CPU per request', 'ns'),
      column('cpuSpread', 'rounds, low to high', 'ns'),
      column('ratio', 'x its floor', 'x'),
      column('perSecond', 'requests', 'per s'),
      column('p50', 'p50', 'ns'),
      column('p99', 'p99', 'ns'),
    ],
    rows: servers.map((server) => rowOf(server, floorOf(server, servers))),
  };
}

function fixedRate(servers) {
  const rows = servers
    .filter(({ fixed }) => fixed.length > 0)
    .map(({ name, fixed }) => ({
      name,
      rate: median(fixed.map(({ rate }) => rate)),
      p50: median(fixed.map(({ p50 }) => p50)),
      p99: median(fixed.map(({ p99 }) => p99)),
      spread: range(fixed.map(({ p99 }) => p99)),
      lag: median(fixed.map(({ lag99 }) => lag99)),
    }));
  return {
    title: 'The same at a fixed rate, 60 % of what the slower of the pair can do',
    note: 'A request counts from when it was due. Where the client itself is as late as the figures, they say nothing.',
    columns: [
      column('rate', 'requests', 'per s'),
      column('p50', 'p50', 'ns'),
      column('p99', 'p99', 'ns'),
      column('spread', 'p99 of the rounds', 'ns'),
      column('lag', 'client late, p99', 'ns'),
    ],
    rows,
  };
}
