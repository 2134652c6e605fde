// Verdicts as OpenTelemetry metrics. Only its API is needed: until an SDK is registered it does nothing.
import { createNoopMeter, metrics } from '@opentelemetry/api';
import { createIdentityService } from 'agent-identity-service';
import { memoryStorage } from 'agent-identity-service/storage/memory';

async function ask() {
  const meter = metrics.getMeter('agent-identity-service');
  const verdicts = meter.createCounter('agent_identity.verdicts');
  const duration = meter.createHistogram('agent_identity.verdict.duration', { unit: 's' });
  const errors = meter.createCounter('agent_identity.errors');
  const service = createIdentityService({
    storage: memoryStorage(),
    onVerdict({ verdict, environment }, { latencyUs }) {
      verdicts.add(1, { verdict, environment }); // of few values: never an agent_id
      duration.record(latencyUs / 1_000_000, { verdict });
    },
    onError: () => errors.add(1),
  });
  const may = { allowed_actions: ['orders.*'], monetary_limit_per_txn: 0 };
  const { agent_id } = await service.passports.create({
    domain: 'example.com',
    agent_name: 'shopper',
    ...may,
  });
  for (const action of ['orders.list', 'payments.create']) await service.verify({ agent_id, action });
  await service.close();
}

await ask();
console.log('without an SDK nothing is counted');

// In place of the MeterProvider of an SDK: one that prints.
const print = (name) => (value, attributes) => console.log(name, value > 0, attributes);
const meter = Object.assign(createNoopMeter(), {
  createCounter: (name) => ({ add: print(name) }),
  createHistogram: (name) => ({ record: print(name) }),
});
metrics.setGlobalMeterProvider({ getMeter: () => meter });
await ask();
