/**
 * A node like `agent-identity serve` whose storage never tells it of a change, as if every message were lost, and
 * which does not know that: `node deaf-node.mjs --consistency default --port 0`.
 */
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { openStorage } from './engines.mjs';
import { ACCOUNT } from './node-process.mjs';

const { createIdentityService } = await import('../../dist/index.js');
const { everyCapability } = await import('../../dist/capabilities.js');
const { nodeListener } = await import('../../dist/http.js');

const { values } = parseArgs({ options: { consistency: { type: 'string' }, port: { type: 'string' } } });
const { AGENT_IDENTITY_STORAGE, AGENT_IDENTITY_SECRET: secret } = process.env;

const storage = await openStorage(AGENT_IDENTITY_STORAGE);
const service = createIdentityService({
  storage: { ...storage, subscribe: () => () => {} },
  session: { secret },
  capabilities: everyCapability(),
  rateLimits: 'off',
  defaultPlan: 'enterprise',
  consistency: values.consistency,
  log: ({ level, event, message }) => console.error(JSON.stringify({ level, event, message })),
});
const { data } = await service.accounts.list();
if (data.length === 0) {
  await service.accounts.create(ACCOUNT).catch((error) => {
    // Another node was faster.
    if (error.code !== 'already_exists') throw error;
  });
}
const server = createServer(nodeListener(service));
server.listen(Number(values.port), '127.0.0.1', () => {
  console.log(`  Page       http://localhost:${server.address().port}/`);
});
process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await service.close();
  process.exit(0);
});
