// A process decides with a URL and a key alone. Another one revokes the agent: the last ALLOW is less than a second later.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createIdentityService } from 'agent-identity-service';
import { nodeListener } from 'agent-identity-service/http';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { createLocalVerifier } from 'agent-identity-service/verifier';
import { verifiers } from 'agent-identity-service/verifiers';

await (process.send === undefined ? verifyHere() : serve());

async function verifyHere() {
  const other = fork(fileURLToPath(import.meta.url));
  const [{ port, apiKey, agent_id }] = await once(other, 'message');
  const verifier = createLocalVerifier({ baseUrl: `http://127.0.0.1:${port}/api`, apiKey });
  const ask = () => verifier.verify({ agent_id, action: 'orders.read' });
  console.log((await ask()).verdict);
  other.send('revoke');
  await once(other, 'message');
  const revokedAt = Date.now();
  let [record, allowedAt] = [await ask(), 0];
  for (; record.verdict === 'ALLOW'; record = await ask()) allowedAt = Date.parse(record.evaluated_at);
  console.log(record.verdict, record.reasons[0].code, allowedAt - revokedAt < 1_000);
  await verifier.close();
  other.kill();
}

async function serve() {
  const service = createIdentityService({ storage: memoryStorage(), capabilities: [verifiers()] });
  const may = { allowed_actions: ['orders.*'], monetary_limit_per_txn: 0 };
  const { agent_id } = await service.passports.create({ domain: 'example.com', agent_name: 'a', ...may });
  const { key: apiKey } = await service.keys.create({ name: 'verifier', scopes: ['verify', 'decide'] });
  const server = createServer(nodeListener(service)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.send?.({ port, apiKey, agent_id });
  process.once('message', async () => process.send?.(await service.revoke({ agent_id })));
}
