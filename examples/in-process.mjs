// Issue a passport and ask for verdicts, all in this process: no HTTP, no account, no API key.
import { createIdentityService } from 'agent-identity-service';
import { memoryStorage } from 'agent-identity-service/storage/memory';

const service = createIdentityService({ storage: memoryStorage() });

const { agent_id } = await service.passports.create({
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['payments.create', 'orders.*'],
  monetary_actions: ['payments.*'],
  monetary_limit_per_txn: 100,
  currency: 'EUR',
});
console.log(agent_id);

await ask('payments.create', { amount: '19.99', currency: 'EUR' });
await ask('payments.create', { amount: 100.01, currency: 'EUR' });
await ask('payments.refund', { amount: 5, currency: 'USD' });
await ask('orders.list');

await service.revoke({ agent_id, reason: 'The shop has closed.' });
await ask('orders.list');

async function ask(action, parameters = {}) {
  const { verdict, reasons } = await service.verify({ agent_id, action, parameters });
  console.log(action, parameters.amount ?? '-', verdict, reasons.map(({ code }) => code).join(' '));
}
