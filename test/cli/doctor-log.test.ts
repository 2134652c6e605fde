/** What the doctor says of logs: nothing where they are off. */
import { expect, test } from 'vitest';
import { probeLog } from '../../adapters/cli/doctor/finding.ts';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import type { StoredRecord } from '../../src/ports/index.ts';
import { fixtures, insert } from '../../src/testing/storage-contract/fixtures.ts';

const AT = '2026-11-20T12:00:00.000Z';
const EVENT: StoredRecord = {
  ...{ id: 'e', account_id: 'acc_a', version: 1, created_at: AT, type: 'key.created', data: {} },
  ...{ expires_at: AT, due_at: AT },
};
const TEXT = JSON.stringify({ at: AT, from: {} });
const ON = insert('shared_texts', fixtures.shared_texts('evidence_log', { text: TEXT }));

test('logs that are off have no finding; a change that waits for five minutes and a short retention have', async () => {
  const storage = memoryStorage();
  expect(await probeLog(storage)).toEqual([]);
  await storage.write([ON]);
  const now = Date.parse(AT);
  const checks = async (at: number) =>
    (await probeLog(storage, at)).map(({ check, status }) => `${check} ${status}`);
  const others = ['log durability warn', 'retention warn'];
  expect(await checks(now)).toEqual(['log ok', ...others]);
  await storage.write([{ op: 'insert', collection: 'events', record: EVENT }]);
  expect(await checks(now + 299_000)).toEqual(['log ok', ...others]);
  expect(await checks(now + 300_000)).toEqual(['log warn', ...others]);
});
