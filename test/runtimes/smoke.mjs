/**
 * The whole core on whatever runs this: a passport, ALLOW and DENY with the reason, an API key, a session. Prints
 * one line of JSON. With a path as its argument the records live in that SQLite file instead of in memory.
 */
import { createIdentityService } from 'agent-identity-service';
import { fetchHandler } from 'agent-identity-service/http';
import { identity } from 'agent-identity-service/identity';
import { people } from 'agent-identity-service/people';
import { generateAgentKey, signIntent } from 'agent-identity-service/proof';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { checklist, runtimeName } from './checklist.mjs';

const AUDIENCE = 'https://id.example.com/api';
const CREDENTIALS = { email: 'ada@example.com', password: 'Ein-Gutes-Kennwort-7' };
const { passed, check } = checklist();
const [, , file] = globalThis.process?.argv ?? [];
const service = createIdentityService({
  storage: file === undefined ? memoryStorage() : await sqlite(file),
  session: { secret: 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!' },
  capabilities: [people(), identity({ publicUrl: AUDIENCE })],
});
const handle = fetchHandler(service);
await service.accounts.create(CREDENTIALS);

const wrong = await call('POST', '/auth/login', {}, { ...CREDENTIALS, password: 'Ein-Falsches-Kennwort' });
check('a wrong password is refused', wrong.status === 401 && wrong.body.code === 'invalid_credentials');
const login = await call('POST', '/auth/login', {}, CREDENTIALS);
check('the right password opens a session', login.status === 200 && login.body.token_type === 'bearer');
const session = { authorization: `Bearer ${login.body.access_token}` };

const issued = await call('POST', '/passports', session, {
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['payments.create'],
  monetary_limit_per_txn: '100.10',
  currency: 'EUR',
});
const { agent_id } = issued.body;
check('a passport is issued', issued.status === 201 && agent_id === 'did:web:example.com:agents:shopper');

const made = await call('POST', '/keys', session, { name: 'smoke' });
check('an API key is made', made.status === 201 && made.body.key.startsWith('ais_live_'));
const { key } = made.body;

const allowed = await verify('100.10');
check('at the limit: ALLOW', allowed.verdict === 'ALLOW' && allowed.reasons.length === 0);
const denied = await verify(100.11);
const [reason = {}] = denied.reasons;
check('above it: DENY', denied.verdict === 'DENY' && denied.reasons.length === 1);
check(
  'with the reason',
  reason.code === 'amount_over_limit' && reason.limit === '100.1' && reason.actual === '100.11',
);

const actor = await service.authenticateSession(login.body.access_token);
const intent = { agent_id, action: 'payments.create', parameters: { amount: 25, currency: 'EUR' } };
check('verifyAs with the key: ALLOW', (await service.verifyAs(key, intent)).verdict === 'ALLOW');
const altered = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
for (const other of [altered, `ais_live_${'0'.repeat(49)}`, '']) {
  const refusal = await service.verifyAs(other, intent).catch((error) => error);
  check('verifyAs with another key is refused', refusal.code === 'unauthenticated');
}
const inProcess = await service.verify({ agent_id, action: 'orders.delete' });
check('another action in process: DENY', inProcess.reasons[0]?.code === 'action_not_allowed');

for (const alg of ['EdDSA', 'ES256']) {
  const { private_jwk, public_jwk, kid } = await generateAgentKey(alg);
  await service.passports.update(agent_id, { public_keys: [public_jwk], proof: 'intent' }, actor);
  const meant = { ...intent, target: 'did:web:shop.example' };
  const proof = await signIntent(meant, { key: private_jwk, agent_id, audience: AUDIENCE });
  const proved = await service.verify({ ...meant, proof });
  check(`${alg}: a signed intent: ALLOW`, proved.verdict === 'ALLOW' && proved.proof_kid === kid);
  const [used = {}] = (await service.verify({ ...meant, proof })).reasons;
  check(`${alg}: the same proof again: DENY`, used.code === 'proof_replayed');
  const other = await service.verify({ ...meant, action: 'payments.refund', proof });
  check(`${alg}: another intent: DENY`, other.reasons.at(-1)?.problem === 'intent');
}
await service.passports.update(agent_id, { proof: null }, actor);

const inexact = `{"agent_id":"${agent_id}","action":"payments.create","parameters":{"amount":100.000000000000001}}`;
const refused = await call('POST', '/verify', { 'x-api-key': key }, inexact);
check('a number that no double holds is refused', refused.body.code === 'invalid_json');

await call('POST', '/revoke', { 'x-api-key': key }, { agent_id });
check('a revoked agent: DENY', (await verify(1)).reasons[0]?.code === 'agent_revoked');
await call('POST', '/auth/logout', session);
check('after the logout the token is dead', (await call('GET', '/keys', session)).status === 401);
await service.close();
if (file !== undefined) {
  const again = createIdentityService({ storage: await sqlite(file) });
  const { reasons } = await again.verify(intent);
  check('the file is opened again: still revoked', reasons[0]?.code === 'agent_revoked');
  await again.close();
}
console.log(JSON.stringify({ runtime: runtimeName(), passed }));

async function verify(amount) {
  const asked = { agent_id, action: 'payments.create', parameters: { amount, currency: 'EUR' } };
  return (await call('POST', '/verify', { 'x-api-key': key }, asked)).body;
}

async function call(method, path, headers, body) {
  const response = await handle(
    new Request(`http://localhost/api${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

async function sqlite(path) {
  const { sqliteStorage } = await import('agent-identity-service/storage/sql');
  return sqliteStorage({ file: path });
}
