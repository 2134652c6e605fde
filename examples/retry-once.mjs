// A payment that is tried again because its answer was lost: under one key it is one verdict, spent once and paid once.
import { createIdentityService } from 'agent-identity-service';
import { createToolGuard } from 'agent-identity-service/guard';
import { memoryStorage } from 'agent-identity-service/storage/memory';

const service = createIdentityService({ storage: memoryStorage() });
const { agent_id } = await service.passports.create({
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['payments.create'],
  monetary_actions: ['payments.create'],
  monetary_limit_per_txn: 80,
  currency: 'EUR',
  budgets: [{ window: 'day', limit: 100 }],
});
const pay = { action: 'payments.create', amount: '/euros', currency: 'EUR', hold_seconds: 600 };
// The key is the number of the order, which a restart of the application does not change.
const idempotencyKey = ({ args }) => args.order;
const guard = createToolGuard({ verifier: service, agentId: agent_id, tools: { pay }, idempotencyKey });

// This bank pays an order once, as banks do under an Idempotency-Key; its first answer is lost on the way.
const paid = new Map();
async function bank({ order, euros }) {
  const isFirst = !paid.has(order);
  paid.set(order, euros);
  if (isFirst) throw new Error('The answer of the bank is lost.');
  return `Paid ${euros} EUR for ${order}.`;
}

async function tell(args) {
  console.log(await guard.run({ name: 'pay', args }, bank).catch(({ message }) => message));
  const { data } = await service.passports.budgets(agent_id);
  console.log('  held', data[0].held, 'spent', data[0].spent, 'payments', paid.size);
}
await tell({ order: 'order-17', euros: 60 });
await tell({ order: 'order-17', euros: 60 });
// The key of an order is no way around the budget: another amount is denied.
await tell({ order: 'order-17', euros: 5 });
await service.close();
