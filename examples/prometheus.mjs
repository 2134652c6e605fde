// The counts of a service at /metrics, read as Prometheus reads them. `agent-identity serve --metrics 127.0.0.1:9464`
// serves the same.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createIdentityService } from 'agent-identity-service';
import { createMetrics } from 'agent-identity-service/metrics';
import { memoryStorage } from 'agent-identity-service/storage/memory';

const metrics = createMetrics();
const service = createIdentityService({ storage: memoryStorage(), metrics });

const server = createServer((request, response) => {
  if (request.url !== '/metrics') return response.writeHead(404).end();
  return response.writeHead(200, { 'content-type': metrics.contentType }).end(metrics.text());
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

const { agent_id } = await service.passports.create({
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['orders.*'],
  monetary_limit_per_txn: 0,
});
for (const action of ['orders.list', 'orders.place', 'payments.create']) {
  await service.verify({ agent_id, action });
}

const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
console.log(answer.headers.get('content-type'));
const counted = /^agent_identity_(verdicts|reasons)_total\{.*\} [1-9]\d*$|^agent_identity_storage_up .*$/gm;
for (const [line] of (await answer.text()).matchAll(counted)) console.log(line);

server.close();
await service.close();
