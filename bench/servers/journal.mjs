/**
 * Verdicts over one storage, in a separate process, and the cost of their records afterwards.
 *
 *     node bench/servers/journal.mjs '{ "engine": "sqlite", "seconds": 10, "rate": 100000, "agents": 1000, "warmUp": 30000, "isKept": true }'
 *
 * With `accounts` the agents are spread over as many accounts. With `callers` the journal is strict, and the callers
 * set the rate. With `isReadBack` the program times pages, CSV and retention, once `records` are there.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { fetchHandler } from 'agent-identity-service/http';
import { ENGINES } from '../lib/engines.mjs';
import { agentOf, openAgents, startCpu, steadyFlow, strictCallers, sumsOf } from '../lib/journal-work.mjs';
import { withoutFiling } from '../lib/service.mjs';
import { median } from '../lib/stats.mjs';

const PAGES = 30;
/** The time within which sums are merged. Only after this may retention remove the records. */
const MERGED_WITHIN_MS = 30_000;

const task = JSON.parse(process.argv[2]);
const { engine: name, agents, warmUp, accounts, callers, isKept, isReadBack, records = 0 } = task;
const filed = { records: 0, bytes: 0 };
const engine = await ENGINES[name]().catch((error) =>
  process.send({ absent: error.code ?? 'no answer' }, () => process.exit()),
);
try {
  const storage = await engine.open();
  const measure = callers === undefined ? measureFlow : measureStrict;
  process.send({ found: await measure(isKept ? counting(storage) : withoutFiling(storage), storage) });
} finally {
  await engine.remove();
  process.disconnect();
}

/** Wraps the storage to count the stored bytes and records. */
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

async function measureFlow(storage, bareStorage) {
  const opened = await openAgents(storage, { agents, accounts, warmUp, domainProof: 'off' });
  const { service, owners, ask } = opened;
  const flow = await steadyFlow(ask, task);
  if (!isKept) {
    await service.close();
    return flow;
  }
  const sums = await sumsOf(opened, flow.asked);
  const after = { dropped: sums.dropped, bytes: filed.bytes / filed.records };
  if (!isReadBack) {
    await service.close();
    return { ...flow, ...after };
  }
  const more = await fillUp(ask, records - sums.recorded);
  const reads = {
    ...(await pagesOf(service, owners[0])),
    ...(await csvOf(opened, sums.recorded + more)),
    ...(await retentionOf(bareStorage)),
  };
  await service.close();
  return { ...flow, ...after, ...reads };
}

async function measureStrict(storage) {
  const { service, ask } = await openAgents(storage, { agents, warmUp, journal: 'strict' });
  const { perSecond } = await strictCallers(ask, task);
  await service.close();
  return { perSecond };
}

/** Adds this number of verdicts, as fast as they are answered and stored. */
async function fillUp(ask, missing) {
  let asked = 0;
  while (asked < missing) {
    const number = Math.min(500, missing - asked);
    await Promise.all(Array.from({ length: number }, (_, index) => ask(asked + index)));
    asked += number;
    await nextTurn();
  }
  return asked;
}

/**
 * Measures the median time of a page of 50: of all verdicts, of one agent in a thousand, and of an agent with three
 * verdicts.
 */
async function pagesOf(service, account_id) {
  const chosen = { page: undefined, agentPage: agentOf(7), rarePage: agentOf(agents) };
  const found = {};
  for (const [key, agent_id] of Object.entries(chosen)) {
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

/** Measures the CPU of this process per record for the whole journal as CSV. */
async function csvOf({ service, login }, recorded) {
  const { access_token } = await login();
  const headers = { accept: 'text/csv', authorization: `Bearer ${access_token}` };
  const cpu = startCpu(name);
  const request = new Request('http://localhost/api/verifications', { headers });
  const response = await fetchHandler(service)(request);
  let lines = 0;
  for await (const chunk of response.body) lines += linesIn(chunk);
  const { own } = cpu();
  // These two keep the newest only.
  if (lines - 1 !== recorded && name !== 'memory' && name !== 'redis')
    throw new Error(`The CSV has ${lines - 1} of ${recorded} records.`);
  return { csv: own / (lines - 1) };
}

/** Counts lines by comparing bytes, the fastest way, because this client must not slow down the measurement. */
function linesIn({ buffer, byteOffset, length }) {
  const bytes = Buffer.from(buffer, byteOffset, length);
  let lines = 0;
  for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** Measures the CPU of this process and the server for each record that retention removes. */
async function retentionOf(storage) {
  const before = new Date().toISOString();
  const endsAt = performance.now() + MERGED_WITHIN_MS;
  let removed = 0;
  let took = 0;
  while (performance.now() < endsAt) {
    const cpu = startCpu(name);
    const number = await storage.purge('verdicts', before, before);
    if (number > 0) took += cpu().both;
    removed += number;
    if (number > 0) continue;
    if (removed > 0) break;
    await pause(500);
  }
  if (removed === 0) throw new Error('Retention removed nothing.');
  return { retention: took / removed };
}
