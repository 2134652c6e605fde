/**
 * One node after the other is ended by SIGTERM and started anew, under load over kept connections. The balancer
 * stops using a node that says `Connection: close` or is not ready, as the README tells; nothing is tried twice.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from './client.mjs';
import { ALLOWING, intentOn, issuePassport, makeKey } from './site.mjs';

const LANES = 8;
const HEALTH_MS = 50;
const PAUSE_MS = 2;

/**
 * Restarts every node `rounds` times, the next one when each has answered `settledAfter` requests; how many were
 * sent, and what became of those that failed.
 */
export async function restartRolling({ site, rounds, settledAfter, say }) {
  const run = { sent: 0, failures: [], restarts: 0, exits: [], isOver: false };
  const places = site.nodes.map((node) => ({
    origin: node.origin,
    isUsable: true,
    saidClose: 0,
    startedAt: performance.now(),
    answered: 0,
  }));
  const { key } = await makeKey(site.nodes[0], site.token);
  const agents = await Promise.all(
    Array.from({ length: LANES }, async (_, lane) => issuePassport(site.nodes[lane % 3], site.token)),
  );
  const work = [
    ...agents.map(({ agent_id }, lane) =>
      keepAsking(run, places, { lane, key, agent_id, token: site.token, site }),
    ),
    ...places.map((place) => keepLooking(run, place)),
  ];
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, place] of places.entries()) {
        await settled(run, places, settledAfter);
        const { process, close } = site.nodes[index];
        run.exits.push(await process.stop());
        close();
        site.nodes[index] = await site.start(process.port);
        place.startedAt = performance.now();
        run.restarts += 1;
        await settled(run, [place], settledAfter);
        say(`node ${index + 1} restarted: ${run.sent} requests, ${run.failures.length} failed`);
      }
    }
  } finally {
    run.isOver = true;
    await Promise.all(work);
  }
  return run;
}

/** Waits until each of the places has given the number of further answers. */
async function settled(run, places, more) {
  const before = places.map(({ answered }) => answered);
  while (places.some(({ answered }, index) => answered < before[index] + more)) {
    if (run.failures.length > 1_000) throw new Error(run.failures[0]);
    await pause(5);
  }
}

/** One connection to each node, used in turn. */
async function keepAsking(run, places, given) {
  const clients = places.map(({ origin }) => createClient(origin));
  for (let turn = given.lane; !run.isOver; turn += 1) {
    const index = [0, 1, 2].map((step) => (turn + step) % 3).find((at) => places[at].isUsable);
    if (index !== undefined) {
      const { process } = given.site.nodes[index];
      await askOnce(run, places[index], clients[index], { request: requestOf(turn, given), process });
    }
    await pause(PAUSE_MS);
  }
  for (const { close } of clients) close();
}

async function askOnce(run, place, client, { request: [method, path, given], process }) {
  run.sent += 1;
  const fail = (what) => {
    const seconds = ((performance.now() - place.startedAt) / 1_000).toFixed(1);
    run.failures.push(`${method} ${path}: ${what}, ${seconds} s after the start of its node`);
  };
  try {
    const { status, headers, body } = await client.ask(method, path, given);
    place.answered += 1;
    if (headers.connection === 'close') {
      place.isUsable = false;
      place.saidClose = performance.now();
    }
    const isGood = status === 200 && (body.verdict ?? 'ALLOW') === 'ALLOW';
    if (!isGood) fail(`${status} ${causeOf(process, body) ?? JSON.stringify(body)}`);
  } catch (error) {
    fail(`${error.code} ${error.message}`);
  }
}

/** What the node has written about a request that failed. */
function causeOf(process, { code, request_id }) {
  const line = process
    .written()
    .split('\n')
    .find((text) => text.includes(`"${request_id}"`));
  return line && `${code}: ${JSON.parse(line).cause}`;
}

/** Eight verifications, a look and a change. */
function requestOf(turn, { key, token, agent_id }) {
  const path = `/passports/${encodeURIComponent(agent_id)}`;
  if (turn % 10 === 3) return ['GET', path, { token }];
  const monetary_limit_per_txn = ALLOWING.monetary_limit_per_txn + (turn % 50);
  if (turn % 10 === 7) return ['PATCH', path, { token, json: { monetary_limit_per_txn } }];
  return ['POST', '/verify', { key, json: intentOn(agent_id) }];
}

/** A look that began before the node said goodbye does not count. */
async function keepLooking(run, place) {
  const client = createClient(place.origin);
  while (!run.isOver) {
    const lookedAt = performance.now();
    const isReady = await client.ask('GET', '/health/ready').then(
      ({ status, headers }) => status === 200 && headers.connection !== 'close',
      () => false,
    );
    place.isUsable = isReady && (place.isUsable || lookedAt > place.saidClose);
    await pause(HEALTH_MS);
  }
  client.close();
}
