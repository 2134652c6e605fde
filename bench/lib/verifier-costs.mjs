/** Measures what the requests of local verifiers cost a node, for the targets of the part `verifier`. */
import { sqliteStorage } from 'agent-identity-service/storage/sql';
import { createLocalVerifier } from 'agent-identity-service/verifier';
import { progress } from './part.mjs';
import { median } from './stats.mjs';
import { target } from './target.mjs';
import { openBeside, openEndless } from './verifier-rows.mjs';

const IN_USE = 200;
const HOUR_MS = 3_600_000;
/** The maximum age of a read that a node reuses for an answer. */
const SHARED_MS = 100;

/** Measures the CPU of confirming 200 unchanged agents, compared with a constant answer and with 200 plain reads. */
export async function confirming({ passports, requests }) {
  progress(`confirmations of ${IN_USE} agents`);
  const clock = movable();
  const storage = await sqliteStorage({ file: ':memory:' });
  const { service, apiKey, fetch } = await openBeside(passports.slice(0, IN_USE), { storage, clock });
  const ids = passports.slice(0, IN_USE).map(({ agent_id }) => agent_id);
  const agents = Object.fromEntries(
    await Promise.all(
      ids.map(async (id) => {
        const { version, updated_at } = await storage.get('passports', id);
        return [id, `${version} ${updated_at}`];
      }),
    ),
  );
  const body = JSON.stringify({ turn: 1, agents, wait_ms: 0 });
  const init = { method: 'POST', headers: { 'content-type': 'application/json', 'x-api-key': apiKey }, body };
  const url = 'https://id.example.com/api/verifier/passports';
  const constant = async (request) => Response.json({ turn: (await request.json()).turn, passports: {} });

  async function confirm() {
    // Nothing in memory is recent enough.
    clock.advance(2 * SHARED_MS);
    const { passports: found, unread } = await (await fetch(url, init)).json();
    if (Object.keys(found).length + unread.length > 0) throw new Error('An agent has changed.');
  }
  async function bare() {
    await (await constant(new Request(url, init))).json();
    await Promise.all(ids.map((id) => storage.get('passports', id)));
  }
  const ratios = [];
  for (let round = 0; round <= requests / 10; round += 1) {
    const [floor, own] = [await cpuOf(bare, 10), await cpuOf(confirm, 10)];
    if (round > 0) ratios.push(own / floor);
  }
  await service.close();
  return target(
    'CPU of confirming 200 agents / a constant answer and 200 bare reads, sqlite',
    median(ratios),
    { atMost: 2 },
  );
}

/** Returns the bytes of the requests that send verdict records, and the bytes of the blocks in them. */
export async function bytesOfRecords({ passports, intents }) {
  const { service, apiKey, fetch, baseUrl } = await openBeside(passports);
  const sent = { bytes: 0, blocks: 0 };
  const counting = (url, init) => {
    if (url.endsWith('/verifier/verdicts')) {
      sent.bytes += Buffer.byteLength(init.body);
      sent.blocks += Buffer.from(JSON.parse(init.body).block, 'base64url').length;
    }
    return fetch(url, init);
  };
  const verifier = createLocalVerifier({ baseUrl, apiKey, fetch: counting });
  for (const intent of intents()) await verifier.verify(intent);
  await verifier.close();
  await service.close();
  return target('bytes of filing requests / of their blocks', sent.bytes / sent.blocks, { atMost: 1.4 });
}

/**
 * Counts the requests for the first verdict after an hour without the service. The clock of the verifier moves on by an
 * hour while every request fails. Then the same agents ask again.
 */
export async function afterAnHourOffline({ passports }) {
  const clock = movable();
  const { service, apiKey, fetch, baseUrl } = await openBeside(passports.slice(0, IN_USE));
  let isOffline = false;
  let requests = 0;
  const cut = async (url, init) => {
    if (isOffline) throw new TypeError('fetch failed');
    requests += 1;
    return fetch(url, init);
  };
  const verifier = createLocalVerifier({ baseUrl, apiKey, fetch: cut, clock });
  const ask = ({ agent_id }) => verifier.verify({ agent_id, action: 'x', dry_run: true });
  for (const passport of passports.slice(0, IN_USE)) await ask(passport);
  isOffline = true;
  clock.advance(HOUR_MS);
  const refused = await ask(passports[0]).catch(({ code }) => code);
  if (refused !== 'service_unreachable') throw new Error('A verdict without its service.');
  isOffline = false;
  requests = 0;
  await ask(passports[0]);
  const first = requests;
  await verifier.close();
  await service.close();
  return target('requests of the first verdict after an hour offline', first, { atMost: 1, unit: 'count' });
}

/** Measures the time of one verdict for each agent, 200 at a time, compared with the requests for the same reads. */
export async function askedOnce({ count, rounds }) {
  progress(`${count} agents, each asked about once`);
  const { action, service, ...access } = await openEndless();
  const ratios = [];
  let named = 0;
  const nextAgent = () => {
    named += 1;
    return `did:web:a${named}.example:agents:a`;
  };
  for (let round = 0; round <= rounds; round += 1) {
    const { baseUrl, apiKey, fetch } = access;
    const verifier = createLocalVerifier({ baseUrl, apiKey, fetch });
    const newBatches = () =>
      Array.from({ length: count / IN_USE }, () => Array.from({ length: IN_USE }, nextAgent));
    const bare = await timeOf(newBatches(), (ids) => readBatch(access, ids));
    const own = await timeOf(newBatches(), (ids) =>
      Promise.all(ids.map((agent_id) => verifier.verify({ agent_id, action, dry_run: true }))),
    );
    if (verifier.state().asked > 0) throw new Error('The verifier asked its service.');
    await verifier.close();
    if (round > 0) ratios.push(own / bare);
  }
  await service.close();
  return target(`${count} agents asked about once / their bare reads, 200 at a time`, median(ratios), {
    atMost: 1.5,
  });
}

/** Reads passports with the request of a verifier, and ignores the answer. */
async function readBatch({ baseUrl, apiKey, fetch }, ids) {
  const agents = Object.fromEntries(ids.map((id) => [id, null]));
  const answer = await fetch(`${baseUrl}/verifier/passports`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ turn: 1, agents, wait_ms: 0 }),
  });
  const { passports } = await answer.json();
  if (Object.keys(passports).length < ids.length) throw new Error('A passport is missing.');
}

/** Returns a running clock that a test can also move forward. */
function movable() {
  let aheadMs = 0;
  return {
    advance(ms) {
      aheadMs += ms;
    },
    now: () => Date.now() + aheadMs,
    monotonic: () => performance.now() + aheadMs,
  };
}

async function cpuOf(work, times) {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function timeOf(batches, work) {
  const startedAt = performance.now();
  for (const batch of batches) await work(batch);
  return performance.now() - startedAt;
}
