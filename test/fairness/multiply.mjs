/** Requests of one account whose work multiplies: small patches of a large passport, and webhooks that do not answer. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { analytics } from '../../dist/analytics.js';
import { events } from '../../dist/events.js';
import { identity } from '../../dist/identity.js';
import { nodeWebhookTransport } from '../../dist/node.js';
import { webhooks } from '../../dist/webhooks.js';

const LARGE = {
  domain: 'large.example',
  agent_name: 'agent',
  allowed_actions: Array.from({ length: 240 }, (_, index) => `a${index}.`.padEnd(120, 'x')),
  denied_actions: Array.from({ length: 240 }, (_, index) => `d${index}.`.padEnd(120, 'x')),
  monetary_limit_per_txn: 1,
};
const AGENT = 'did:web:large.example:agents:agent';
const WEBHOOKS = 10;
const PATCHES = 100;
const QUIET = { account_id: 'acc_quiet' };
const SLOW_MS = 14_000;
/** Within this time the events of another account arrive. */
const LATEST_MS = 3_000;

/** How many requests came to each path. `/slow` answers after 14 s, all else at once. */
const received = new Map();
const receiver = createServer((request, response) => {
  received.set(request.url, (received.get(request.url) ?? 0) + 1);
  request.resume();
  setTimeout(() => response.writeHead(204).end(), request.url === '/slow' ? SLOW_MS : 0).unref();
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
receiver.unref();

/** Options of a service whose webhooks lead to this process. */
export const WEBHOOK_OPTIONS = {
  allowLocalhost: true,
  capabilities: [
    identity({ secret: 'a secret of this proof, of 32 bytes or more' }),
    webhooks({ transport: nodeWebhookTransport() }),
    events(),
    analytics(),
  ],
};

/** By name, as `REQUESTS`; where `fault` is set the claim does not hold. */
export const MULTIPLYING = [
  [
    'small patches of a passport of 60 kB, with ten webhooks',
    ({ service, found, owner }) => withWebhooks(service, owner, '/quick', () => patch(service, owner, found)),
  ],
  [
    'pages of versions of a passport of 60 kB',
    ({ service, found, owner }) => versions(service, owner, found),
  ],
  [
    'ten webhooks whose receiver answers after 14 s',
    ({ service, found, owner }) => withWebhooks(service, owner, '/slow', () => hang(service, owner, found)),
  ],
];

/** As over HTTP, where each request comes in a turn of its own: a store in this process would end all of them in one. */
async function inOwnTurn(ask) {
  await nextTurn();
  return ask();
}

async function withWebhooks(service, owner, path, run) {
  await service.passports.create(LARGE, owner).catch(() => undefined);
  const made = [];
  for (let count = 0; count < WEBHOOKS; count += 1)
    made.push(await inOwnTurn(() => webhook(service, owner, path)));
  try {
    await run();
  } finally {
    for (const { id } of made) await inOwnTurn(() => service.webhooks.remove(id, owner));
  }
}

function webhook(service, owner, path) {
  const { port } = receiver.address();
  return service.webhooks.create({ url: `http://127.0.0.1:${port}${path}`, types: ['passport.*'] }, owner);
}

async function patch(service, owner, found) {
  for (let count = 0; count < PATCHES; count += 1) {
    await inOwnTurn(() => service.passports.update(AGENT, { description: `${Math.random()}` }, owner));
    found.pieces += 1;
  }
}

async function versions(service, owner, found) {
  let cursor;
  do {
    const page = await service.passports.versions(AGENT, { limit: 100, ...(cursor && { cursor }) }, owner);
    found.pieces += 1;
    cursor = page.next_cursor;
  } while (cursor);
}

/** While the webhooks of one account hang, the events of another arrive. */
async function hang(service, owner, found) {
  const { id } = await webhook(service, QUIET, '/quiet');
  const { agent_id } = await service.passports.create(
    {
      ...LARGE,
      domain: 'quiet.example',
      agent_name: `a${Date.now()}`,
      allowed_actions: [],
      denied_actions: [],
    },
    QUIET,
  );
  try {
    const slow = received.get('/slow') ?? 0;
    for (let count = 0; count < 20; count += 1)
      await inOwnTurn(() => service.passports.update(AGENT, { description: `${Math.random()}` }, owner));
    while ((received.get('/slow') ?? 0) < slow + WEBHOOKS) await pause(20);
    for (let count = 0; count < 5; count += 1) {
      const before = received.get('/quiet') ?? 0;
      const began = performance.now();
      await service.passports.update(agent_id, { description: `${count}` }, QUIET);
      while ((received.get('/quiet') ?? 0) === before && performance.now() - began < LATEST_MS)
        await pause(10);
      if (performance.now() - began >= LATEST_MS)
        found.fault = `an event of another account came later than ${LATEST_MS} ms`;
      found.pieces += 1;
    }
  } finally {
    await service.webhooks.remove(id, QUIET);
  }
}
