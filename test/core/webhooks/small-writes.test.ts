import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { collectWarnings } from '../../support/warnings.ts';
import { issue, openWebhooks } from './stage.ts';

const MOST = 10;
const EVENTS = 60;
const DELIVERIES = 'webhook_deliveries';

test('a storage that ends no long write gets the deliveries in short ones', async () => {
  const storage = memoryStorage();
  let refused = 0;
  const stage = await openWebhooks({
    storage: {
      ...storage,
      async write(changes) {
        if (changes.length <= MOST) return storage.write(changes);
        refused += 1;
        throw new Error('The write did not end in time.');
      },
    },
  });
  await stage.create(['passport.created']);
  await Promise.all(Array.from({ length: EVENTS }, (_, index) => issue(stage, `a${index}`)));
  await expect.poll(() => refused).toBeGreaterThan(0);
  while (stage.received.length < EVENTS) {
    await stage.timers.pass(1_000);
    await stage.arrived(Math.min(EVENTS, stage.received.length));
  }
  expect(new Set(stage.received.map(({ event }) => event.id)).size).toBe(EVENTS);
});

test('a storage that takes no delivery for long leaves no listener behind, and gets them afterwards', async () => {
  const warnings = collectWarnings();
  const storage = memoryStorage();
  let refused = 0;
  const stage = await openWebhooks({
    storage: {
      ...storage,
      async write(changes) {
        const files = changes.some((change) => change.op === 'insert' && change.collection === DELIVERIES);
        if (!files || refused === 20) return storage.write(changes);
        refused += 1;
        throw new Error('The write did not end in time.');
      },
    },
  });
  await stage.create(['passport.created']);
  await issue(stage);
  await expect.poll(() => refused).toBeGreaterThan(0);
  while (stage.received.length === 0) await stage.timers.pass(1_000);
  expect([refused, stage.received.length, warnings]).toEqual([20, 1, []]);
});
