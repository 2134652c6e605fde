// An agent with a budget for a day: it holds whatever it asks, and a retry does not pay twice.
import { createIdentityService } from 'agent-identity-service';
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
const intent = (amount) => ({ agent_id, action: 'payments.create', parameters: { amount, currency: 'EUR' } });

// The answer to the first try is lost; the same key gives the same answer, and the 60 EUR are spent once.
const order = { idempotencyKey: 'order-17' };
const first = await service.verify(intent(60), order);
const again = await service.verify(intent(60), order);
console.log(first.verdict, again.decision_id === first.decision_id, left(again));

// Each of these is below the limit per transaction, together they are above the budget.
for (const amount of [30, 30]) {
  const { verdict, reasons } = await service.verify(intent(amount));
  console.log(amount, verdict, ...reasons.map(({ code, remaining }) => `${code}: ${remaining} left`));
}

// What is not certain yet is held, then paid in part: the rest goes back.
const held = await service.verify({ ...intent(10), hold_seconds: 600 });
await service.spends.commit(held.decision_id, { amount: '7.50' });
const { data } = await service.passports.budgets(agent_id);
console.log('spent', data[0].spent, 'left', data[0].remaining);
await service.close();

function left({ budgets }) {
  return `${budgets[0].remaining} left`;
}
