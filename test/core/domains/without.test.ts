import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { domains } from '../../../src/domains/index.ts';
import { createIdentityService } from '../../../src/index.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { SECRET } from '../../support/service.ts';

const PASSPORT = { agent_name: 'a', allowed_actions: ['*'], monetary_limit_per_txn: 0 };
const session = { secret: SECRET };

function open(storage: StorageAdapter) {
  const service = createIdentityService({ storage, session, storageDeadlineMs: PATIENT_MS });
  onTestFinished(() => service.close());
  return service;
}

async function accountOf({ accounts }: ReturnType<typeof open>, email: string): Promise<string> {
  return (await accounts.create({ email, password: 'a-long-password-of-one' })).id;
}

test('a service without domains still gives each domain to one account', async () => {
  const service = open(memoryStorage());
  expect(Object.keys(service)).not.toContain('domains');
  const [one, two] = [await accountOf(service, 'a@x.example'), await accountOf(service, 'b@x.example')];
  await service.passports.create({ domain: 'shop.example', ...PASSPORT }, { account_id: one });
  const stolen = service.passports.create(
    { domain: 'shop.example', ...PASSPORT, agent_name: 'b' },
    { account_id: two },
  );
  await expect(stolen).rejects.toMatchObject({ code: 'domain_claimed' });
});

test('a service without domains refuses to issue for a domain whose proof has lapsed', async () => {
  const storage = memoryStorage();
  const service = open(storage);
  const account_id = await accountOf(service, 'a@x.example');
  await service.passports.create({ domain: 'shop.example', ...PASSPORT }, { account_id });
  const record = await storage.get('domains', 'shop.example');
  const lapsed = { ...record, version: 2, status: 'lapsed' as const };
  await storage.write([{ op: 'replace', collection: 'domains', record: lapsed, version: 1 } as never]);
  const next = service.passports.create(
    { domain: 'shop.example', ...PASSPORT, agent_name: 'b' },
    { account_id },
  );
  await expect(next).rejects.toMatchObject({ code: 'domain_unproven' });
});

test('a prover without domains that checks proofs again is refused', () => {
  const domainProver = { dns: async () => [], https: async () => '' } as never;
  const options = { storage: memoryStorage(), domainProver };
  const bare = () => createIdentityService({ ...options, storageDeadlineMs: PATIENT_MS });
  expect(bare).toThrow(/list it in options.capabilities/);
  const service = createIdentityService({
    ...options,
    storageDeadlineMs: PATIENT_MS,
    capabilities: [domains()],
  });
  onTestFinished(() => service.close());
});
