/** Logs that another service turns on: each service on the storage finds them on, also one that started before. */
import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { LOCAL_ACCOUNT } from '../../../src/core/shared/context.ts';
import type { StorageAdapter } from '../../../src/ports/index.ts';
import { LOG_STATE } from '../../../src/ports/storage.ts';
import type { BlockContent, ChangeContent } from '../../../src/transparency-log/entries.ts';
import { openLocalService, PUBLIC_URL, SECRET } from '../../support/service.ts';
import { passUntil } from './log-steps.ts';
import { entriesOf, readStoredLog } from './stored-log.ts';

const IDENTITY = { secret: SECRET, publicUrl: PUBLIC_URL };
const BUYER = {
  ...{ domain: 'shop.example', agent_name: 'buyer', allowed_actions: ['orders.*'] },
  monetary_limit_per_txn: 0,
};
/** A silent service reads the state once in this time. */
const LOOK_MS = 61_000;

/** A service that has found the logs off, and a storage on which another has turned them on since. */
async function openEarly(identity: object | undefined) {
  const inner = memoryStorage();
  const storage: StorageAdapter = { ...inner, close: async () => {} };
  const early = openLocalService({ storage, ...(identity && { identity }) });
  const { agent_id } = await early.service.passports.create(BUYER);
  await early.timers.pass(5_000);
  const other = openLocalService({ storage, identity: { ...IDENTITY }, evidence: {} });
  await passUntil(other, async () => (await inner.get('shared_texts', LOG_STATE)) !== undefined);
  await other.service.close();
  return { ...early, inner, agent_id };
}

test('a service that was started before appends the leaves of its verdicts and changes', async () => {
  const early = await openEarly(IDENTITY);
  const { service, timers, inner, agent_id } = early;
  await timers.pass(LOOK_MS);
  const { decision_id } = await service.verify({ agent_id, action: 'orders.list' });
  await service.verifications.list();
  await service.passports.update(agent_id, { description: 'changed' });
  await passUntil(early, async () => {
    if ((await inner.get('log_heads', LOCAL_ACCOUNT)) === undefined) return false;
    const log = await readStoredLog(inner, LOCAL_ACCOUNT);
    const types = entriesOf<ChangeContent>(log, 'change').map(({ event }) => event.type);
    const records = entriesOf<BlockContent>(log, 'verdicts').map((block) => block.records);
    return types.includes('passport.updated') && records.length > 0;
  });
  const { data } = await service.verifications.list();
  expect(data.map((record) => record.decision_id)).toEqual([decision_id]);
  await service.logs.end();
  expect((await service.evidence.state().catch((error: unknown) => error)) as object).toMatchObject({
    code: 'not_found',
  });
});

test('a service without a public URL says once that it appends nothing', async () => {
  const { timers, logs } = await openEarly(undefined);
  const told = () => logs.filter(({ event }) => event === 'log_not_appended');
  expect(told()).toEqual([]);
  await timers.pass(LOOK_MS);
  await timers.pass(LOOK_MS);
  expect(told()).toMatchObject([
    { level: 'warn', message: expect.stringContaining('identity({ publicUrl })') },
  ]);
});

test('a service says nothing while the logs are off', async () => {
  const { timers, logs } = openLocalService();
  await timers.pass(LOOK_MS);
  expect(logs).toEqual([]);
});
