import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { Change } from '../../../src/ports/storage.ts';
import { AGENT, openWebhooks } from './stage.ts';

const WEBHOOKS = 10;
const LARGE = {
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: Array.from({ length: 240 }, (_, index) => `a${index}.`.padEnd(120, 'x')),
  denied_actions: Array.from({ length: 200 }, (_, index) => `d${index}.`.padEnd(120, 'x')),
  monetary_limit_per_txn: 1,
};

/** Ten webhooks, a large passport, and all that is written. */
async function openLarge() {
  const storage = memoryStorage();
  const written: Change[] = [];
  const stage = await openWebhooks({
    storage: {
      ...storage,
      async write(changes) {
        written.push(...changes);
        return storage.write(changes);
      },
    },
  });
  const { service, actor, create } = stage;
  await service.passports.create(LARGE, actor);
  for (let count = 0; count < WEBHOOKS; count += 1) await create(['passport.updated'], `/in${count}`);
  return Object.assign(stage, { written });
}

test('a small patch of a large passport writes it and its version, however many webhooks are told', async () => {
  const stage = await openLarge();
  const { service, actor, arrived, received, written } = stage;
  const stream = await service.events.open({ types: ['passport.*'] }, actor);
  const passport = JSON.stringify(await service.passports.get(AGENT, actor)).length;
  expect(passport).toBeGreaterThan(50_000);
  written.length = 0;
  await service.passports.update(AGENT, { description: 'y' }, actor);
  await arrived(WEBHOOKS);
  expect(JSON.stringify(written).length).toBeLessThan(2 * passport + WEBHOOKS * 5_000);
  // What is told is the whole passport all the same.
  const passportNow = await service.passports.get(AGENT, actor);
  const data = { ...passportNow, changed_by: actor.account_id, change: 'equal' };
  const [told] = (await stream.read(1_000)) ?? [];
  expect(told?.data).toEqual(data);
  expect(new Set(received.map(({ body }) => body))).toEqual(new Set([JSON.stringify(told)]));
});

test('an event whose time is over is not sent again, and what waits for it has failed', async () => {
  const stage = await openLarge();
  const { service, actor, arrived, storage, clock, received, logged, timers } = stage;
  stage.answer = (_, response) => void response.writeHead(500).end();
  await service.passports.update(AGENT, { description: 'y' }, actor);
  await arrived(WEBHOOKS);
  const [{ id } = { id: '' }] = (await service.webhooks.list({}, actor)).data;
  await logged(id, [{ status: 'pending', attempt: 1 }]);
  const [{ id: delivery } = { id: '' }] = (await service.webhooks.deliveries(id, {}, actor)).data;
  // The audit keeps changes for 365 days.
  const over = clock.instant(366 * 86_400_000);
  expect(await storage.purge('events', over, over)).toBe(14);
  await expect(service.webhooks.redeliver(id, delivery, actor)).rejects.toMatchObject({ code: 'conflict' });
  await timers.pass(10_000);
  await logged(id, [{ status: 'failed', attempt: 1 }]);
  expect(received).toHaveLength(WEBHOOKS);
});
