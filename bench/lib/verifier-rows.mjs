/**
 * Measures what a local verifier costs the service, and the time until a revocation takes effect. These are targets of
 * the part `verifier`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createIdentityService } from 'agent-identity-service';
import { createIdentityClient } from 'agent-identity-service/client';
import { fetchHandler } from 'agent-identity-service/http';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { createLocalVerifier } from 'agent-identity-service/verifier';
import { verifiers } from 'agent-identity-service/verifiers';
import { mergedRecords, openBlock, packRecords } from '../../dist/bench/blocks.js';
import { ratioOf } from './part.mjs';
import { measure, promising } from './rounds.mjs';
import { endlessStorage, openService } from './service.mjs';
import { median, quantile } from './stats.mjs';
import { target } from './target.mjs';

const SCOPES = ['verify', 'decide'];

/** Opens a service with a passport for every agent id. All agents may do `action`. */
export async function openEndless() {
  const { storage, action } = await endlessStorage();
  const service = createIdentityService({ storage, rateLimits: 'off', capabilities: [verifiers()] });
  const { key: apiKey } = await service.keys.create({ name: 'verifier', scopes: SCOPES });
  return { storage, action, service, apiKey, ...wayTo(service) };
}

/** Opens a service in this process, and returns how verifiers reach it. */
export async function openBeside(passports, options = {}) {
  const { service, account_id } = await openService(passports, { ...options, rateLimits: 'off' });
  const { key: apiKey } = await service.keys.create({ name: 'verifier', scopes: SCOPES }, { account_id });
  return { service, account_id, apiKey, ...wayTo(service) };
}

function wayTo(service) {
  const handle = fetchHandler(service);
  return {
    baseUrl: 'https://id.example.com/api',
    fetch: async (url, init) => handle(new Request(url, init)),
  };
}

/** Measures the first verdict for an agent with four ancestors, by the verifier and by the client. */
export async function chainsOfFive({ admin, access, chains, rounds, report }) {
  const may = { allowed_actions: ['orders.*'], monetary_limit_per_txn: 5 };
  const intents = [];
  for (let chain = 0; chain < chains; chain += 1) {
    let parent_agent_id;
    for (let depth = 0; depth < 5; depth += 1) {
      const input = { domain: 'chains.example', agent_name: `c${chain}-${depth}`, ...may };
      const above = parent_agent_id === undefined ? {} : { parent_agent_id };
      parent_agent_id = (await admin.passports.create({ ...input, ...above })).agent_id;
    }
    intents.push({ agent_id: parent_agent_id, action: 'orders.read' });
  }
  const client = createIdentityClient(access);
  let verifier = createLocalVerifier(access);
  const renewed = async () => {
    await verifier.close();
    verifier = createLocalVerifier(access);
    await verifier.verify({ agent_id: 'did:web:unknown.example:agents:a', action: 'x' });
  };
  const figures = await measure(
    [
      promising('client', (intent) => client.verify(intent)),
      promising('verifier', (intent) => verifier.verify(intent), { warm: renewed }),
    ],
    { inputs: () => intents.map((intent) => ({ ...intent })), rounds, how: 'single', report },
  );
  await verifier.close();
  return target(
    'the first verdict about a chain of five / client.verify',
    ratioOf(figures, 'verifier', 'client'),
    {
      atMost: 1.2,
    },
  );
}

/** Measures the CPU of storing blocks that a verifier has sent, compared with opening and packing the same blocks. */
export async function filing({ passports, intents, rounds }) {
  const { service, apiKey, fetch, baseUrl } = await openBeside(passports);
  const caller = await service.serving.authenticateKey(apiKey);
  const sent = [];
  const kept = async (url, init) => {
    if (!url.endsWith('/verifier/verdicts')) return fetch(url, init);
    const body = JSON.parse(init.body);
    sent.push(body);
    return Response.json({ seq: body.seq, result: 'filed' });
  };
  const ratios = [];
  for (let round = 0; round <= rounds; round += 1) {
    const verifier = createLocalVerifier({ baseUrl, apiKey, fetch: kept });
    for (const intent of intents()) await verifier.verify(intent);
    await verifier.close();
    const blocks = sent.splice(0);
    const bare = await cpuOf(async () => {
      for (const { block } of blocks)
        packRecords(mergedRecords([openBlock(Buffer.from(block, 'base64url'))]));
    });
    const filed = await cpuOf(async () => {
      for (const body of blocks) await service.verifiers.file(body, caller);
    });
    if (round > 0) ratios.push(filed / bare);
  }
  await service.close();
  return target('CPU of filing a block / opening and packing it', median(ratios), { atMost: 2 });
}

/** Counts the reads per second of each passport, for 20 agents that 100 verifiers use. */
export async function readsOfMany({ passports, seconds }) {
  const inner = memoryStorage();
  let reads = 0;
  const storage = {
    ...inner,
    get(collection, id) {
      if (collection === 'passports') reads += 1;
      return inner.get(collection, id);
    },
  };
  const used = passports.slice(0, 20);
  const { service, ...access } = await openBeside(used, { storage });
  const { baseUrl, apiKey, fetch } = access;
  const verifiers = Array.from({ length: 100 }, () => createLocalVerifier({ baseUrl, apiKey, fetch }));
  const askAll = (verifier) =>
    Promise.all(used.map(({ agent_id }) => verifier.verify({ agent_id, action: 'x', dry_run: true })));
  // One after the other: a node has 64 places for requests that do not wait.
  for (const verifier of verifiers) await askAll(verifier);
  const [before, startedAt] = [reads, performance.now()];
  while (performance.now() - startedAt < seconds * 1e3) {
    for (const verifier of verifiers) await askAll(verifier);
    await sleep(100);
  }
  const perSecond = (reads - before) / used.length / ((performance.now() - startedAt) / 1e3);
  await Promise.all(verifiers.map((verifier) => verifier.close()));
  await service.close();
  return target('reads a second of a passport that 100 verifiers use', perSecond, {
    atMost: 11,
    unit: 'count',
  });
}

/** Returns the milliseconds between the acknowledgement of a revocation and the start of the last ALLOW. */
export async function lastAllows({ admin, access, changes }) {
  const verifier = createLocalVerifier(access);
  const lateMs = [];
  for (let change = 0; change < changes; change += 1) {
    const input = { domain: 'last.example', agent_name: `l${change}`, allowed_actions: ['orders.*'] };
    const { agent_id } = await admin.passports.create({ ...input, monetary_limit_per_txn: 5 });
    const ask = () => verifier.verify({ agent_id, action: 'orders.read' });
    // In use: it is named by the request that waits.
    for (const until = performance.now() + 450; performance.now() < until; ) {
      await ask();
      await sleep(20);
    }
    let revokedAt = Number.POSITIVE_INFINITY;
    const revoked = admin.revoke({ agent_id }).then(() => {
      revokedAt = performance.now();
    });
    let last = 0;
    while (performance.now() < revokedAt + 400) {
      const startedAt = performance.now();
      const { verdict } = await ask();
      if (verdict === 'ALLOW') last = Math.max(last, startedAt);
      await sleep(1);
    }
    await revoked;
    lateMs.push(Math.max(0, last - revokedAt));
  }
  await verifier.close();
  return target('from a revocation to the last ALLOW, p99', quantile(lateMs, 0.99), {
    atMost: 100,
    unit: 'ms',
  });
}

/**
 * Returns the heap bytes per passport in a verifier, and in the memory of a service. The records are parsed from JSON,
 * because records of the storage in memory would share their texts with the service.
 */
export async function heapOfPassports({ count }) {
  const { service, apiKey, fetch, baseUrl } = await openEndless();
  const intents = Array.from({ length: count }, (_, index) => {
    return { agent_id: `did:web:agents-${index}.example.com:agents:buyer`, action: 'x', dry_run: true };
  });
  const verifier = createLocalVerifier({ baseUrl, apiKey, fetch });
  const grown = async (ask) => {
    await ask(intents[0]);
    const before = await heapUsed();
    for (const intent of intents) await ask(intent);
    // The verdicts are on file: what waits is no passport.
    while (verifier.state().unsent > 0) await sleep(20);
    await service.verifications.list({ limit: 1 });
    return (await heapUsed()) - before;
  };
  const inside = await grown((intent) => service.verify(intent));
  const local = await grown((intent) => verifier.verify(intent));
  await verifier.close();
  await service.close();
  return target('heap of a passport in a verifier / in a service', local / inside, { atMost: 1.15 });
}

async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function heapUsed() {
  for (let times = 0; times < 4; times += 1) {
    await sleep(20);
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}
