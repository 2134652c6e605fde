import { expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import type { JournalEntry } from '../../src/index.ts';
import { entry } from '../../src/testing/storage-contract/journal-fixtures.ts';

const CAP = 100_000;

function entryAt(at: number, account_id: string): JournalEntry {
  const created_at = new Date(Date.UTC(2026, 10, 20) + at).toISOString();
  return entry(`${account_id}.${at}`, { account_id, created_at });
}

test('memory keeps the newest 100,000 verdicts of each account', async () => {
  const storage = memoryStorage();
  const append = (id: string, entries: readonly JournalEntry[]): Promise<void> =>
    storage.append({ id, at: '2026-11-20T12:00:00.000Z', entries, rollups: [] });
  await append('other', [entryAt(0, 'acc_b')]);
  await append(
    'all',
    Array.from({ length: CAP + 3 }, (_, at) => entryAt(at, 'acc_a')),
  );
  const oldest = entryAt(4, 'acc_a');
  const found = await storage.read({ account_id: 'acc_a', limit: 10, to: oldest.created_at });
  expect(found.map(({ id }) => id)).toEqual(['acc_a.3']);
  expect(await storage.wholeSince?.('acc_a')).toBe(entryAt(3, 'acc_a').created_at);
  await append('more', [entryAt(CAP + 3, 'acc_a'), entryAt(0, 'acc_a')]);
  expect(await storage.read({ account_id: 'acc_a', limit: 10, to: oldest.created_at })).toEqual([]);
  expect(await storage.read({ account_id: 'acc_a', limit: 1 })).toEqual([entryAt(CAP + 3, 'acc_a')]);
  expect(await storage.read({ account_id: 'acc_b', limit: 1 })).toEqual([entryAt(0, 'acc_b')]);
  expect(await storage.wholeSince?.('acc_a')).toBe(oldest.created_at);
  expect(await storage.wholeSince?.('acc_b')).toBeUndefined();
});
