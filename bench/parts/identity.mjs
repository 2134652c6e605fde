/**
 * Measures the cost of what third parties can check: proofs of agents, signed passports, status lists and DID
 * documents.
 */
import { performance } from 'node:perf_hooks';
import { fetchHandler } from 'agent-identity-service/http';
import { didHandler } from 'agent-identity-service/identity';
import { generateAgentKey, signIntent } from 'agent-identity-service/proof';
import { verdictsBesideDeadHosts } from '../lib/dead-hosts.mjs';
import { busyTable, busyTarget, busyTimes, IN_FLIGHT, inFlight } from '../lib/event-loop.mjs';
import { finish, progress, ratioOf, readTask, withRatios } from '../lib/part.mjs';
import { measure, promising } from '../lib/rounds.mjs';
import { openService } from '../lib/service.mjs';
import { median } from '../lib/stats.mjs';
import { statusListFigures } from '../lib/status-lists.mjs';
import { column, timeColumns } from '../lib/table.mjs';
import { target } from '../lib/target.mjs';

const { isQuick, isFull, rounds } = readTask();
const CALLS = isQuick ? 50 : 500;
const BATCH = 50;
const OF = `batches of ${BATCH}`;
const publicUrl = 'https://id.example.com/api';
const { subtle } = globalThis.crypto;

const { private_jwk, public_jwk } = await generateAgentKey();
const agents = ['bare', 'keyed'].map((agent_name) => ({
  domain: 'shop.example',
  agent_name,
  allowed_actions: ['payments.create'],
  monetary_limit_per_txn: 100,
}));
const [plain] = agents;
const agentOf = (name) => `did:web:shop.example:agents:${name}`;
const { service, account_id, settle } = await openService([plain], { identity: { publicUrl } });
const owner = { account_id };
await service.passports.create({ ...agents[1], public_keys: [public_jwk] }, owner);

const intentOf = (name) => ({
  agent_id: agentOf(name),
  action: 'payments.create',
  target: 'did:web:till.example',
  parameters: { amount: '19.99' },
});
const key = await subtle.importKey('jwk', private_jwk, { name: 'Ed25519' }, false, ['sign']);
const publicKey = await subtle.importKey('jwk', public_jwk, { name: 'Ed25519' }, false, ['verify']);
const signed = new TextEncoder().encode((await proofsOf(1))[0].proof.replace(/\.[^.]*$/, ''));
const signature = await subtle.sign('Ed25519', key, signed);

progress('every answer is looked at');
await assertAnswers();
const proofs = await measureProofs();
const busy = await busyTimes({
  ...{ rounds, report: progress, settle, ours: (intent) => service.verify(intent) },
  inputs: () => proofsOf(CALLS),
  bare: () => subtle.verify('Ed25519', publicKey, signature, signed),
});
const signing = await measureSigning();
const perSecond = await tokensPerSecond();
const documents = await measureDocuments();
const dead = await verdictsBesideDeadHosts({ isQuick, rounds, report: progress });
await service.close();
const list = await statusListFigures({ isQuick, isFull, rounds, report: progress });

finish({
  tables: [
    {
      title: 'A verdict with a proof, and what checking the signature takes by itself',
      note: 'Memory storage. Each proof is new and is used: its jti is stored.',
      columns: timeColumns('x subtle.verify', OF),
      rows: withRatios(proofs, 'subtle.verify, Ed25519'),
    },
    busyTable(busy, 'proofs', { ours: 'verify with a proof', bare: 'subtle.verify, Ed25519' }),
    {
      title: 'A signed passport, and a signature by itself',
      columns: [...timeColumns('x subtle.sign', OF), column('perSecond', `${IN_FLIGHT} in flight`, 'per s')],
      rows: withRatios(signing, 'subtle.sign, Ed25519').map((row) =>
        row.name === 'passports.sign' ? { ...row, perSecond: median(perSecond) } : row,
      ),
    },
    {
      title: 'A DID document, from memory',
      columns: timeColumns('x /health/live', OF),
      rows: withRatios(documents, 'GET /health/live'),
    },
    dead.table,
    list.table,
  ],
  targets: [
    target(
      'verify with a proof / subtle.verify',
      ratioOf(proofs, 'verify with a proof', 'subtle.verify, Ed25519'),
      {
        atMost: 1.5,
      },
    ),
    target(
      'verify without a proof, a passport with keys / without',
      ratioOf(proofs, 'verify, a passport with keys', 'verify, a passport without keys'),
      { atMost: 1.02 },
    ),
    busyTarget(busy, 'proofs'),
    target('passports.sign / subtle.sign', ratioOf(signing, 'passports.sign', 'subtle.sign, Ed25519'), {
      atMost: 1.3,
    }),
    target('signed passports', median(perSecond), { atLeast: 5_000, unit: 'per s' }),
    target('did.json / health/live', ratioOf(documents, 'GET did.json', 'GET /health/live'), { atMost: 1.5 }),
    ...dead.targets,
    ...list.targets,
  ],
});

/** Returns intents with new proofs that have not been used yet. */
async function proofsOf(count) {
  const intent = intentOf('keyed');
  const options = { key: private_jwk, agent_id: intent.agent_id, audience: publicUrl, seconds: 300 };
  const made = [];
  for (let at = 0; at < count; at += 1) made.push({ ...intent, proof: await signIntent(intent, options) });
  return made;
}

async function assertAnswers() {
  const [intent] = await proofsOf(1);
  const first = await service.verify(intent);
  const again = await service.verify(intent);
  const other = await service.verify({ ...intent, parameters: { amount: '20' } });
  const codes = [first, again, other].map(({ reasons }) => reasons.map(({ code }) => code).join());
  if (codes.join(';') !== ';proof_replayed;proof_invalid') throw new Error(`Other answers: ${codes}`);
  const { token } = await service.passports.sign(agentOf('keyed'), {}, owner);
  if (token.split('.').length !== 3) throw new Error('No token.');
}

async function measureProofs() {
  const bare = async () => subtle.verify('Ed25519', publicKey, signature, signed);
  // A turn, and one more for what it allocates, in each round and the one that is thrown away.
  const pool = await proofsOf((rounds + 1) * 2 * CALLS);
  const many = (name) => Array.from({ length: CALLS }, () => intentOf(name));
  const withInputs = (contestant, inputs) => ({ ...contestant, inputs });
  const verify = (intent) => service.verify(intent);
  const contestants = [
    withInputs(promising('subtle.verify, Ed25519', bare), () => many('bare')),
    withInputs(promising('verify with a proof', verify, { settle }), () => pool.splice(0, CALLS)),
    withInputs(promising('verify, a passport without keys', verify, { settle }), () => many('bare')),
    withInputs(promising('verify, a passport with keys', verify, { settle }), () => many('keyed')),
  ];
  const report = (round, of) => progress(`proofs: round ${round} of ${of}`);
  return measure(contestants, { rounds, batch: BATCH, report });
}

async function measureSigning() {
  const inputs = () => Array.from({ length: CALLS }, () => agentOf('keyed'));
  // As many bytes as are signed of a passport.
  const { token } = await service.passports.sign(agentOf('keyed'), {}, owner);
  const bytes = new TextEncoder().encode(token.slice(0, token.lastIndexOf('.')));
  const contestants = [
    promising('subtle.sign, Ed25519', () => subtle.sign('Ed25519', key, bytes)),
    promising('passports.sign', (agent_id) => service.passports.sign(agent_id, {}, owner)),
  ];
  const report = (round, of) => progress(`signing: round ${round} of ${of}`);
  return measure(contestants, { inputs, rounds, batch: BATCH, report });
}

async function tokensPerSecond() {
  const found = [];
  for (let round = 0; round <= rounds; round += 1) {
    const asked = Array.from({ length: 2 * CALLS }, () => agentOf('keyed'));
    const startedAt = performance.now();
    await inFlight(asked, (agent_id) => service.passports.sign(agent_id, {}, owner));
    if (round > 0) found.push(asked.length / ((performance.now() - startedAt) / 1_000));
  }
  return found;
}

async function measureDocuments() {
  const api = fetchHandler(service);
  const documents = didHandler(service);
  const read = async (answer) => (await answer).text();
  const inputs = (url) => () => Array.from({ length: CALLS }, () => new Request(url));
  const contestants = [
    {
      ...promising('GET /health/live', (request) => read(api(request))),
      inputs: inputs('https://shop.example/api/health/live'),
    },
    {
      ...promising('GET did.json', (request) => read(documents(request))),
      inputs: inputs('https://shop.example/agents/keyed/did.json'),
    },
  ];
  const report = (round, of) => progress(`documents: round ${round} of ${of}`);
  return measure(contestants, { rounds, batch: BATCH, report });
}
