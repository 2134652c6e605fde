import { expect, test } from 'vitest';
import { flood } from '../../support/flood.ts';
import { HOUR, openLocalService } from '../../support/service.ts';
import { probe } from '../../support/storage-probe.ts';

test('a full journal blocks no verdict, and counts and shows what finds no place', async () => {
  const storage = probe();
  const { service, clock } = openLocalService({ storage });
  storage.fail = (call) => (call === 'file' ? Promise.reject(new Error('full')) : undefined);
  const asked = await flood(service);
  storage.fail = undefined;
  const droppedAt = clock.now();
  clock.advance(HOUR);
  const { overview, journal_dropped, complete_since } = await service.analytics();
  expect(journal_dropped).toBeGreaterThan(0);
  expect(overview.total_verifications + journal_dropped).toBe(asked);
  expect(Date.parse(complete_since)).toBeGreaterThan(droppedAt);
});
