// A rule of the application: it can only add an objection, never take one away.
import { createIdentityService, defaultRules } from 'agent-identity-service';
import { memoryStorage } from 'agent-identity-service/storage/memory';

/** @type {import('agent-identity-service').Rule} */
function outsideHours({ at, action }) {
  const hour = new Date(at).getUTCHours();
  if (!action.startsWith('payments.') || (hour >= 8 && hour < 18)) return undefined;
  return { code: 'outside_hours', message: 'Payments are made from 8 to 18 UTC.', hour };
}

const clock = { time: '2026-11-20T12:00:00Z', now: () => Date.parse(clock.time) };
const service = createIdentityService({
  storage: memoryStorage(),
  rules: [...defaultRules, outsideHours],
  clock, // only so that this example says the same at any hour
});
const { agent_id } = await service.passports.create({
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['payments.create'],
  monetary_actions: ['payments.create'],
  monetary_limit_per_txn: 100,
});

for (const time of ['2026-11-20T12:00:00Z', '2026-11-20T23:00:00Z']) {
  clock.time = time;
  const intent = { agent_id, action: 'payments.create', parameters: { amount: 25 } };
  const { verdict, reasons } = await service.verify(intent);
  console.log(time, verdict, reasons);
}
