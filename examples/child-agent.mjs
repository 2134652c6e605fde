// An agent with a child agent, which may do only what both passports allow and spends from both budgets.
import { createIdentityService } from 'agent-identity-service';
import { memoryStorage } from 'agent-identity-service/storage/memory';

const service = createIdentityService({ storage: memoryStorage() });
const terms = {
  domain: 'example.com',
  allowed_actions: ['payments.create', 'quotes.read'],
  monetary_actions: ['payments.create'],
  currency: 'EUR',
};
const shopper = await service.passports.create({
  ...terms,
  agent_name: 'shopper',
  monetary_limit_per_txn: 80,
  budgets: [{ window: 'day', limit: 100 }],
});
// Its own limit is wider than that of the shopper, which has no effect: the lower one applies.
const child = await service.passports.create({
  ...terms,
  agent_name: 'shopper-child',
  parent_agent_id: shopper.agent_id,
  monetary_limit_per_txn: 5_000,
});

await ask(child, 60);
await ask(child, 90);
await ask(shopper, 60);
// A stop of the shopper also stops its child agent.
await service.suspend({ agent_id: shopper.agent_id });
await ask(child, 5);
await service.close();

async function ask({ agent_id, agent_name }, amount) {
  const intent = { agent_id, action: 'payments.create', parameters: { amount, currency: 'EUR' } };
  const { verdict, reasons } = await service.verify(intent);
  console.log(agent_name, amount, verdict, ...reasons.map(({ code, reason }) => reason ?? code));
}
