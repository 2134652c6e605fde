/**
 * Measures POST /verify over loopback. Servers and load run in separate processes, with 64 connections and alternating
 * rounds.
 */

import { of, steadyFigures } from '../lib/http-figures.mjs';
import { measureFetch, measureReading } from '../lib/http-in-process.mjs';
import { askUnderLoad, assertVerdicts } from '../lib/http-load.mjs';
import { fixedRateTable, saturatedTable, sleepingTable } from '../lib/http-tables.mjs';
import { loadTargets } from '../lib/http-targets.mjs';
import { finish, progress, readTask } from '../lib/part.mjs';
import { pinApart, unpin } from '../lib/pin.mjs';
import { startServeCommand } from '../lib/serve-command.mjs';
import { startServer } from '../lib/server-process.mjs';
import { median } from '../lib/stats.mjs';
import { httpWork } from '../lib/work.mjs';
import { askByWrk, isWrkThere } from '../lib/wrk.mjs';

const { isQuick, isFull, rounds, peers } = readTask();
const SECONDS = isQuick ? 0.1 : isFull ? 3 : 0.6;
const CONNECTIONS = 64;
/** The seconds of a run with `wrk`. In a single second, journal commits and merges would affect only some rounds. */
const SLEPT_SECONDS = Math.max(3, SECONDS);
/** The seconds of the run that is evaluated second by second. */
const STEADY_SECONDS = isQuick ? 1 : 10;

const SERVERS = [
  { name: 'node:http, a constant', kind: 'bare', floor: 'bare' },
  { name: 'node:http, contract-shaped', kind: 'shaped', floor: 'bare' },
  { name: 'node:http, all the work by hand', kind: 'by-hand', floor: 'shaped' },
  { name: 'nodeListener', kind: 'listener', floor: 'shaped' },
  { name: 'agent-identity serve, memory', kind: 'serve-memory', floor: 'listener' },
  { name: 'agent-identity serve, default storage', kind: 'serve-default', floor: 'serve-memory' },
  { name: 'Express, a contract-shaped route', kind: 'express-shaped', floor: 'express-shaped' },
  { name: 'identityRouter on Express', kind: 'express', floor: 'express-shaped' },
  { name: 'identityRouter, createExpressServer', kind: 'express-server', floor: 'express' },
];
/** The servers that are also measured with a sleeping client and at a rate below saturation, each with its baseline. */
const PAIRS = [
  ['listener', 'shaped'],
  ['serve-memory', 'shaped'],
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
  const steady = await steadySeconds(load);
  progress('in process');
  const reading = await measureReading({ rounds });
  const fetching = await measureFetch({ rounds, isQuick });
  const loaded = [saturatedTable(servers), fixedRateTable(servers, PAIRS), sleepingTable(servers)];
  finish({
    tables: [...loaded, steady.table, fetching, reading.table],
    targets: [...loadTargets(servers), ...steady.targets, reading.target],
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

/** Sends every body once, and checks the answer: the expected verdict, or the constant of a server without verdicts. */
function assertAnswers({ name, kind, process: { port }, ...server }) {
  const expected = kind === 'bare' ? server.bodies.map(() => 'ALLOW') : server.expected;
  return assertVerdicts(name, { ...server, port, expected });
}

/** Throws if a baseline server leaves out a field of the record, which would make it too fast. */
async function assertSameFields(servers) {
  const real = await fieldsOf(of(servers, 'listener'));
  for (const kind of ['shaped', 'by-hand']) {
    const fields = await fieldsOf(of(servers, kind));
    if (fields !== real) throw new Error(`The server ${kind} answers ${fields}, the service ${real}.`);
  }
}

async function fieldsOf({ process: { port }, path, headers, bodies: [body] }) {
  const request = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, request);
  return Object.keys(await answer.json())
    .sort()
    .join(' ');
}

/** Measures all servers at saturation, over 64 connections. */
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

/**
 * Measures both servers of a pair at the same rate, 60 % of the capacity of the slower server. The client has its own
 * core.
 */
async function rateFixed(servers, load) {
  for (const server of servers) server.fixed = {};
  const pids = PAIRS.flat().map((kind) => of(servers, kind).process.pid);
  pinApart(load.pid, pids);
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
  unpin([load.pid, ...pids]);
}

/** Measures with `wrk`, a client that sleeps until an answer wakes it, if `wrk` is installed. */
async function rateByWrk(servers) {
  const asked = new Set(isQuick || !isWrkThere() ? [] : PAIRS.flat());
  for (const server of servers) server.slept = [];
  for (let round = 0; round <= rounds; round += 1) {
    progress(`wrk: round ${round} of ${rounds}`);
    for (const server of servers.filter(({ kind }) => asked.has(kind))) {
      const { headers, bodies } = server;
      const task = { headers, bodies, connections: CONNECTIONS, seconds: SLEPT_SECONDS };
      const found = await askByWrk(server.process, task);
      if (round > 0) server.slept.push(found);
    }
  }
}

/** Measures a longer run of the default storage second by second, between two runs of its baseline. */
async function steadySeconds(load) {
  progress('second by second');
  const shaped = await open({ name: 'contract-shaped', kind: 'shaped' });
  running.push(shaped);
  const process = await startServeCommand(work.passports, { withTurns: true });
  const serve = { name: 'serve', process, path: '/api/verify', headers: { 'x-api-key': process.key } };
  running.push(serve);
  const ask = async (server, seconds) =>
    (await run({ ...server, bodies: work.bodies }, load, undefined, seconds)).p99OfSeconds;
  await ask(shaped, 1);
  await ask(serve, 1);
  const before = await ask(shaped, STEADY_SECONDS / 2 < 1 ? 1 : STEADY_SECONDS / 2);
  await process.longestTurn();
  const seconds = await ask(serve, STEADY_SECONDS);
  const longest = await process.longestTurn();
  const floor = [...before, ...(await ask(shaped, before.length))];
  return steadyFigures({ floor, seconds, longest });
}

function run({ process: child, path, headers, bodies, name }, load, rate, seconds = SECONDS) {
  const task = { path, headers, bodies, connections: CONNECTIONS, seconds, rate };
  return askUnderLoad(name, child, load, task);
}
