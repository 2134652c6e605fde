/**
 * Verdicts at a constant rate over one storage, in a process of its own, and what their records cost afterwards:
 * node bench/servers/journal.mjs '{ "engine": "sqlite", "seconds": 10, "rate": 100000, "isKept": true }'
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { fetchHandler } from 'agent-identity-service/http';
import { ENGINES } from '../lib/engines.mjs';
import { openService, withoutFiling } from '../lib/service.mjs';
import { median } from '../lib/stats.mjs';

/** One verdict in this number is of the rare agent, so that its few records lie far apart. */
const RARE = 30_000;
const WARM_UP = 30_000;
/** No more in one turn of the event loop, as a server takes no more from its sockets at once. */
const IN_A_TURN = 2_000;
const PAGES = 30;

const { engine: name, seconds, rate, agents: AGENTS, isKept } = JSON.parse(process.argv[2]);
const filed = { records: 0, bytes: 0 };
const engine = await ENGINES[name]().catch((error) =>
  process.send({ absent: error.code ?? 'no answer' }, () => process.exit()),
);
try {
  const storage = await engine.open();
  process.send({ found: await measure(isKept ? counting(storage) : withoutFiling(storage)) });
} finally {
  await engine.remove();
  process.disconnect();
}

/** The storage, with the bytes and records counted that are filed. */
function counting(storage) {
  const file = (flush) => {
    for (const { records, filter, data } of flush.blocks) {
      filed.records += records;
      filed.bytes += filter.length + data.length;
    }
    return storage.journal.file(flush);
  };
  return { ...storage, journal: { ...storage.journal, file } };
}

async function measure(storage) {
  const passports = Array.from({ length: AGENTS + 1 }, (_, index) => ({
    domain: 'example.com',
    agent_name: `agent-${index}`,
    allowed_actions: ['payments.create', 'orders.get'],
    monetary_limit_per_txn: 100,
  }));
  const { service, account_id, login } = await openService(passports, { storage, storageDeadlineMs: 60_000 });
  const ask = (index) => service.verify(intentOf(index), { account_id });
  for (let index = 0; index < WARM_UP; index += 1) {
    await ask(index);
    if (index % 500 === 0) await nextTurn();
  }
  await pause(3_000);
  globalThis.gc();
  // What was read before the pause has gone stale.
  for (let index = 0; index < AGENTS; index += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, more) => ask(WARM_UP + index + more)));
  }
  const flow = await steadyFlow(ask);
  if (!isKept) {
    await service.close();
    return flow;
  }
  const { overview, journal_dropped } = await service.analytics({}, { account_id });
  const recorded = overview.total_verifications;
  if (recorded + journal_dropped !== flow.asked + WARM_UP + AGENTS)
    throw new Error('A verdict is neither recorded nor dropped.');
  const perRecord = filed.bytes / filed.records;
  const after = {
    dropped: journal_dropped,
    bytes: perRecord,
    ...(await pagesOf(service, account_id)),
    ...(await csvOf({ service, login }, recorded)),
  };
  await service.close();
  return { ...flow, ...after };
}

/** Asks for the given number of verdicts a second, each when it is due. */
async function steadyFlow(ask) {
  const idle = process.memoryUsage.rss();
  let peak = idle;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 50);
  const turns = monitorEventLoopDelay({ resolution: 1 });
  turns.enable();
  const before = process.cpuUsage();
  const startedAt = performance.now();
  let asked = 0;
  for (let now = startedAt; now < startedAt + seconds * 1e3; now = performance.now()) {
    const due = Math.floor(((now - startedAt) / 1e3) * rate);
    const asks = [];
    for (; asked < due && asks.length < IN_A_TURN; asked += 1) asks.push(ask(asked));
    await Promise.all(asks);
    // It sleeps when nothing is due: otherwise the CPU time would be that of waiting.
    await (asked < due ? nextTurn() : pause(1));
  }
  const took = (performance.now() - startedAt) / 1e3;
  const { user, system } = process.cpuUsage(before);
  turns.disable();
  clearInterval(sampler);
  return {
    asked,
    perSecond: asked / took,
    cpu: ((user + system) * 1e3) / asked,
    grown: peak - idle,
    longestTurn: turns.max / 1e6,
  };
}

/** The median time of a page of 50: of all, of one agent of a thousand, and of one that was hardly seen. */
async function pagesOf(service, account_id) {
  const agents = { page: undefined, agentPage: agentOf(7), rarePage: agentOf(AGENTS) };
  const found = {};
  for (const [key, agent_id] of Object.entries(agents)) {
    const times = [];
    for (let round = 0; round < PAGES; round += 1) {
      const startedAt = performance.now();
      const query = { limit: 50, ...(agent_id === undefined ? {} : { agent_id }) };
      await service.verifications.list(query, { account_id });
      times.push(performance.now() - startedAt);
    }
    found[key] = median(times);
  }
  return found;
}

/** CPU per record of the whole journal as CSV. */
async function csvOf({ service, login }, recorded) {
  const { access_token } = await login();
  const headers = { accept: 'text/csv', authorization: `Bearer ${access_token}` };
  const before = process.cpuUsage();
  const request = new Request('http://localhost/api/verifications', { headers });
  const response = await fetchHandler(service)(request);
  let lines = 0;
  for await (const chunk of response.body) for (const byte of chunk) if (byte === 10) lines += 1;
  const { user, system } = process.cpuUsage(before);
  // These two keep the newest only.
  if (lines - 1 !== recorded && name !== 'memory' && name !== 'redis')
    throw new Error(`The CSV has ${lines - 1} of ${recorded} records.`);
  return { csv: ((user + system) * 1e3) / (lines - 1) };
}

function intentOf(index) {
  const agent_id = agentOf(index % RARE === 0 ? AGENTS : index % AGENTS);
  return index % 4 === 0
    ? { agent_id, action: 'orders.get' }
    : { agent_id, action: 'payments.create', parameters: { amount: (index % 12_000) / 100 } };
}

function agentOf(index) {
  return `did:web:example.com:agents:agent-${index}`;
}
