// A storage of your own, proved by the suite that ours are proved by. This one wraps another storage and keeps
// a line for each acknowledged write; a new one spells out every method of the port.
import { createIdentityService } from 'agent-identity-service';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { storageContract } from 'agent-identity-service/testing';

/**
 * @param {import('agent-identity-service/storage').StorageAdapter} storage
 * @param {(line: string) => void} note
 * @returns {import('agent-identity-service/storage').StorageAdapter}
 */
function audited(storage, note) {
  return {
    ...storage,
    name: `audited-${storage.name}`,
    async write(changes) {
      const result = await storage.write(changes);
      if (result.written) note(changes.map(({ op }) => op).join(', '));
      return result;
    },
  };
}

const contract = storageContract(async () => audited(memoryStorage(), () => {}));
for (const { run } of contract) await run(); // rejects at the first claim that does not hold
console.log('claims of the contract that hold:', contract.length);

const service = createIdentityService({ storage: audited(memoryStorage(), console.log) });
const { agent_id } = await service.passports.create({
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['payments.create'],
  monetary_actions: ['payments.create'],
  monetary_limit_per_txn: 100,
});
await service.revoke({ agent_id });
