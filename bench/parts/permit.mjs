/** Measures permits: a verdict with a permit, and its verification at the resource. */
import { createPermitVerifier, generateAgentKey } from 'agent-identity-service/proof';
import { createLocalJWKSet, importJWK, jwtVerify } from 'jose';
import { busyTable, busyTarget, busyTimes } from '../lib/event-loop.mjs';
import { finish, progress, ratioOf, readTask, withRatios } from '../lib/part.mjs';
import { measure, promising } from '../lib/rounds.mjs';
import { openService } from '../lib/service.mjs';
import { timeColumns } from '../lib/table.mjs';
import { target } from '../lib/target.mjs';

const { isQuick, rounds } = readTask();
const CALLS = isQuick ? 50 : 500;
const BATCH = 50;
const OF = `batches of ${BATCH}`;
const [action, audience, issuer] = ['payments.create', 'https://till.example', 'did:web:shop.example'];
const { subtle } = globalThis.crypto;

const passport = {
  domain: 'shop.example',
  agent_name: 'payer',
  allowed_actions: [action],
  monetary_limit_per_txn: 100,
};
const identity = { publicUrl: 'https://id.example.com/api' };
const { service, settle } = await openService([passport], { identity });
const verify = (intent) => service.verify(intent);
const { private_jwk } = await generateAgentKey();
const key = await subtle.importKey('jwk', private_jwk, { name: 'Ed25519' }, false, ['sign']);

const { permit: token } = await service.verify(intentOf({ permit: { audience } }));
const keys = await service.signing.jwks();
const at = Date.now();
const payment = { action, target: 'did:web:till.example', amount: '19.99' };
/** The bytes of a permit that are signed. */
const bytes = new TextEncoder().encode(token.slice(0, token.lastIndexOf('.')));

progress('every answer is looked at');
const atTheTill = verifiers();
await assertAnswers();
const verdicts = await measureVerdicts();
const busy = await busyTimes({
  ...{ rounds, report: progress, settle, ours: verify },
  inputs: () => Array.from({ length: CALLS }, () => intentOf({ permit: { audience } })),
  bare: () => subtle.sign('Ed25519', key, bytes),
});
const checks = await measureChecks();
await service.close();

finish({
  tables: [
    {
      title: 'A verdict with a permit, and a signature by itself',
      note: 'Memory storage, EdDSA. A permit under an idempotency key is remembered with the verdict.',
      columns: timeColumns('x subtle.sign', OF),
      rows: withRatios(verdicts, 'subtle.sign, Ed25519'),
    },
    busyTable(busy, 'permits', { ours: 'verify with a permit', bare: 'subtle.sign, Ed25519' }),
    {
      title: 'The same permit at the resource, with the keys in memory',
      columns: timeColumns('x jwtVerify', OF),
      rows: withRatios(checks, 'jose, createLocalJWKSet'),
    },
  ],
  targets: [
    target(
      'verify with a permit / subtle.sign',
      ratioOf(verdicts, 'verify with a permit', 'subtle.sign, Ed25519'),
      { atMost: 1.5 },
    ),
    busyTarget(busy, 'permits'),
    target('verifyPermit / jwtVerify', ratioOf(checks, 'verifyPermit', 'jose, createLocalJWKSet'), {
      atMost: 1.3,
    }),
  ],
});

function intentOf(more = {}) {
  const parameters = { amount: '19.99' };
  return { agent_id: `${issuer}:agents:payer`, action, target: 'did:web:till.example', parameters, ...more };
}

/** Creates verifiers of the permit. Their clock shows the instant of its issue. */
function verifiers() {
  const verifyPermit = createPermitVerifier({ issuers: [issuer], audience, keys, once: false, at: () => at });
  const options = {
    ...{ issuer, audience, typ: 'agent-permit+jwt', algorithms: ['EdDSA', 'ES256'] },
    ...{ requiredClaims: ['exp', 'jti', 'permit'], maxTokenAge: 65, clockTolerance: 5 },
    currentDate: new Date(at),
  };
  const set = createLocalJWKSet(keys);
  const imported = importJWK(keys.keys[0], 'EdDSA');
  return {
    ours: (given) => verifyPermit(given, payment),
    bySet: (given) => jwtVerify(given, set, options),
    byKey: async (given) => jwtVerify(given, await imported, options),
  };
}

async function assertAnswers() {
  const plain = await verify(intentOf());
  if ('permit' in plain || plain.verdict !== 'ALLOW') throw new Error('Another verdict without a permit.');
  const { agent_id } = await atTheTill.ours(token);
  for (const check of [atTheTill.bySet, atTheTill.byKey]) {
    if ((await check(token)).payload.sub !== agent_id) throw new Error('Another agent.');
  }
  const forged = `${token.slice(0, -4)}AAAA`;
  for (const check of Object.values(atTheTill)) {
    if (
      await check(forged).then(
        () => true,
        () => false,
      )
    )
      throw new Error('A forged permit was accepted.');
  }
}

async function measureVerdicts() {
  const keyed = (intent) => service.verify(intent, { idempotencyKey: crypto.randomUUID() });
  const many = (more) => () => Array.from({ length: CALLS }, () => intentOf(more));
  const contestants = [
    { ...promising('subtle.sign, Ed25519', () => subtle.sign('Ed25519', key, bytes)), inputs: many() },
    { ...promising('verify without a permit', verify, { settle }), inputs: many() },
    { ...promising('verify with a permit', verify, { settle }), inputs: many({ permit: { audience } }) },
    { ...promising('the same under a key', keyed, { settle }), inputs: many({ permit: { audience } }) },
  ];
  const report = (round, of) => progress(`verdicts: round ${round} of ${of}`);
  return measure(contestants, { rounds, batch: BATCH, report });
}

async function measureChecks() {
  const inputs = () => Array.from({ length: CALLS }, () => token);
  const contestants = [
    promising('jose, createLocalJWKSet', atTheTill.bySet),
    promising('jose, an imported key', atTheTill.byKey),
    promising('verifyPermit', atTheTill.ours),
  ];
  const report = (round, of) => progress(`resource: round ${round} of ${of}`);
  return measure(contestants, { inputs, rounds, batch: BATCH, report });
}
