/** Turning the logs off appends what waits first, however often other nodes are faster. */
import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { LOCAL_ACCOUNT } from '../../../src/core/shared/context.ts';
import type { StorageAdapter } from '../../../src/ports/index.ts';
import { openLocalService, PUBLIC_URL, SECRET } from '../../support/service.ts';
import { expectCovered } from './covered.ts';
import { passUntil } from './log-steps.ts';

/** As often as that another node is first: far more often than the tries of one append. */
const TIMES = 200;

test('everything has its leaf, though another node was first with 200 of the appends', async () => {
  const inner = memoryStorage();
  let lost = 0;
  let isLosing = false;
  const storage: StorageAdapter = {
    ...inner,
    async write(changes) {
      const [first] = changes;
      const isAppend = first?.op === 'replace' && first.collection === 'log_heads';
      if (!isAppend || !isLosing || lost === TIMES) return inner.write(changes);
      lost += 1;
      // The head that another node has written meanwhile is a version later.
      const record = { ...first.record, version: first.version - 1 };
      return inner.write([{ ...first, record, version: first.version - 1 }]);
    },
    close: async () => {},
  };
  const opened = openLocalService({
    storage,
    identity: { secret: SECRET, publicUrl: PUBLIC_URL },
    evidence: {},
  });
  const { service, clock } = opened;
  const { agent_id } = await service.passports.create({
    ...{ domain: 'shop.example', agent_name: 'buyer', allowed_actions: ['orders.*'] },
    monetary_limit_per_txn: 0,
  });
  await passUntil(opened, async () => (await inner.get('log_heads', LOCAL_ACCOUNT)) !== undefined);
  for (let round = 0; round < 3; round += 1) {
    await service.verify({ agent_id, action: 'orders.list' });
    await service.verifications.list();
    await service.passports.update(agent_id, { description: `round ${round}` });
    clock.advance(1_000);
  }
  // What is merged waits for a minute.
  await opened.timers.pass(5_000);
  isLosing = true;
  await service.logs.end();
  expect(lost).toBe(TIMES);
  await expectCovered(inner, LOCAL_ACCOUNT);
  await service.close();
});
