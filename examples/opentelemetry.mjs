// Verdicts as OpenTelemetry metrics and spans. Only its API is needed: until an SDK is registered it does nothing.
import { createNoopMeter, metrics, trace } from '@opentelemetry/api';
import { createIdentityService } from 'agent-identity-service';
import { metered, traced } from 'agent-identity-service/otel';
import { memoryStorage } from 'agent-identity-service/storage/memory';

async function ask() {
  const hooks = metered(metrics.getMeter('agent-identity-service'));
  const service = createIdentityService({ storage: memoryStorage(), ...hooks });
  const verifier = traced(service, trace.getTracer('agent-identity-service'));
  const may = { allowed_actions: ['orders.*'], monetary_limit_per_txn: 0 };
  const { agent_id } = await service.passports.create({
    domain: 'example.com',
    agent_name: 'shopper',
    ...may,
  });
  for (const action of ['orders.list', 'payments.create']) await verifier.verify({ agent_id, action });
  await service.close();
}

await ask();
console.log('without an SDK nothing is counted');

// In place of the MeterProvider of an SDK: one that prints.
const print = (name) => (value, attributes) => console.log(name, value > 0, ...Object.values(attributes));
const meter = Object.assign(createNoopMeter(), {
  createCounter: (name) => ({ add: print(name) }),
  createHistogram: (name) => ({ record: print(name) }),
});
metrics.setGlobalMeterProvider({ getMeter: () => meter });
await ask();
