// The same verify(intent) against a service elsewhere. Here "elsewhere" is a server in this process.
import { createServer } from 'node:http';
import { createIdentityService } from 'agent-identity-service';
import { createIdentityClient } from 'agent-identity-service/client';
import { nodeListener } from 'agent-identity-service/http';
import { memoryStorage } from 'agent-identity-service/storage/memory';

const service = createIdentityService({ storage: memoryStorage() });
const { agent_id } = await service.passports.create({
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['payments.create'],
  monetary_actions: ['payments.create'],
  monetary_limit_per_txn: 100,
});
const { key } = await service.keys.create({ name: 'remote client' });
const server = createServer(nodeListener(service)).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

const client = createIdentityClient({ baseUrl: `http://127.0.0.1:${port}/api`, apiKey: key });
const intent = { agent_id, action: 'payments.create', parameters: { amount: 25 } };
console.log((await client.verify(intent)).verdict);

await client.revoke({ agent_id, reason: 'Lost control of it.' });
const { verdict, reasons } = await client.verify(intent);
console.log(verdict, reasons[0].code);

server.closeAllConnections();
await new Promise((resolve) => server.close(resolve));
const error = await client.verify(intent).catch((thrown) => thrown);
console.log(error.code); // no answer is an error, never an ALLOW
