/** One server for the load, in its own process: node bench/servers/serve.mjs <kind> [folder of the peers] */
import { createServer } from 'node:http';
import { createExpressServer, identityRouter } from 'agent-identity-service/express';
import { nodeListener } from 'agent-identity-service/http';
import express from 'express';
import { handListener, REST, sendVerdict } from '../lib/by-hand.mjs';
import { serve } from '../lib/server-process.mjs';
import { openService } from '../lib/service.mjs';
import { httpWork } from '../lib/work.mjs';

const KINDS = {
  bare: () => ({ server: createServer(answering(sendConstant)) }),
  shaped: () => ({ server: createServer(answering(sendShaped)) }),
  listener,
  'by-hand': () => {
    const { listener: answer, key } = handListener(httpWork().passports);
    return { server: createServer(answer), key };
  },
  'express-shaped': expressShaped,
  express: async () => {
    const { app, key } = await mounted();
    return { server: createServer(app), key };
  },
  'express-server': async () => {
    const { app, key } = await mounted();
    return { server: createExpressServer(app), key };
  },
  'better-auth': betterAuth,
};

/** The number of responses with all headers. */
let served = 100_000;
const CONSTANT = JSON.stringify(recordOf({ agent_id: 'did:web:a00.example.com:agents:buyer' }));

const { server, key = 'ais_live_none' } = await KINDS[process.argv[2]]();
await serve(server, key);

async function listener() {
  const { service, key } = await openService(httpWork().passports);
  return { server: createServer(nodeListener(service)), key };
}

/** Serves an Express route that reads the body itself and answers with the headers and body of the API. */
function expressShaped() {
  const app = express();
  app.post('/api/verify', answering(sendShaped));
  return { server: createServer(app) };
}

async function mounted() {
  const { service, key } = await openService(httpWork().passports);
  return { app: express().use('/api', identityRouter(service)), key };
}

/** Serves better-auth on Express, mounted as its guide says. */
async function betterAuth() {
  const { openBetterAuth } = await import('../peers/better-auth.mjs');
  const { ask, key } = await openBetterAuth(process.argv[3]);
  const app = express();
  app.use(express.json());
  app.post('/api/verify', async (request, response) => {
    const { verdict } = await ask(request.get('x-api-key'));
    response.json({ verdict, agent_id: request.body.agent_id });
  });
  return { server: createServer(app), key };
}

/** Returns a listener that reads the body, parses the JSON and answers with `send`. */
function answering(send) {
  return (request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => send(JSON.parse(Buffer.concat(chunks).toString()), response));
  };
}

/** Sends a constant answer as long as a verdict, which is the minimum work. */
function sendConstant({ agent_id }, response) {
  if (typeof agent_id !== 'string') throw new Error('That is no intent.');
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': CONSTANT.length });
  response.end(CONSTANT);
}

/** Sends a record of the intent with the headers of the API, without looking at a passport. */
function sendShaped(intent, response) {
  served += 1;
  const text = JSON.stringify(recordOf(intent));
  sendVerdict(response, text, {
    request_id: `req_00000000000000${served}`,
    left: 1e9 - served,
    seconds: 30,
  });
}

function recordOf({ agent_id, action = 'payments.create', parameters: { amount } = {} }) {
  const isOver = amount > 500;
  const over = { code: 'amount_over_limit', message: 'The amount is over the limit.', limit: '500' };
  return {
    verdict: isOver ? 'DENY' : 'ALLOW',
    reasons: isOver ? [{ ...over, actual: `${amount}` }] : [],
    decision_id: `dec_000000000000000000000${served}`,
    agent_id,
    action,
    target: null,
    amount: amount ?? null,
    currency: null,
    ...REST,
    evaluated_at: '2026-11-20T12:00:00.000Z',
  };
}
