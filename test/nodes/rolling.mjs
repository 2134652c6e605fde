/**
 * One node after the other is ended by SIGTERM and started anew, under load over kept connections. The balancer
 * stops using a node that says `Connection: close` or is not ready, as the README tells; nothing is tried twice.
 */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { ALLOWING, intentOn, issuePassport, makeKey } from './site.mjs';

const LANES = 8;
const HEALTH_MS = 50;
const PAUSE_MS = 2;

/**
 * Restarts every node `rounds` times, the next one when each has answered `settledAfter` requests; how many were
 * sent, and what became of those that failed.
 */
export async function restartRolling({ site, rounds, settledAfter, say }) {
  const run = { sent: 0, failures: [], waits: 0, restarts: 0, exits: [], isOver: false };
  const places = site.nodes.map((node) => ({
    origin: node.origin,
    isUsable: true,
    saidClose: 0,
    answered: 0,
  }));
  const { key } = await makeKey(site.nodes[0], site.token);
  const agents = await Promise.all(
    Array.from({ length: LANES }, async (_, lane) => issuePassport(site.nodes[lane % 3], site.token)),
  );
  const work = [
    ...agents.map(({ agent_id }, lane) =>
      keepAsking(run, places, { lane, key, agent_id, token: site.token }),
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

/** Each of the places has answered so many more. */
async function settled(run, places, more) {
  const before = places.map(({ answered }) => answered);
  while (places.some(({ answered }, index) => answered < before[index] + more)) {
    if (run.failures.length > 1_000) throw new Error(run.failures[0]);
    await pause(5);
  }
}

/** One connection to each node, used in turn. */
async function keepAsking(run, places, given) {
  const agents = places.map(() => new Agent({ keepAlive: true, maxSockets: 1, timeout: 3_000 }));
  for (let turn = given.lane; !run.isOver; turn += 1) {
    const index = [0, 1, 2].map((step) => (turn + step) % 3).find((at) => places[at].isUsable);
    if (index === undefined) {
      run.waits += 1;
    } else {
      const place = places[index];
      run.sent += 1;
      const [method, path, headers, json] = requestOf(turn, given);
      try {
        const answer = await send(place.origin, agents[index], method, path, headers, json);
        place.answered += 1;
        if (answer.closes) {
          place.isUsable = false;
          place.saidClose = performance.now();
        }
        const isGood = answer.status === 200 && (answer.body.verdict ?? 'ALLOW') === 'ALLOW';
        if (!isGood) run.failures.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      } catch (error) {
        run.failures.push(`${method} ${path}: ${error.code} ${error.message}`);
      }
    }
    await pause(PAUSE_MS);
  }
  for (const agent of agents) agent.destroy();
}

/** Eight verifications, a look and a change. */
function requestOf(turn, { key, token, agent_id }) {
  const session = { authorization: `Bearer ${token}` };
  const path = `/passports/${encodeURIComponent(agent_id)}`;
  if (turn % 10 === 3) return ['GET', path, session];
  const monetary_limit_per_txn = ALLOWING.monetary_limit_per_txn + (turn % 50);
  if (turn % 10 === 7) return ['PATCH', path, session, { monetary_limit_per_txn }];
  return ['POST', '/verify', { 'x-api-key': key }, intentOn(agent_id)];
}

/** A look that began before the node said goodbye does not count. */
async function keepLooking(run, place) {
  while (!run.isOver) {
    const lookedAt = performance.now();
    const status = await send(place.origin, false, 'GET', '/health/ready', {}).then(
      (answer) => answer.status,
      () => 0,
    );
    place.isUsable = status === 200 && (place.isUsable || lookedAt > place.saidClose);
    await pause(HEALTH_MS);
  }
}

function send(origin, agent, method, path, headers, json) {
  const body = json === undefined ? undefined : JSON.stringify(json);
  const sent = {
    ...headers,
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': `${body.length}` }),
  };
  return new Promise((resolve, reject) => {
    const options = { method, agent, headers: sent, timeout: 20_000 };
    const asked = request(`${origin}/api${path}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.once('error', reject);
      response.once('end', () => {
        const closes = response.headers.connection === 'close';
        resolve({ status: response.statusCode, closes, body: JSON.parse(text) });
      });
    });
    asked.once('timeout', () => asked.destroy(new Error('No answer within 20 s.')));
    asked.once('error', reject);
    asked.end(body);
  });
}
