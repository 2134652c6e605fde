import { afterEach, expect, test, vi } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import { createIdentityService } from '../../src/index.ts';
import { PATIENT_MS } from '../support/patience.ts';

const PASSPORT = {
  domain: 'example.com',
  agent_name: 'buyer',
  allowed_actions: ['pay'],
  monetary_actions: ['pay'],
  monetary_limit_per_txn: 100,
  currency: 'EUR',
  budgets: [{ window: 'day', limit: 100 }],
} as const;

const STORAGES = {
  memory: async () => memoryStorage(),
  SQLite: () => sqliteStorage({ file: ':memory:' }),
};

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['memory', 'Date'],
  ['memory', 'every timer'],
  ['SQLite', 'Date'],
  ['SQLite', 'every timer'],
] as const)('on %s a service works and closes while a test fakes %s', async (name, fakes) => {
  vi.useFakeTimers(fakes === 'Date' ? { toFake: ['Date'] } : {});
  const service = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage: await STORAGES[name]() });
  const { agent_id } = await service.passports.create(PASSPORT);
  const intent = { agent_id, action: 'pay', parameters: { amount: 5, currency: 'EUR' } };
  expect((await service.verify(intent, { idempotencyKey: 'a' })).verdict).toBe('ALLOW');
  expect((await service.verifications.list()).data).toHaveLength(1);
  await service.close();
});
