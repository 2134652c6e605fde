/** A server takes over while a spend is settled: what was decided by the time of the one before is not written there. */
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { createStorageEvents, type StorageAdapter } from '../../../src/ports/index.ts';
import { openLocalService } from '../../support/service.ts';

const HOLD_S = 60;

/** A service with a held spend, over a storage whose server is replaced right after a read of spends. */
async function openReplaceable() {
  const { emit, observe } = createStorageEvents();
  const plain = memoryStorage();
  let readsLeft = 0;
  const afterRead = <Found>(found: Found): Found => {
    readsLeft -= 1;
    if (readsLeft === 0) emit({ type: 'primary_changed', withoutMs: 0 });
    return found;
  };
  const storage: StorageAdapter = {
    ...plain,
    observe,
    get: async (collection, id) => {
      const found = await plain.get(collection, id);
      return collection === 'spends' ? afterRead(found) : found;
    },
    list: async (...asked) => {
      const found = await plain.list(...asked);
      return asked[1].order === 'due_at' ? afterRead(found) : found;
    },
  };
  const { service, clock } = openLocalService({ storage });
  const { agent_id } = await service.passports.create({
    ...{ domain: 'example.com', agent_name: 'buyer', allowed_actions: ['pay'], monetary_actions: ['pay'] },
    ...{ currency: 'EUR', monetary_limit_per_txn: 1, budgets: [{ window: 'lifetime', limit: 10 }] },
  });
  const parameters = { amount: 1, currency: 'EUR' };
  const { decision_id } = await service.verify({ agent_id, action: 'pay', parameters, hold_seconds: HOLD_S });
  const stored = async () => (await plain.get('spends', decision_id))?.['status'];
  return {
    ...{ service, clock, agent_id, decision_id, stored },
    replaceAfter(reads: number): void {
      readsLeft = reads;
    },
  };
}

type Opened = Awaited<ReturnType<typeof openReplaceable>>;

/** A commit and a release read the spend once to see that they may, and once for what they write. */
const OF_A_CHANGE = { reads: 2, afterS: 0 };
const OF_A_LAPSE = { reads: 1, afterS: HOLD_S };

describe.each([
  [
    'a commit',
    ({ service, decision_id }: Opened) => service.spends.commit(decision_id),
    { status: 'committed', ...OF_A_CHANGE },
  ],
  [
    'a commit with an idempotency key',
    ({ service, decision_id }: Opened) => service.spends.commit(decision_id, {}, { idempotencyKey: 'once' }),
    { status: 'committed', ...OF_A_CHANGE },
  ],
  [
    'a release',
    ({ service, decision_id }: Opened) => service.spends.release(decision_id),
    { status: 'released', ...OF_A_CHANGE },
  ],
  [
    'a lapse',
    ({ service, decision_id }: Opened) => service.spends.get(decision_id),
    { status: 'lapsed', ...OF_A_LAPSE },
  ],
  [
    'a lapse for a report',
    ({ service, agent_id }: Opened) => service.passports.budgets(agent_id),
    { status: 'lapsed', ...OF_A_LAPSE },
  ],
])('%s', (_, settle, { status, reads, afterS }) => {
  test('under way does not reach the new server, and succeeds when it is repeated', async () => {
    const opened = await openReplaceable();
    opened.clock.advance(afterS * 1_000);
    // The clock is compared, so that the call begins with the time of the old server.
    await opened.service.health();
    opened.replaceAfter(reads);
    await expect(settle(opened)).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(await opened.stored()).toBe('held');
    await settle(opened);
    expect(await opened.stored()).toBe(status);
  });
});
