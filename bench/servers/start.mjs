/** Measures a first verdict in a new process: node bench/servers/start.mjs service|verdict|nothing */
const NOTHING = { suspended_until: null, revoked_at: null };
const [, , kind] = process.argv;
const may = { allowed_actions: ['*'], monetary_limit_per_txn: 0 };
const answer = { service: whole, verdict: pure, nothing: () => undefined }[kind];
const { verdict } = (await answer()) ?? { verdict: 'ALLOW' };
if (verdict !== 'ALLOW') throw new Error(`The first verdict is ${verdict}.`);
// The record waits up to 200 ms to be filed with others, which keeps a process alive: that is no part of the start.
process.exit();

async function whole() {
  const { createIdentityService } = await import('agent-identity-service');
  const { memoryStorage } = await import('agent-identity-service/storage/memory');
  const service = createIdentityService({ storage: memoryStorage() });
  const { agent_id } = await service.passports.create({ domain: 'example.com', agent_name: 'first', ...may });
  return service.verify({ agent_id, action: 'orders.get' });
}

async function pure() {
  const { decide } = await import('agent-identity-service/verdict');
  const agent_id = 'did:web:example.com:agents:first';
  const passport = { agent_id, status: 'active', version: 1, ...may, ...NOTHING };
  return decide({ passport, intent: { agent_id, action: 'orders.get' }, at: '2026-11-20T12:00:00Z' });
}
