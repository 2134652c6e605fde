/** Measures the capacity of a node and of each database, for the plans in SIZING.md. */
import { createIdentityService } from 'agent-identity-service';
import { ENGINES } from '../lib/engines.mjs';
import { askUnderLoad } from '../lib/http-load.mjs';
import { finish, progress, readTask } from '../lib/part.mjs';
import { startServeCommand } from '../lib/serve-command.mjs';
import { startServer } from '../lib/server-process.mjs';
import { endlessStorage, openService, withoutFiling } from '../lib/service.mjs';
import {
  BLOCK_SIZES,
  FEW_AGENTS,
  NODE_ROWS,
  NODE_TITLE,
  readsRow,
  storeTitle,
  USED,
} from '../lib/sizing.mjs';
import { median } from '../lib/stats.mjs';
import { storeRows } from '../lib/store-capacity.mjs';
import { column } from '../lib/table.mjs';
import { freshIntents, httpWork, makeWork } from '../lib/work.mjs';

const { isQuick, rounds } = readTask();
const SECONDS = isQuick ? 0.1 : 2;
const CONNECTIONS = 64;
const IN_MEMORY = isQuick ? 100 : 100_000;
const AGENTS_IN_TURN = isQuick ? [10] : [FEW_AGENTS, 100_000, 1_000_000];
/** The verdicts per second during which reads are counted. */
const RATE = isQuick ? 1_000 : 20_000;
const CACHE = { maxEntries: 1_000_000, maxBytes: 2 ** 30 };
const STORE_COLUMNS = [
  column('perSecond', 'operations per second', 'per s'),
  column('cpu', 'CPU of the server', 'ns'),
  column('bytes', 'bytes each', 'bytes'),
];

const records = await recordsOf(Math.max(...Object.values(BLOCK_SIZES)));
const tables = [await nodeTable()];
for (const [name, openEngine] of Object.entries(ENGINES)) {
  if (name === 'memory') continue;
  tables.push(await storeTable(name, openEngine));
}
finish({ tables });

async function nodeTable() {
  const rows = [...(await inProcess()), ...(await overHttp()), await inMemory()];
  for (const agents of AGENTS_IN_TURN) rows.push(await readsOf(agents));
  return {
    title: NODE_TITLE,
    note: `The p99 is measured at ${USED * 100} % of the highest load that the server can answer. The reads of the storage are per second, at ${RATE.toLocaleString('en')} verdicts per second.`,
    columns: [
      column('cpu', 'CPU', 'ns'),
      column('p99', 'p99', 'ns'),
      column('bytes', 'bytes each', 'bytes'),
      column('reads', 'reads', 'per s'),
    ],
    rows,
  };
}

async function storeTable(name, openEngine) {
  const title = storeTitle(name);
  const engine = await openEngine().catch((error) => progress(`${name} is not there (${error.code})`));
  if (engine === undefined) return { title, note: 'Not measured.', columns: STORE_COLUMNS, rows: [] };
  try {
    const report = (text) => progress(`${name}: ${text}`);
    return {
      title,
      columns: STORE_COLUMNS,
      rows: await storeRows(name, engine, { isQuick, report, records }),
    };
  } finally {
    await engine.remove();
  }
}

/** Measures a verdict with its record, for all threads, compared with an empty function. */
async function inProcess() {
  const { passports, texts } = makeWork();
  const { service, settle } = await openService(passports);
  const found = { verify: [], floor: [] };
  for (let round = 0; round <= rounds; round += 1) {
    progress(`in process: round ${round} of ${rounds}`);
    const intents = freshIntents(texts);
    const verify = await cpuOf(async () => {
      for (const intent of intents) await service.verify(intent);
      await settle();
    });
    const floor = await cpuOf(async () => {
      for (const intent of intents) await nothing(intent);
    });
    if (round === 0) continue;
    found.verify.push(verify / intents.length);
    found.floor.push(floor / intents.length);
  }
  await service.close();
  return [
    { name: NODE_ROWS.inProcess, cpu: median(found.verify) },
    { name: NODE_ROWS.asyncFloor, cpu: median(found.floor) },
  ];
}

async function nothing({ agent_id }) {
  return agent_id;
}

async function overHttp() {
  const { passports, bodies } = httpWork();
  const running = [];
  try {
    const load = await startServer('servers/load.mjs', []);
    running.push(load);
    const rows = [];
    for (const [name, open] of [
      [NODE_ROWS.http, () => startServeCommand(passports)],
      [NODE_ROWS.httpFloor, () => startServer('servers/serve.mjs', ['shaped'])],
    ]) {
      progress(name);
      const server = await open();
      running.push(server);
      rows.push({ name, ...(await underLoad(name, server, { load, bodies })) });
    }
    return rows;
  } finally {
    for (const child of running) await child.stop();
  }
}

/** Measures the CPU of a request at saturation, and p99 at the share of the capacity that a plan uses. */
async function underLoad(name, server, { load, bodies }) {
  const task = { headers: { 'x-api-key': server.key }, bodies, connections: CONNECTIONS, seconds: SECONDS };
  const cpus = [];
  let most = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const { cpuNs, perSecond } = await askUnderLoad(name, server, load, task);
    if (round === 0) continue;
    cpus.push(cpuNs);
    most = Math.max(most, perSecond);
  }
  const { p99 } = await askUnderLoad(name, server, load, { ...task, rate: most * USED });
  return { cpu: median(cpus), p99 };
}

async function inMemory() {
  progress(`${IN_MEMORY} passports`);
  const { service, ask } = await endless({});
  await ask(0);
  const before = heapAfter();
  for (let agent = 0; agent < IN_MEMORY; agent += 1) await ask(agent);
  const bytes = (heapAfter() - before) / IN_MEMORY;
  await service.close();
  return { name: NODE_ROWS.passport, bytes };
}

/** Counts the reads of the database while this number of agents ask in turn. */
async function readsOf(agents) {
  const name = readsRow(agents);
  progress(name);
  let reads = 0;
  const { service, ask } = await endless({ onRead: () => (reads += 1) });
  let asked = 0;
  const untilSecond = async (end, startedAt) => {
    for (let now = 0; now < end; now = (performance.now() - startedAt) / 1e3) {
      const due = Math.floor(now * RATE);
      for (; asked < due; asked += 1) await ask(asked % agents);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  const startedAt = performance.now();
  await untilSecond(SECONDS, startedAt);
  const first = reads;
  await untilSecond(2 * SECONDS, startedAt);
  await service.close();
  return { name, reads: (reads - first) / SECONDS };
}

/** Opens a service over a storage that has every passport and keeps no verdict records. */
async function endless({ onRead = () => {} }) {
  const { storage, action } = await endlessStorage();
  const get = (collection, id) => {
    if (collection === 'passports') onRead();
    return storage.get(collection, id);
  };
  const service = createIdentityService({ cache: CACHE, storage: withoutFiling({ ...storage, get }) });
  const ask = (agent) =>
    service.verify({ agent_id: `did:web:agents-${agent}.example.com:agents:buyer-${agent}`, action });
  return { service, ask };
}

async function recordsOf(count) {
  const { passports, texts } = makeWork({ intents: count });
  const { service } = await openService(passports);
  const found = [];
  for (const intent of freshIntents(texts)) found.push(await service.verify(intent));
  await service.close();
  return found;
}

async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1e3;
}

function heapAfter() {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
