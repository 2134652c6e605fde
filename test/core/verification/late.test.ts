import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { StorageAdapter } from '../../../src/ports/index.ts';
import { openLocalService } from '../../support/service.ts';

const DEADLINE_MS = 200;

test('a spend whose storage is late at each call is refused before its last call is, and taken once', async () => {
  const memory = memoryStorage();
  let isSlow = false;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  /** Settles when the last look has used up its deadline. */
  let lastLook: Promise<string> | undefined;
  const storage: StorageAdapter = {
    ...memory,
    async get(collection, id) {
      if (isSlow && collection === 'idempotency') {
        lastLook = setTimeout(DEADLINE_MS, 'the last look');
        await released;
      }
      return memory.get(collection, id);
    },
    async write(changes) {
      if (isSlow) await released;
      return memory.write(changes);
    },
  };
  const { service } = openLocalService({ storage, storageDeadlineMs: DEADLINE_MS });
  const { agent_id } = await service.passports.create({
    ...{ domain: 'shop.example', agent_name: 'shopper', allowed_actions: ['*'] },
    ...{ monetary_actions: ['pay'], monetary_limit_per_txn: 1_000, currency: 'EUR' },
    budgets: [{ window: 'day', limit: 100 }],
  });
  const pay = { agent_id, action: 'pay', parameters: { amount: 60, currency: 'EUR' } };
  const ask = () => service.verify(pay, { idempotencyKey: 'a' });
  isSlow = true;
  const refused = await ask().catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'storage_unavailable' });
  expect(lastLook).toBeDefined();
  expect(await Promise.race([lastLook, setTimeout(0, 'the refusal')])).toBe('the refusal');
  // Its own retry is told that the first request still runs.
  await expect(ask()).rejects.toMatchObject({ code: 'conflict' });
  isSlow = false;
  release();
  await expect.poll(() => ask().catch(() => undefined)).toMatchObject({ verdict: 'ALLOW' });
  expect(await service.passports.budgets(agent_id)).toMatchObject({ data: [{ spent: 60 }] });
});
