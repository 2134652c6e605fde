// Stops a running agent when its passport is revoked or suspended; the service is in this process.
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createIdentityService } from 'agent-identity-service';
import { createIdentityClient } from 'agent-identity-service/client';
import { events } from 'agent-identity-service/events';
import { nodeListener } from 'agent-identity-service/http';
import { memoryStorage } from 'agent-identity-service/storage/memory';

const service = createIdentityService({ storage: memoryStorage(), capabilities: [events()] });
const agent = { domain: 'example.com', agent_name: 'shopper' };
const { agent_id } = await service.passports.create({
  ...agent,
  allowed_actions: ['*'],
  monetary_limit_per_txn: 0,
});
const { key } = await service.keys.create({ name: 'host of the agent', scopes: ['verify', 'events'] });
const server = createServer(nodeListener(service)).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
const client = createIdentityClient({ baseUrl: `http://127.0.0.1:${port}/api`, apiKey: key });
const running = new AbortController();
const watching = (async () => {
  for await (const event of client.events({ types: ['passport.revoked', 'passport.suspended'], agent_id })) {
    running.abort(new Error(event.type));
    return;
  }
})();

async function work() {
  for (let step = 1; ; step += 1) {
    console.log('step', step); // each step asks verify as well: a stream can be late, a verdict is not
    await pause(1_000, undefined, { signal: running.signal });
  }
}
setTimeout(() => service.revoke({ agent_id, reason: 'Lost control of it.' }), 2_300);
await work().catch(() => console.log('stopped by', running.signal.reason.message));
await watching;
await service.close();
server.close();
