/**
 * Measures a local verifier, compared with the service in process, with the client, and with `serve` for its command.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createIdentityClient } from 'agent-identity-service/client';
import { createLocalVerifier } from 'agent-identity-service/verifier';
import { ratioOfRounds } from '../lib/http-figures.mjs';
import { askUnderLoad, assertVerdicts } from '../lib/http-load.mjs';
import { finish, progress, ratioOf, readTask, withRatios } from '../lib/part.mjs';
import { assertEqualAnswers, measure, promising } from '../lib/rounds.mjs';
import { startServeCommand, startVerifierCommand } from '../lib/serve-command.mjs';
import { startServer } from '../lib/server-process.mjs';
import { openService } from '../lib/service.mjs';
import { median, range } from '../lib/stats.mjs';
import { column, timeColumns } from '../lib/table.mjs';
import { target } from '../lib/target.mjs';
import { afterAnHourOffline, askedOnce, bytesOfRecords, confirming } from '../lib/verifier-costs.mjs';
import { chainsOfFive, filing, heapOfPassports, lastAllows, readsOfMany } from '../lib/verifier-rows.mjs';
import { freshIntents, httpWork, makeWork } from '../lib/work.mjs';

const { isQuick, peers } = readTask();
const rounds = isQuick ? 1 : 15;
const SECONDS = isQuick ? 0.1 : 0.6;
const CONNECTIONS = 64;
/** The number of agents that one request can confirm. */
const IN_USE = 200;
const IN_USE_SECONDS = isQuick ? 1 : 10;
const [SERVICE, VERIFIER, CLIENT] = [
  'service.verify, with the same caller',
  'verifier.verify',
  'client.verify over loopback',
];
const [SERVE, COMMAND] = ['agent-identity serve, memory', 'agent-identity verifier'];

const { passports, texts, expected } = makeWork({ intents: isQuick ? 1_000 : 5_000 });
const node = await startServeCommand(passports, { storage: 'memory:' });
const baseUrl = `http://127.0.0.1:${node.port}/api`;
const access = { baseUrl, apiKey: node.key };
try {
  const single = await inProcess();
  const first = await firstVerdicts();
  const perSecond = await requestsInUse();
  const served = await overHttp();
  const further = await furtherTargets();
  const of = (name) => single.find((figure) => figure.name === name);
  const tail = (name) => of(name).p99 / of(name).p50;
  finish({
    tables: [
      {
        title: 'One verdict, a tight loop of awaited calls divided by its length',
        note: 'The node of the verifier and of the client is a process of its own.',
        columns: timeColumns('x service.verify'),
        rows: withRatios(single, SERVICE),
      },
      {
        title: 'The first verdict about an agent, one awaited call timed by itself',
        columns: timeColumns('x client.verify', 'single calls').slice(0, 4),
        rows: withRatios(first, CLIENT),
      },
      {
        title: 'A question over loopback, 64 connections',
        columns: [column('cpu', 'CPU per request', 'ns'), column('spread', 'rounds, low to high', 'ns')],
        rows: served.map(({ name, found }) => {
          const cpu = found.map(({ cpuNs }) => cpuNs);
          return { name, cpu: median(cpu), spread: range(cpu) };
        }),
      },
    ],
    targets: [
      target('verifier.verify / service.verify', ratioOf(single, VERIFIER, SERVICE), { atMost: 1.2 }),
      target('p99 / p50 of the verifier / that of the service', tail(VERIFIER) / tail(SERVICE), {
        atMost: 1.2,
      }),
      target('the first verdict / client.verify', ratioOf(first, VERIFIER, CLIENT), { atMost: 1.2 }),
      target('requests a second of a verifier of 200 agents in use', perSecond, { atMost: 4, unit: 'count' }),
      target(
        'the command / serve on memory, CPU',
        ratioOfRounds(
          ...[COMMAND, SERVE].map((name) => served.find((one) => one.name === name).found),
          'cpuNs',
        ),
        { atMost: 1.15 },
      ),
      ...further,
    ],
  });
} finally {
  await node.stop();
}

/** Measures verdicts about agents that were all used a moment before. */
async function inProcess() {
  const { service, settle, account_id } = await openService(passports);
  const caller = { account_id, agent_ids: null, environment: 'live' };
  const verifier = createLocalVerifier(access);
  const client = createIdentityClient(access);
  const warm = (ask) => async () => {
    for (const { agent_id } of passports) await ask({ agent_id, action: 'warm', dry_run: true });
  };
  const local = (intent) => verifier.verify(intent);
  const inside = (intent) => service.verify(intent, caller);
  const inputs = () => freshIntents(texts);
  const contestants = [
    promising(SERVICE, inside, { settle, warm: warm(inside) }),
    promising(VERIFIER, local, { settle: () => sent(verifier), warm: warm(local) }),
    {
      ...promising(CLIENT, (intent) => client.verify(intent)),
      inputs: () => inputs().slice(0, isQuick ? 100 : 1_000),
    },
  ];
  progress('every answer is compared');
  await assertEqualAnswers(contestants.slice(0, 2), { inputs, expected });
  await assertEqualAnswers(contestants.slice(2), { inputs: contestants[2].inputs, expected });
  const { asks, decided, asked } = verifier.state();
  if (asks !== null || asked > 0 || decided < texts.length)
    throw new Error('The verifier asked its service.');
  const figures = await measure(contestants, { inputs, rounds, report: reporting('in process') });
  await Promise.all([verifier.close(), service.close()]);
  return figures;
}

/** Waits until no record waits to be sent. */
async function sent(verifier) {
  while (verifier.state().unsent > 0) await sleep(20);
}

/** Measures verdicts about agents that are new to the verifier. Each needs a round trip. */
async function firstVerdicts() {
  const client = createIdentityClient(access);
  const intents = passports
    .slice(0, isQuick ? 20 : IN_USE)
    .map(({ agent_id }) => ({ agent_id, action: 'x' }));
  const inputs = () => intents.map((intent) => ({ ...intent }));
  let verifier = createLocalVerifier(access);
  const renewed = async () => {
    await verifier.close();
    verifier = createLocalVerifier(access);
    // The connection, and the key.
    await verifier.verify({ agent_id: 'did:web:unknown.example:agents:a', action: 'x' });
  };
  const contestants = [
    promising(CLIENT, (intent) => client.verify(intent)),
    promising(VERIFIER, (intent) => verifier.verify(intent), { warm: renewed }),
  ];
  const figures = await measure(contestants, {
    ...{ inputs, rounds, how: 'single', report: reporting('first verdicts') },
  });
  await verifier.close();
  return figures;
}

/** Counts the requests per second of a verifier whose agents are in constant use. */
async function requestsInUse() {
  progress(`requests of ${IN_USE} agents in use`);
  let requests = 0;
  const fetch = (url, init) => {
    if (url.endsWith('/verifier/passports')) requests += 1;
    return globalThis.fetch(url, init);
  };
  const verifier = createLocalVerifier({ ...access, fetch });
  const intents = passports.slice(0, IN_USE).map(({ agent_id }) => ({ agent_id, action: 'x' }));
  const askAll = () => Promise.all(intents.map((intent) => verifier.verify(intent)));
  await askAll();
  const [before, startedAt] = [requests, performance.now()];
  while (performance.now() - startedAt < IN_USE_SECONDS * 1e3) {
    await askAll();
    await sleep(50);
  }
  const perSecond = (requests - before) / ((performance.now() - startedAt) / 1e3);
  await verifier.close();
  return perSecond;
}

/** Measures the command of the verifier and `serve` under the same load, each in its own process. */
async function overHttp() {
  const { passports, bodies, expected } = httpWork();
  const serve = await startServeCommand(passports, { storage: 'memory:' });
  const command = await startVerifierCommand(serve);
  const load = await startServer('servers/load.mjs', []);
  const own = { path: '/api/verify', headers: { 'x-api-key': serve.key }, bodies, expected };
  const servers = [
    { ...own, name: SERVE, process: serve, found: [] },
    { ...own, name: COMMAND, process: command, found: [] },
  ];
  if (peers !== undefined) {
    const { cerbos } = await import('../peers/http.mjs');
    servers.push({ ...(await cerbos(peers, { bodies, expected })), found: [] });
  }
  try {
    for (const server of servers) await assertVerdicts(server.name, { ...server, port: server.process.port });
    for (let round = 0; round <= rounds; round += 1) {
      progress(`over loopback: round ${round} of ${rounds}`);
      for (const { name, process: child, path, headers, bodies: given, found } of servers) {
        const task = { path, headers, bodies: given, connections: CONNECTIONS, seconds: SECONDS };
        const figures = await askUnderLoad(name, child, load, task);
        if (round > 0) found.push(figures);
      }
    }
    return servers;
  } finally {
    for (const child of [load, ...servers.map((one) => one.process).reverse()]) await child.stop();
  }
}

/** Measures the cost for the service, the memory, and the time until a revocation takes effect. */
async function furtherTargets() {
  const { admin } = node;
  const intents = () => freshIntents(texts.slice(0, isQuick ? 200 : texts.length));
  return [
    await chainsOfFive({
      admin,
      access,
      chains: isQuick ? 2 : 40,
      rounds,
      report: reporting('chains of five'),
    }),
    await filing({ passports, intents, rounds }),
    await heapOfPassports({ count: isQuick ? 200 : 10_000 }),
    await readsOfMany({ passports, seconds: isQuick ? 1 : 10 }),
    await lastAllows({ admin, access, changes: isQuick ? 2 : 100 }),
    await confirming({ passports, requests: isQuick ? 10 : 150 }),
    await bytesOfRecords({ passports, intents }),
    await afterAnHourOffline({ passports }),
    await askedOnce({ count: isQuick ? 400 : 100_000, rounds: 1 }),
  ];
}

function reporting(how) {
  return (round, of) => progress(`${how}: round ${round} of ${of}`);
}
