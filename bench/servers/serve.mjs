/** One server for the load, in a process of its own: node bench/servers/serve.mjs <kind> */
import { createServer } from 'node:http';
import { createExpressServer, identityRouter } from 'agent-identity-service/express';
import { nodeListener } from 'agent-identity-service/http';
import express from 'express';
import { httpWork } from '../lib/http-work.mjs';
import { serve } from '../lib/serve.mjs';
import { openService } from '../lib/service.mjs';

const KINDS = {
  bare,
  listener,
  'express-raw': expressRaw,
  'express-raw-server': expressRawServer,
  express: expressMount,
  'express-server': expressServer,
};

const { server, key = 'ais_live_none' } = await KINDS[process.argv[2]]();
await serve(server, key);

/** The least that can be done: the body parsed, one answer for all, as long as a verdict. */
async function bare() {
  const listen = (request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => constant(chunks, response));
  };
  return { server: createServer(listen) };
}

async function listener() {
  const { service, key } = await openService(httpWork().passports);
  return { server: createServer(nodeListener(service)), key };
}

async function expressRaw() {
  return { server: createServer(rawApp()) };
}

async function expressRawServer() {
  return { server: createExpressServer(rawApp()) };
}

/** A bare Express route that reads the body itself and answers the same constant. */
function rawApp() {
  const app = express();
  app.post('/api/verify', (request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => constant(chunks, response));
  });
  return app;
}

async function expressMount() {
  const { app, key } = await mounted();
  return { server: createServer(app), key };
}

async function expressServer() {
  const { app, key } = await mounted();
  return { server: createExpressServer(app), key };
}

async function mounted() {
  const { service, key } = await openService(httpWork().passports);
  return { app: express().use('/api', identityRouter(service)), key };
}

function constant(chunks, response) {
  const { agent_id } = JSON.parse(Buffer.concat(chunks).toString());
  if (typeof agent_id !== 'string') throw new Error('That is no intent.');
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': CONSTANT.length });
  response.end(CONSTANT);
}

const CONSTANT = JSON.stringify({
  verdict: 'ALLOW',
  reasons: [],
  decision_id: 'dec_00000000000000000000000000',
  agent_id: 'did:web:a00.example.com:agents:buyer',
  action: 'payments.create',
  evaluated_at: '2026-11-20T12:00:00.000Z',
});
