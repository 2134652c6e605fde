// A payment that a person approves: once, exactly as it was shown, and within ten minutes.
import { createIdentityService } from 'agent-identity-service';
import { memoryStorage } from 'agent-identity-service/storage/memory';

const waiting = [];
const service = createIdentityService({
  storage: memoryStorage(),
  // Here the application writes to the approver: an e-mail, or a chat.
  onApproval: (approval) => waiting.push(approval),
});
const { agent_id } = await service.passports.create({
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['payments.create'],
  monetary_actions: ['payments.create'],
  monetary_limit_per_txn: 1000,
  currency: 'EUR',
  approval: { above: 100, seconds: 600 },
});
const pay = (amount) => ({ agent_id, action: 'payments.create', parameters: { amount, currency: 'EUR' } });
const show = ({ verdict, reasons }) => console.log(verdict, ...reasons.map(({ code }) => code));

show(await service.verify(pay(100)));
const asked = await service.verify(pay(250));
show(asked);

// The agent keeps the id, and asks again once the person has decided.
const approval_id = `${asked.reasons[0]?.['approval_id']}`;
const [{ id, intent }] = waiting;
console.log(id === approval_id, intent.parameters.amount);
await service.approvals.approve(id, { note: 'The price was checked.' });

show(await service.verify({ ...pay(251), approval_id }));
show(await service.verify({ ...pay(250), approval_id }));
show(await service.verify({ ...pay(250), approval_id }));
await service.close();
