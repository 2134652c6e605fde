/** The leaves of a large block, and of those before it, wait for no merge; that of a small one behind it does. */
import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { LOCAL_ACCOUNT } from '../../../src/core/shared/context.ts';
import { isFinal, type StorageAdapter } from '../../../src/ports/index.ts';
import type { BlockContent } from '../../../src/transparency-log/entries.ts';
import { openLocalService, PUBLIC_URL, SECRET } from '../../support/service.ts';
import { expectCovered } from './covered.ts';
import { passUntil } from './log-steps.ts';
import { entriesOf, readStoredLog } from './stored-log.ts';

const LARGE = 1_100;
const STEPS = 20;

/** A service on a storage that merges nothing until `letGo`. */
async function openHeld() {
  const storage = memoryStorage();
  let isHeld = true;
  const { journal } = storage;
  const held: StorageAdapter = {
    ...storage,
    close: async () => {},
    journal: { ...journal, merge: async (merge) => !isHeld && journal.merge(merge) },
  };
  const identity = { secret: SECRET, publicUrl: PUBLIC_URL };
  const opened = openLocalService({ storage: held, identity, evidence: {} });
  const { service, timers } = opened;
  const { agent_id } = await service.passports.create({
    ...{ domain: 'shop.example', agent_name: 'buyer', allowed_actions: ['orders.*'] },
    monetary_limit_per_txn: 0,
  });
  const file = async (count: number, more: object = {}) => {
    for (let asked = 0; asked < count; asked += 1) {
      await service.verify({ agent_id, action: 'orders.list', ...more });
    }
    await service.verifications.list();
  };
  /** The numbers of records of the blocks with leaves. */
  const logged = async () => {
    const log = await readStoredLog(storage, LOCAL_ACCOUNT);
    return entriesOf<BlockContent>(log, 'verdicts').map(({ records }) => records);
  };
  const until = (records: readonly number[]) =>
    passUntil(opened, async () => {
      const head = await storage.get('log_heads', LOCAL_ACCOUNT);
      return head !== undefined && String(await logged()) === String(records);
    });
  const wait = async () => {
    await until([]);
    for (let step = 0; step < STEPS; step += 1) {
      await timers.pass(5_000);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const counted = async () => (await service.analytics({})).overview.total_verifications;
  const letGo = () => {
    isHeld = false;
  };
  return { ...opened, storage, file, logged, until, wait, letGo, counted };
}

test('a large block has its leaf although nothing is merged, and one more when it is', async () => {
  const { service, storage, file, until, letGo } = await openHeld();
  await file(LARGE);
  await until([LARGE]);
  letGo();
  await file(LARGE + 1);
  await until([LARGE, LARGE + 1]);
  await service.close();
  const { headers } = await expectCovered(storage, LOCAL_ACCOUNT);
  expect(headers.map(isFinal)).toEqual([false, false]);
});

test('small blocks wait for their merge, and no longer once a large one stands behind them', async () => {
  const opened = await openHeld();
  const { service, storage, file, logged, until, wait, letGo, counted } = opened;
  await file(3);
  await file(4, { subject: 'user-4711' });
  await wait();
  expect(await logged()).toEqual([]);
  await file(LARGE);
  await until([3, 4, LARGE]);
  expect(await counted()).toBe(7 + LARGE);
  letGo();
  await passUntil(opened, async () => (await storage.journal.writers())[0]?.merged === 3);
  expect(await counted()).toBe(7 + LARGE);
  await service.close();
  const { headers } = await expectCovered(storage, LOCAL_ACCOUNT);
  expect(headers.map(isFinal)).toEqual([false, true, true]);
});

test('small blocks that are merged are joined, although a large one stands behind others', async () => {
  const { service, storage, file, until, letGo } = await openHeld();
  letGo();
  await file(3);
  await file(4);
  await until([7]);
  await file(LARGE);
  await until([7, LARGE]);
  await service.close();
  await expectCovered(storage, LOCAL_ACCOUNT);
});

test('a small block behind a large one waits alone', async () => {
  const { service, storage, file, until, letGo } = await openHeld();
  await file(LARGE);
  await file(3);
  await until([LARGE]);
  letGo();
  await until([LARGE, 3]);
  await service.close();
  await expectCovered(storage, LOCAL_ACCOUNT);
});

test('a large block gets the digests of its subjects first, although nothing is merged', async () => {
  const { service, storage, file, until, letGo } = await openHeld();
  await file(LARGE, { subject: 'user-4711' });
  await until([LARGE]);
  letGo();
  await service.close();
  const { headers } = await expectCovered(storage, LOCAL_ACCOUNT);
  expect(headers.map(isFinal)).toEqual([true]);
});
