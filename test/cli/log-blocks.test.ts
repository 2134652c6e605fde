/** `log verify` of an account whose stored blocks were changed, exported by a service that starts without the option. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditLog, folderSource } from '../../adapters/cli/log/audit-log.ts';
import { exportLog } from '../../adapters/cli/log/export-log.ts';
import { LOCAL_ACCOUNT } from '../../src/core/shared/context.ts';
import type { BlockHeader } from '../../src/ports/index.ts';
import { passUntil } from '../core/evidence/log-steps.ts';
import { readStoredLog } from '../core/evidence/stored-log.ts';
import { onSqlite, type Tampered } from '../core/evidence/tampered.ts';
import { newFolder } from '../storage/folder.ts';
import { openLocalService, PUBLIC_URL, SECRET } from '../support/service.ts';

const ROUNDS = 3;

async function openService(store: Tampered, begins = false) {
  const storage = await store.open();
  return openLocalService({
    ...{ storage, clock: { now: Date.now } },
    identity: { secret: SECRET, publicUrl: PUBLIC_URL },
    evidence: { begins },
  });
}

async function storedLog(store: Tampered) {
  const storage = await store.open();
  const log = await readStoredLog(storage, LOCAL_ACCOUNT);
  await storage.close();
  return log;
}

const passport = (agent_name: string) => ({
  ...{ domain: 'shop.example', agent_name, allowed_actions: ['orders.*'], monetary_limit_per_txn: 0 },
});

/** A log with three blocks, on SQLite. */
async function history() {
  const store = await onSqlite();
  for (let round = 0; round < ROUNDS; round += 1) {
    const { service } = await openService(store, true);
    const { agent_id } = await service.passports.create(passport(`buyer-${round}`));
    await service.verify({ agent_id, action: 'orders.list' });
    await service.close();
  }
  const headers = [...(await storedLog(store)).headers];
  headers.sort((one, other) => one.from_ms - other.from_ms);
  expect(headers).toHaveLength(ROUNDS);
  return { store, headers: headers as [BlockHeader, BlockHeader, BlockHeader] };
}

async function audited(store: Tampered) {
  const folder = join(newFolder(), 'out');
  const { service } = await openService(store);
  const { evidence } = service.as({ account_id: LOCAL_ACCOUNT });
  const exported = await exportLog({ evidence, logTile: service.logs.tile }, folder);
  const { keys } = await evidence.state();
  await service.close();
  const texts = keys.map(({ key }) => key);
  const { findings } = await auditLog(await folderSource(folder), texts, { permits: [], receipts: [] });
  return { ...exported, codes: findings.map(({ code }) => code) };
}

type History = Awaited<ReturnType<typeof history>>;

test.for<[string, readonly string[], (log: History) => Promise<void>]>([
  ['nothing where nobody has changed a block', [], async () => {}],
  ['a byte of the oldest block that is changed', ['block'], ({ store, headers }) => store.bend(headers[0])],
  [
    'the oldest block that is deleted a minute after it was written',
    ['removed'],
    ({ store, headers }) => store.drop(headers[0]),
  ],
  [
    'all blocks that are deleted',
    ['removed', 'removed', 'removed'],
    async ({ store, headers }) => {
      for (const one of headers) await store.drop(one);
    },
  ],
  [
    'two blocks that are exchanged',
    ['block', 'block'],
    ({ store, headers }) => store.exchange(headers[0], headers[1]),
  ],
])('finds %s', async ([, codes, change]) => {
  const log = await history();
  await change(log);
  expect((await audited(log.store)).codes).toEqual(codes);
});

test('a service that starts without the option keeps the log that the storage says is on', async () => {
  const { store } = await history();
  const opened = await openService(store);
  const { service } = opened;
  const size = async () => (await service.evidence.state()).size;
  const before = await size();
  await service.passports.create(passport('later'));
  await passUntil(opened, async () => (await size()) > before);
  await service.close();
});

test('a log that is off names the option that turns it on', async () => {
  const { service } = openLocalService({ identity: { secret: SECRET, publicUrl: PUBLIC_URL } });
  await expect(service.evidence.state()).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('--evidence-log'),
  });
  await service.close();
});
