import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { Intent } from '../../../src/records.ts';
import { eventually } from '../../support/eventually.ts';
import { recordsIn, rollupsIn } from '../../support/journal.ts';
import { HOUR, openLocalService } from '../../support/service.ts';
import { probe } from '../../support/storage-probe.ts';

const intent: Intent = { agent_id: 'did:web:example.com:agents:nobody', action: 'payments.create' };
const DAY = 24 * HOUR;
const EVERY_MS = 15 * 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});

afterEach(() => {
  vi.useRealTimers();
});

test('what is older than the retention is removed by itself, and what is younger stays', async () => {
  const { service, clock, storage, timers } = openLocalService({ retentionDays: 7, clockOk: true });
  /** The mark of a storage without a clock follows in steps of a day. */
  const pass = async (days: number): Promise<void> => {
    for (let day = 0; day < days; day += 1) {
      clock.advance(DAY);
      await storage.time(clock.instant());
    }
  };
  // More than one call of the storage removes.
  const intents = Array.from({ length: 100 }, () => intent);
  for (let batch = 0; batch < 25; batch += 1) await service.verifyBatch({ intents });
  await pass(6);
  const kept = await service.verify(intent);
  await service.verifications.list();
  // What is not counted yet is not removed.
  await eventually(async () => {
    timers.skip(10_000);
    expect(await rollupsIn(storage, 'acc_local', { kinds: ['verdict'] })).toMatchObject([{ count: 2_501 }]);
  });
  await pass(2);
  vi.advanceTimersByTime(EVERY_MS);
  await eventually(async () => {
    const records = await recordsIn(storage, 'acc_local');
    expect(records.map(({ decision_id }) => decision_id)).toEqual([kept.decision_id]);
  });
  const from = clock.instant(-9 * DAY);
  await eventually(async () => {
    const { overview } = await service.analytics({ from, interval: 'day' });
    expect(overview.total_verifications).toBe(1);
  });
});

test('a storage that does not remove them is one line in the log, however often it is tried', async () => {
  const storage = probe(memoryStorage());
  const { logs } = openLocalService({ storage });
  storage.fail = (call) => (call === 'purge' ? Promise.reject(new Error('read-only')) : undefined);
  for (let round = 1; round <= 4; round += 1) {
    vi.advanceTimersByTime(EVERY_MS);
    await eventually(() => expect(storage.calls.filter((call) => call === 'purge')).toHaveLength(round));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(logs.map(({ event }) => event)).toEqual(['retention_failed']);
});
