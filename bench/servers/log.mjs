/**
 * Verdicts over one storage, in a separate process, with the log of the account on or off, until all have their leaf.
 *
 *     node --expose-gc bench/servers/log.mjs '{ "engine": "sqlite", "seconds": 10, "rate": 100000, "agents": 1000, "warmUp": 30000, "isLogged": true, "restMs": 5000, "least": 1024 }'
 *
 * With `accounts` the agents are spread over as many accounts. `restMs` is the time after the last verdict for which
 * the CPU counts. `least` is the number of records of the smallest block whose leaf is timed. Smaller blocks wait for
 * a minute, or for the end.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { ENGINES } from '../lib/engines.mjs';
import { openAgents, startCpu, steadyFlow, sumsOf } from '../lib/journal-work.mjs';
import { median } from '../lib/stats.mjs';

const publicUrl = 'https://id.example.com/api';
const PAGE = 1_000;

const task = JSON.parse(process.argv[2]);
const { engine: name, agents, warmUp, accounts, isLogged, restMs, least } = task;
const engine = await ENGINES[name]().catch((error) =>
  process.send({ absent: error.code ?? 'no answer' }, () => process.exit()),
);
try {
  process.send({ found: await measure() });
} finally {
  await engine.remove();
  process.disconnect();
}

async function measure() {
  const storage = await engine.open();
  const [identity, evidence] = [{ publicUrl }, isLogged ? {} : undefined];
  const opened = await openAgents(storage, {
    agents,
    accounts,
    warmUp,
    domainProof: 'off',
    identity,
    evidence,
  });
  const { service, owners, ask } = opened;
  const begunAt = new Date().toISOString();
  const cpu = startCpu(name);
  const flow = await steadyFlow(ask, task);
  await pause(restMs);
  const { both } = cpu();
  const sums = await sumsOf(opened, flow.asked);
  // What waits has its leaf after this.
  await service.close();
  const leaves = isLogged ? await leavesOf({ owners, begunAt, ...flow }) : {};
  return { ...flow, cpuOfAll: both, dropped: sums.dropped, ...leaves };
}

/** Returns the leaves for the blocks of the load, and the delay between the first record of each block and its leaf. */
async function leavesOf({ owners, begunAt, asked }) {
  const storage = await engine.open();
  const delays = [];
  let records = 0;
  for (const account_id of owners) {
    for await (const { created_at, entry } of entriesOf(storage, account_id)) {
      const read = JSON.parse(entry);
      if (read.kind !== 'verdicts' || read.to < begunAt) continue;
      records += read.records;
      if (read.records >= least) delays.push(Date.parse(created_at) - Date.parse(read.from));
    }
  }
  await storage.close();
  if (records < asked) throw new Error(`Only ${records} of ${asked} verdicts have a leaf.`);
  const longestDelay = delays.reduce((one, other) => Math.max(one, other), 0);
  return { leaves: delays.length, delay: median(delays), longestDelay };
}

async function* entriesOf(storage, account_id) {
  for (let after; ; ) {
    const query = { where: { account_id }, limit: PAGE, ...(after && { after }) };
    const page = await storage.list('log_entries', query);
    yield* page;
    after = page.at(-1);
    if (page.length < PAGE) return;
  }
}
