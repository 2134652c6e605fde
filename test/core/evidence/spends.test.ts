/** A change of a spend after its verdict is a change as others: it has a leaf. */
import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { LOCAL_ACCOUNT } from '../../../src/core/shared/context.ts';
import type { ChangeContent } from '../../../src/transparency-log/entries.ts';
import { openLocalService, PUBLIC_URL, SECRET } from '../../support/service.ts';
import { expectCovered } from './covered.ts';
import { entriesOf } from './stored-log.ts';

test('a commit, a refund and a lapse each have one leaf, with the spend', async () => {
  const storage = memoryStorage();
  const { service, clock } = openLocalService({
    storage: { ...storage, close: async () => {} },
    identity: { secret: SECRET, publicUrl: PUBLIC_URL },
    evidence: {},
  });
  const { agent_id } = await service.passports.create({
    ...{ domain: 'shop.example', agent_name: 'buyer', allowed_actions: ['payments.*'] },
    ...{ monetary_actions: ['payments.*'], monetary_limit_per_txn: 100, currency: 'EUR' },
    budgets: [{ window: 'day', limit: 100 }],
  });
  const hold = async (amount: number) => {
    const parameters = { amount, currency: 'EUR' };
    const intent = { agent_id, action: 'payments.create', parameters, hold_seconds: 60 };
    return (await service.verify(intent)).decision_id;
  };
  const [kept, over] = [await hold(5), await hold(7)];
  const committed = await service.spends.commit(kept);
  const refunded = await service.spends.release(kept, { amount: 2 });
  clock.advance(61_000);
  const lapsed = await service.spends.get(over);
  expect(lapsed.status).toBe('lapsed');
  await service.close();
  const changes = entriesOf<ChangeContent>(await expectCovered(storage, LOCAL_ACCOUNT), 'change');
  const settled = changes.map(({ event }) => event).filter(({ type }) => type === 'spend.settled');
  expect(settled.map(({ data }) => data)).toEqual([
    { spend: committed },
    { spend: refunded },
    { spend: lapsed },
  ]);
});
