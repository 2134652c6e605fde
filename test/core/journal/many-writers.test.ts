/** Each start of a process leaves a writer: a merge reads the writers with something to merge, and no others. */
import { expect, test } from 'vitest';
import type { JournalWriter, StorageAdapter } from '../../../src/ports/index.ts';
import { openLocalService } from '../../support/service.ts';
import { stores } from '../../support/stores.ts';

/** Writers that are gone, and have nothing to merge. */
const GONE = 300;
const AT = '2026-11-20T11:00:00.000Z';

async function openCounted(openStore: () => Promise<StorageAdapter>) {
  const inner = await openStore();
  const { journal } = inner;
  let rows = 0;
  const counted = async (found: Promise<readonly JournalWriter[]>) => {
    const writers = await found;
    rows += writers.length;
    return writers;
  };
  for (let number = 0; number < GONE; number += 1) {
    const writer = `gone${number}`.padEnd(18, '0');
    await journal.open(writer, AT);
    if (number % 2 === 1) continue;
    await journal.file({ writer, seq: 1, at: AT, blocks: [] });
    await journal.merge({ writer, from: 0, to: 1, at: AT, rollups: [] });
  }
  const storage: StorageAdapter = {
    ...inner,
    journal: {
      ...journal,
      writers: () => counted(journal.writers()),
      unmerged: (query) => counted(journal.unmerged(query)),
    },
  };
  return { ...openLocalService({ storage }), inner, rowsRead: () => rows };
}

test.each(stores)('of 300 writers that are gone a merge over %s reads none', async (_, openStore) => {
  const { service, timers, inner, rowsRead } = await openCounted(openStore);
  const { agent_id } = await service.passports.create({
    ...{ domain: 'shop.example', agent_name: 'buyer', allowed_actions: ['orders.*'] },
    monetary_limit_per_txn: 0,
  });
  await service.verify({ agent_id, action: 'orders.list' });
  await service.verifications.list();
  expect(await inner.journal.unmerged({ limit: 10 })).toHaveLength(1);
  await expect
    .poll(async () => {
      await timers.pass(5_000);
      return (await inner.journal.unmerged({ limit: 10 })).length;
    })
    .toBe(0);
  await timers.pass(61_000);
  expect(rowsRead()).toBe(1);
});
