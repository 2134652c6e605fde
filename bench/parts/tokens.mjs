/** Measures access tokens: the CPU time of issuing one, in process and over HTTP, and of verifying one. */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { generateAgentKey } from 'agent-identity-service/proof';
import { createTokenVerifier } from 'agent-identity-service/tokens';
import { createLocalJWKSet, importJWK, jwtVerify, SignJWT } from 'jose';
import { IN_FLIGHT, inFlight } from '../lib/event-loop.mjs';
import { AGENT, ISSUER, openIssuer, RESOURCE, SCOPE, TOKEN_URL } from '../lib/issuer.mjs';
import { finish, progress, readTask } from '../lib/part.mjs';
import { startServer } from '../lib/server-process.mjs';
import { median, range, ratios } from '../lib/stats.mjs';
import { column } from '../lib/table.mjs';
import { target } from '../lib/target.mjs';

const { isQuick } = readTask();
const ROUNDS = isQuick ? 1 : 15;
const CALLS = isQuick ? 20 : 400;
const { subtle } = globalThis.crypto;

const { private_jwk, public_jwk: jwk, kid } = await generateAgentKey();
const [privateKey, publicKey] = await Promise.all([private_jwk, jwk].map((one) => importJWK(one, 'EdDSA')));
const { service, settle } = await openIssuer(jwk);
const child = await startServer('servers/issuer.mjs', [JSON.stringify(jwk)]);
const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });

const bytes = new TextEncoder().encode((await assertion()).split('.', 2).join('.'));
const signature = await subtle.sign('Ed25519', privateKey, bytes);
const once = () => subtle.verify('Ed25519', publicKey, signature, bytes);
const sign = () => subtle.sign('Ed25519', privateKey, bytes);

progress('every answer is looked at');
const token = (await service.tokens.issue(await requestFor(false))).access_token;
const keys = await service.signing.jwks();
const verifyToken = createTokenVerifier({ issuers: [ISSUER], resource: RESOURCE, keys });
const keySet = createLocalJWKSet(keys);
const joseOptions = { issuer: ISSUER, audience: RESOURCE, typ: 'at+jwt', algorithms: ['EdDSA', 'ES256'] };
await assertAnswers();

const names = {
  floor: 'subtle.verify and subtle.sign, Ed25519',
  floorOfBound: 'subtle.verify twice and subtle.sign',
  issue: 'tokens.issue with an assertion',
  http: 'the same over HTTP, the server alone',
  bound: 'tokens.issue with an assertion and DPoP',
  jose: 'jose jwtVerify, createLocalJWKSet',
  ours: 'verifyToken',
};
const turns = {
  floor: async () => cpuOf(blank(), async () => (await once()) && sign()),
  floorOfBound: async () => cpuOf(blank(), async () => (await once()) && (await once()) && sign()),
  issue: async () => cpuOf(await requests(false), (input) => service.tokens.issue(input)),
  http: async () => cpuOfServer(await forms()),
  bound: async () => cpuOf(await requests(true), (input) => service.tokens.issue(input)),
  jose: async () => cpuOf(blank(), () => jwtVerify(token, keySet, joseOptions)),
  ours: async () => cpuOf(blank(), () => verifyToken(bearer())),
};
const found = await measureTurns();
await child.stop();
agent.destroy();
await service.close();

const perRound = (name, of) => ratios(found[name], found[of]);
const ratio = (name, of) => median(perRound(name, of));
const COLUMNS = [
  column('cpu', 'CPU of all threads', 'us'),
  column('spread', 'rounds, low to high', 'us'),
  column('ratio', 'x the first row', 'x'),
];
finish({
  tables: [
    tableOf('An access token by an assertion of the agent', ['floor', 'issue', 'http']),
    tableOf('A token that is bound to a key', ['floorOfBound', 'bound']),
    tableOf('A token at the resource, with the keys in memory', ['jose', 'ours']),
  ],
  targets: [
    target('issue a token / a verification and a signature', ratio('issue', 'floor'), { atMost: 2.5 }),
    target('issue a token over HTTP / a verification and a signature', ratio('http', 'floor'), { atMost: 4 }),
    target('issue a bound token / two verifications and a signature', ratio('bound', 'floorOfBound'), {
      atMost: 2.5,
    }),
    target('verifyToken / jwtVerify', ratio('ours', 'jose'), { atMost: 1.2 }),
  ],
});

function tableOf(title, keys) {
  const rows = keys.map((key) => ({
    name: names[key],
    ...{ cpu: median(found[key]), spread: range(found[key]), ratio: ratio(key, keys[0]) },
  }));
  return { title, note: `Memory storage, EdDSA, ${IN_FLIGHT} in flight.`, columns: COLUMNS, rows };
}

/** Measures all contestants in turn, and discards the first round. Returns the microseconds of each round. */
async function measureTurns() {
  const found = Object.fromEntries(Object.keys(turns).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    progress(`tokens: round ${round} of ${ROUNDS}`);
    for (const [name, turn] of Object.entries(turns)) {
      const us = await turn();
      if (round > 0) found[name].push(us);
    }
  }
  return found;
}

/** Returns the CPU microseconds of this process per input. */
async function cpuOf(inputs, answer) {
  globalThis.gc?.();
  const before = process.cpuUsage();
  await inFlight(inputs, answer);
  await settle();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / inputs.length;
}

/** Returns the CPU microseconds of the server process per request. */
async function cpuOfServer(bodies) {
  const before = await child.usage();
  await inFlight(bodies, post);
  const { cpuUs, requests } = await child.usage();
  return (cpuUs - before.cpuUs) / (requests - before.requests);
}

function post(body) {
  const options = { port: child.port, agent, method: 'POST', path: `/api/issuers/example.com/token` };
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const asked = request({ ...options, headers }, (answer) => {
      answer.resume();
      answer.on('end', () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`The issuer answers ${answer.statusCode}.`)),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

/** Returns as many inputs as a round has, for answers that need none. */
function blank() {
  return Array.from({ length: CALLS }, () => undefined);
}

function bearer() {
  return new Request(RESOURCE, { headers: { authorization: `Bearer ${token}` } });
}

/** Returns the requests of a round, each with its own assertion; with `isBound`, each with a DPoP proof. */
function requests(isBound) {
  return Promise.all(blank().map(() => requestFor(isBound)));
}

async function forms() {
  const made = await Promise.all(blank().map(parametersFor));
  return made.map((parameters) => Buffer.from(`${new URLSearchParams(parameters)}`));
}

async function requestFor(isBound) {
  const parameters = await parametersFor();
  return { domain: 'example.com', parameters, ...(isBound && { dpop: await dpopProof() }) };
}

async function parametersFor() {
  return {
    ...{ grant_type: 'client_credentials', resource: RESOURCE, scope: SCOPE },
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await assertion(),
  };
}

function assertion() {
  const iat = Math.floor(Date.now() / 1e3);
  const claims = { iss: AGENT, sub: AGENT, aud: ISSUER, iat, exp: iat + 120, jti: randomUUID() };
  return new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT' }).sign(privateKey);
}

function dpopProof() {
  const claims = { htm: 'POST', htu: TOKEN_URL, iat: Math.floor(Date.now() / 1e3), jti: randomUUID() };
  return new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ: 'dpop+jwt', jwk }).sign(privateKey);
}

async function assertAnswers() {
  const { payload, protectedHeader } = await jwtVerify(token, keySet, joseOptions);
  if (protectedHeader.alg !== 'EdDSA') throw new Error('The floor signs with another algorithm.');
  const { agent_id, jti } = await verifyToken(bearer());
  if (agent_id !== AGENT || payload.sub !== AGENT || payload.jti !== jti) throw new Error('Another agent.');
  const { cnf } = (await jwtVerify((await service.tokens.issue(await requestFor(true))).access_token, keySet))
    .payload;
  if (cnf?.jkt !== kid) throw new Error('The token is not bound to the key.');
  if (!(await once())) throw new Error('The floor verifies nothing.');
  await post((await forms())[0]);
}
