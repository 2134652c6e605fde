// An Express application that serves the API below /api and asks for a verdict before its own work.
import { createIdentityService } from 'agent-identity-service';
import { identityRouter } from 'agent-identity-service/express';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import express from 'express';

const service = createIdentityService({ storage: memoryStorage() });
const { agent_id } = await service.passports.create({
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['payments.create'],
  monetary_actions: ['payments.create'],
  monetary_limit_per_txn: 100,
});
const { key } = await service.keys.create({ name: 'the shop' });

const app = express();
app.use('/api', identityRouter(service)); // before express.json(): it reads the body itself
app.use(express.json());
app.post('/pay', async (request, response) => {
  const { agent, amount } = request.body;
  const intent = { agent_id: agent, action: 'payments.create', parameters: { amount } };
  const { verdict, reasons } = await service.verify(intent);
  response.status(verdict === 'ALLOW' ? 200 : 403).json({ verdict, reasons });
});

const server = app.listen(0, '127.0.0.1', async () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const intent = { agent_id, action: 'payments.create', parameters: { amount: 25 } };
  console.log('asked', (await post('/api/verify', intent)).verdict);
  console.log('paid 25', (await post('/pay', { agent: agent_id, amount: 25 })).verdict);
  console.log('paid 250', (await post('/pay', { agent: agent_id, amount: 250 })).verdict);
  server.close().closeAllConnections();

  async function post(path, body) {
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`http://127.0.0.1:${port}${path}`, init)).json();
  }
});
