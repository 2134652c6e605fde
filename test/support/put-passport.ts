import { expect } from 'vitest';
import type { StoredRecord } from '../../src/ports/index.ts';
import type { StorageAdapter } from '../../src/ports/storage.ts';
import type { OwnedPassport } from '../../src/testing/arbitraries.ts';

/** Stores the passport as the service would have it, whatever was stored for its agent before. */
export async function putPassport(storage: StorageAdapter, passport: OwnedPassport): Promise<void> {
  const { agent_id, monetary_limit_per_txn, ...rest } = passport;
  const before = await storage.get('passports', agent_id);
  const record = {
    ...rest,
    id: agent_id,
    monetary_limit_per_txn: `${monetary_limit_per_txn}`,
  } as unknown as StoredRecord;
  const result = await storage.write([
    before === undefined
      ? { op: 'insert', collection: 'passports', record }
      : { op: 'replace', collection: 'passports', record, version: before.version },
  ]);
  expect(result.written).toBe(true);
}
