/** From a bare server to the listener, one step after another: node bench/servers/steps.mjs <step> */
import { createServer } from 'node:http';
import { nodeListener, readJson } from 'agent-identity-service/http';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { httpWork } from '../lib/http-work.mjs';
import { serve } from '../lib/serve.mjs';
import { openService, withoutFiling } from '../lib/service.mjs';

/** How many were answered with all headers. */
let served = 100_000;
const OVER = { code: 'amount_over_limit', message: 'The amount is over the limit.', limit: '500' };
const intent = { agent_id: 'did:web:a00.example.com:agents:buyer', action: 'payments.create' };
const [ALLOWED, DENIED] = [19.99, 999.5].map((amount) =>
  JSON.stringify(recordOf({ ...intent, parameters: { amount } })),
);

const STEPS = {
  bare: () => answering((bytes) => sendPlain(looseVerdict(bytes))),
  strict: () => answering((bytes) => sendPlain(strictVerdict(bytes))),
  headers: () => answering((bytes) => sendWhole(strictVerdict(bytes))),
  stringify: () => answering((bytes) => sendWhole(JSON.stringify(recordOf(readJson(bytes))))),
  unkept: () => verifying({ storage: withoutFiling(memoryStorage()) }),
  verify: () => verifying({}),
  'verify-as': verifyingAs,
  listener,
};

const { listen, key = 'ais_live_none' } = await STEPS[process.argv[2]]();
await serve(createServer(listen), key);

/** A listener that reads the body and sends what `answer` makes of it. */
function answering(answer) {
  const listen = (request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => answer(Buffer.concat(chunks), request)(response));
  };
  return { listen };
}

async function verifying(options) {
  const { service, key } = await openService(httpWork().passports, options);
  const caller = await service.authenticateKey(key);
  return { key, ...promising((bytes) => service.verify(readJson(bytes), caller)) };
}

async function verifyingAs() {
  const { service, key } = await openService(httpWork().passports);
  const keyOf = ({ rawHeaders }) => rawHeaders[rawHeaders.indexOf('x-api-key') + 1];
  return { key, ...promising((bytes, request) => service.verifyAs(keyOf(request), readJson(bytes))) };
}

function promising(verify) {
  return answering((bytes, request) => (response) => {
    verify(bytes, request).then((record) => sendWhole(JSON.stringify(record))(response));
  });
}

async function listener() {
  const { service, key } = await openService(httpWork().passports);
  return { listen: nodeListener(service), key };
}

function looseVerdict(bytes) {
  return textOf(JSON.parse(bytes.toString()));
}

function strictVerdict(bytes) {
  return textOf(readJson(bytes));
}

/** One of two texts as long as those of the service. */
function textOf({ parameters }) {
  return parameters.amount > 500 ? DENIED : ALLOWED;
}

function sendPlain(text) {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
    response.end(text);
  };
}

/** With the headers that the contract asks for. */
function sendWhole(text) {
  return (response) => {
    served += 1;
    response.writeHead(200, [
      'cache-control',
      'no-store',
      'x-content-type-options',
      'nosniff',
      'x-request-id',
      `req_00000000000000${served}`,
      'ratelimit',
      `"verify";r=${1e9 - served};t=30`,
      'ratelimit-policy',
      '"verify";q=1000000000;w=60',
      'content-type',
      'application/json',
      'content-length',
      `${Buffer.byteLength(text)}`,
    ]);
    response.end(text);
  };
}

/** What the service answers, without a look at anything. */
function recordOf({ agent_id, action, parameters: { amount } }) {
  const isOver = amount > 500;
  return {
    verdict: isOver ? 'DENY' : 'ALLOW',
    reasons: isOver ? [{ ...OVER, actual: `${amount}` }] : [],
    decision_id: `dec_000000000000000000000${served}`,
    agent_id,
    action,
    target: null,
    amount,
    currency: null,
    passport_version: 1,
    environment: 'live',
    key_id: 'key_0000000000000000000000',
    request_id: null,
    dry_run: false,
    evaluated_at: '2026-11-20T12:00:00.000Z',
  };
}
