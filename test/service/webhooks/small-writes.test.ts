import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { issue, openWebhooks } from './stage.ts';

const MOST = 10;
const EVENTS = 60;

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
