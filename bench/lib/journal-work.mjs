/**
 * The requests to a service whose journal is measured. They are intents of agents in one or many accounts, at a
 * constant rate.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { openService } from './service.mjs';
import { storeCpuUs } from './store-cpu.mjs';

/** The number of verdicts of the rare agent, and the number of other verdicts between two of them. */
const RARE = { verdicts: 3, apart: 30_000 };
/**
 * The maximum number of intents in one turn of the event loop, because a server also reads a limited number from its
 * sockets.
 */
const IN_A_TURN = 2_000;
/** The time after which a passport that was read before the warm-up is stale. */
const STALE_MS = 3_000;

/**
 * Opens a service over the storage, with this number of agents and a rare agent. Agent n is in account n modulo
 * `accounts`, and `ask` sends intent number n. The service has already returned `warmUp` verdicts, so its code is
 * compiled. `warm` asks for one verdict of each agent.
 */
export async function openAgents(storage, { agents, warmUp, accounts = 1, ...options }) {
  const opened = await openService([], { storage, storageDeadlineMs: 60_000, ...options });
  const { service } = opened;
  const owners = [opened.account_id];
  while (owners.length < accounts) {
    const account = { email: `bench-${owners.length}@example.com`, password: 'a password for the bench' };
    owners.push((await service.accounts.create(account)).id);
  }
  const ownerOf = (agent) => owners[agent % accounts];
  for (let agent = 0; agent <= agents; agent += 1) {
    await service.passports.create(passportOf(agent), { account_id: ownerOf(agent) });
  }
  let rare = 0;
  const ask = (index) => {
    const isRare = index % RARE.apart === 0 && rare < RARE.verdicts;
    if (isRare) rare += 1;
    const agent = isRare ? agents : index % agents;
    return service.verify(intentOf(index, agent), { account_id: ownerOf(agent) });
  };
  for (let index = 0; index < warmUp; index += 1) {
    await ask(index);
    if (index % 500 === 0) await nextTurn();
  }
  await pause(STALE_MS);
  globalThis.gc();
  for (let index = 0; index < agents; index += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, more) => ask(warmUp + index + more)));
  }
  return { ...opened, owners, ask, warm: warmUp + agents };
}

/** Sends intents at a constant rate, each when it is due. The CPU time includes this process and the server. */
export async function steadyFlow(ask, { engine, seconds, rate }) {
  const idle = process.memoryUsage.rss();
  let peak = idle;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 50);
  const turns = monitorEventLoopDelay({ resolution: 1 });
  turns.enable();
  const cpu = startCpu(engine);
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
  const { own, both } = cpu();
  turns.disable();
  clearInterval(sampler);
  return {
    asked,
    perSecond: asked / took,
    cpu: own / asked,
    cpuOfBoth: both / asked,
    grown: peak - idle,
    longestTurn: turns.max / 1e6,
  };
}

/** Returns the verdicts per second in a strict journal. Each caller sends its next intent after the previous answer. */
export async function strictCallers(ask, { callers, seconds }) {
  const endsAt = performance.now() + seconds * 1e3;
  let answered = 0;
  const call = async (caller) => {
    for (let index = caller; performance.now() < endsAt; index += callers) {
      await ask(index);
      answered += 1;
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  return { answered, perSecond: answered / ((performance.now() - startedAt) / 1e3) };
}

/** Starts a clock of CPU nanoseconds, for this process (`own`) and for this process with the storage server. */
export function startCpu(engine) {
  const before = process.cpuUsage();
  const serverBefore = storeCpuUs(engine);
  return () => {
    const { user, system } = process.cpuUsage(before);
    const own = (user + system) * 1e3;
    return { own, both: own + (storeCpuUs(engine) - serverBefore) * 1e3 };
  };
}

export function agentOf(agent) {
  return `did:web:example.com:agents:agent-${agent}`;
}

function passportOf(agent) {
  return {
    domain: 'example.com',
    agent_name: `agent-${agent}`,
    allowed_actions: ['payments.create', 'orders.get'],
    monetary_limit_per_txn: 100,
  };
}

function intentOf(index, agent) {
  const agent_id = agentOf(agent);
  return index % 4 === 0
    ? { agent_id, action: 'orders.get' }
    : { agent_id, action: 'payments.create', parameters: { amount: (index % 12_000) / 100 } };
}

/**
 * Counts the recorded and the dropped verdicts of the accounts. Throws unless the sum is the number of sent intents.
 */
export async function sumsOf({ service, owners, warm }, asked) {
  const sums = { recorded: 0, dropped: 0 };
  for (const account_id of owners) {
    const { overview, journal_dropped } = await service.analytics({}, { account_id });
    sums.recorded += overview.total_verifications;
    sums.dropped += journal_dropped;
  }
  if (sums.recorded + sums.dropped !== asked + warm)
    throw new Error('A verdict is neither recorded nor dropped.');
  return sums;
}
