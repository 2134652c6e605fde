/** With the logs on, every record that is stored and every change is covered by exactly one leaf. */
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { LOCAL_ACCOUNT } from '../../../src/core/shared/context.ts';
import { isFinal, type LogHeadRecord, type StorageAdapter } from '../../../src/ports/index.ts';
import { verifyReceipt } from '../../../src/tokens/proof/index.ts';
import type { BlockContent, ChangeContent, RecordContent } from '../../../src/transparency-log/entries.ts';
import { type Opened, openLocalService, openService, PUBLIC_URL, SECRET } from '../../support/service.ts';
import { openOne, sharedStores } from '../../support/stores.ts';
import { passUntil } from './log-steps.ts';
import { auditStored, entriesOf, readStoredLog } from './stored-log.ts';

const DUE = { where: {}, order: 'due_at', until: '2099-01-01T00:00:00.000Z', limit: 10 } as const;
const LOGGED = { identity: { secret: SECRET, publicUrl: PUBLIC_URL }, evidence: {} };
const BUYER = {
  ...{ domain: 'shop.example', agent_name: 'buyer', allowed_actions: ['orders.*', 'payments.*'] },
  ...{ monetary_limit_per_txn: 100, currency: 'EUR' },
};
const AUDIENCE = 'https://pay.example';

async function headOf(storage: StorageAdapter): Promise<LogHeadRecord | undefined> {
  return (await storage.get('log_heads', LOCAL_ACCOUNT)) as LogHeadRecord | undefined;
}

async function audited(storage: StorageAdapter, older: readonly string[] = []) {
  const log = await readStoredLog(storage, LOCAL_ACCOUNT);
  expect((await auditStored(storage, log, older)).findings).toEqual([]);
  return log;
}

/** Waits for this many leaves. */
async function grown(opened: Opened, storage: StorageAdapter, size: number): Promise<void> {
  await passUntil(opened, async () => ((await headOf(storage))?.size ?? 0) >= size);
}

describe.each(await sharedStores())('in $name', (store) => {
  test('verdicts, permits and changes have their leaves, each one, and the log is good', async () => {
    const storage = await openOne(store);
    // A storage with a clock of its own refuses permits of a node whose clock is off.
    const clock = { now: Date.now };
    const open = () =>
      openLocalService({ storage: { ...storage, close: async () => {} }, clock, ...LOGGED }).service;
    const first = open();
    const { agent_id } = await first.passports.create(BUYER);
    for (let count = 0; count < 10; count += 1) await first.verify({ agent_id, action: 'orders.list' });
    await first.close();
    const early = await audited(storage);
    expect(entriesOf<ChangeContent>(early, 'change').map(({ event }) => event.type)).toEqual([
      'domain.claimed',
      'passport.created',
    ]);
    expect(entriesOf(early, 'begin')).toHaveLength(1);
    const second = open();
    const intent = { agent_id, action: 'payments.create', parameters: { amount: 5, currency: 'EUR' } };
    const { decision_id } = await second.verify({ ...intent, permit: { audience: AUDIENCE } });
    await second.revoke({ agent_id });
    await second.verify({ agent_id, action: 'orders.list' });
    await second.close();
    const log = await audited(storage, [early.head.checkpoint]);
    const blocks = entriesOf<BlockContent>(log, 'verdicts');
    expect(blocks.reduce((sum, { records }) => sum + records, 0)).toBe(12);
    expect(blocks.reduce((sum, { denied }) => sum + denied, 0)).toBe(1);
    expect(new Map(blocks.map(({ block, digest }) => [block, digest]))).toEqual(log.digests);
    const [permitted, ...others] = entriesOf<RecordContent>(log, 'verdict');
    expect(others).toEqual([]);
    expect(permitted?.record).toMatchObject({ decision_id, permit_audience: AUDIENCE });
    expect(permitted?.record).not.toHaveProperty('key_id');
    expect(await storage.list('events', DUE)).toEqual([]);
  });
});

test('small blocks of a minute become one, which is final, and larger ones have their leaf at once', async () => {
  const storage = memoryStorage();
  const opened = openLocalService({ storage, ...LOGGED });
  const { service, timers } = opened;
  const { agent_id } = await service.passports.create(BUYER);
  for (let round = 0; round < 5; round += 1) {
    await service.verify({ agent_id, action: 'orders.list' });
    await service.verifications.list();
    await timers.pass(5_000);
  }
  await grown(opened, storage, 4);
  const log = await audited(storage);
  expect(entriesOf<BlockContent>(log, 'verdicts').map(({ records }) => records)).toEqual([5]);
  expect(log.headers.map((header) => isFinal(header))).toEqual([true]);
  for (let count = 0; count < 1_100; count += 1) await service.verify({ agent_id, action: 'orders.list' });
  await service.verifications.list();
  await grown(opened, storage, 5);
  expect(entriesOf<BlockContent>(await audited(storage), 'verdicts').map(({ records }) => records)).toEqual([
    5, 1_100,
  ]);
  await service.close();
});

test('a log is continued by another process, and each checkpoint is a prefix of the next', async () => {
  const storage = memoryStorage();
  const kept: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const opened = openLocalService({ storage: { ...storage, close: async () => {} }, ...LOGGED });
    const agent_name = `agent-${round}`;
    const { agent_id } = await opened.service.passports.create({ ...BUYER, agent_name });
    await opened.service.verify({ agent_id, action: 'orders.list' });
    await opened.service.close();
    kept.push((await audited(storage, kept)).head.checkpoint);
  }
  const log = await audited(storage, kept);
  expect(entriesOf(log, 'begin')).toHaveLength(1);
  expect(entriesOf<BlockContent>(log, 'verdicts').map(({ records }) => records)).toEqual([1, 1, 1]);
  expect(entriesOf(log, 'change')).toHaveLength(4);
});

test('a head that does not fit is not signed over: one line, and verdicts go on', async () => {
  const storage = memoryStorage();
  const opened = openLocalService({ storage, ...LOGGED });
  const { service, logs } = opened;
  const { agent_id } = await service.passports.create(BUYER);
  await grown(opened, storage, 3);
  const head = (await headOf(storage)) as LogHeadRecord;
  const [first = '', ...rest] = head.edge;
  const edge = [...rest, first];
  const damaged = { ...head, edge: edge.length > 1 ? edge : ['AAAA'], version: head.version + 1 };
  await storage.write([{ op: 'replace', collection: 'log_heads', record: damaged, version: head.version }]);
  await service.suspend({ agent_id });
  await passUntil(opened, async () => logs.some(({ event }) => event === 'log_damaged'));
  expect((await service.verify({ agent_id, action: 'orders.list' })).verdict).toBe('DENY');
  await opened.timers.pass(60_000);
  expect(logs.filter(({ event }) => event === 'log_damaged')).toHaveLength(1);
  expect((await headOf(storage))?.checkpoint).toBe(head.checkpoint);
  expect(await storage.list('events', DUE)).toHaveLength(1);
  await service.close();
});

test('the option is a fact of the storage: events of a service without it have their leaf later', async () => {
  const storage = memoryStorage();
  const open = { ...storage, close: async () => {} };
  const first = openLocalService({ storage: open, ...LOGGED });
  await first.service.passports.create(BUYER);
  await first.service.close();
  const without = openLocalService({ storage: open });
  await without.service.passports.create({ ...BUYER, agent_name: 'other' });
  await without.service.close();
  const again = openLocalService({ storage: open, ...LOGGED });
  await again.service.close();
  expect(entriesOf(await audited(storage), 'change')).toHaveLength(3);
});

test('the appender that begins while the logs are being turned on does not take them to be off', async () => {
  const storage = memoryStorage();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow: StorageAdapter = {
    ...storage,
    async write(changes, aborted) {
      if (changes.some((change) => JSON.stringify(change).includes('evidence_log'))) await held;
      return storage.write(changes, aborted);
    },
  };
  const opened = openLocalService({ storage: slow, ...LOGGED, storageDeadlineMs: 60_000 });
  const created = opened.service.passports.create(BUYER);
  await opened.timers.pass(4_000).then(release);
  await created;
  await grown(opened, storage, 3);
  await opened.service.close();
});

test('turned off, nothing is appended, and turned on again the log begins once more', async () => {
  const storage = memoryStorage();
  const open = { ...storage, close: async () => {} };
  const first = openLocalService({ storage: open, ...LOGGED });
  const { agent_id } = await first.service.passports.create(BUYER);
  await first.service.logs.end();
  const { size = 0 } = (await headOf(storage)) ?? {};
  await first.service.suspend({ agent_id });
  await first.service.verify({ agent_id, action: 'orders.list' });
  await first.service.close();
  expect((await headOf(storage))?.size).toBe(size);
  const again = openLocalService({ storage: open, ...LOGGED });
  again.clock.advance(1_000);
  await again.service.reinstate({ agent_id });
  await again.service.close();
  const log = await audited(storage);
  expect(entriesOf(log, 'begin')).toHaveLength(2);
  expect(entriesOf<ChangeContent>(log, 'change').map(({ event }) => event.type)).toEqual([
    ...['domain.claimed', 'passport.created', 'passport.reinstated'],
  ]);
});

test('a log that is restarted ends visibly, and the next one names it', async () => {
  const storage = memoryStorage();
  const opened = openLocalService({ storage, ...LOGGED });
  const { service } = opened;
  const { agent_id } = await service.passports.create(BUYER);
  await grown(opened, storage, 3);
  const before = await service.evidence.state();
  opened.clock.advance(1_000);
  const log_id = await service.logs.restart(LOCAL_ACCOUNT);
  await service.suspend({ agent_id });
  await grown(opened, storage, 2);
  const log = await audited(storage);
  expect(log.head.log_id).toBe(log_id);
  const [begin] = entriesOf<{ previous: object }>(log, 'begin');
  const { origin, size, root } = before;
  expect(begin?.previous).toEqual({ origin, size, root });
  expect((await service.evidence.state()).earlier).toMatchObject([{ log_id: before.log_id, size, root }]);
  expect(await service.logs.checkpoint(before.log_id)).toBe(before.checkpoint);
  await service.close();
});

test('a key that is changed signs beside its successor, either alone verifies, and none is in the JWK set', async () => {
  const storage = memoryStorage();
  const opened = openLocalService({ storage, ...LOGGED });
  const { service } = opened;
  const { agent_id } = await service.passports.create(BUYER);
  await grown(opened, storage, 3);
  const published = await service.signing.jwks();
  await service.signing.rotate({ purpose: 'log', alg: 'ES256' });
  await service.suspend({ agent_id });
  await grown(opened, storage, 4);
  const { checkpoint } = (await headOf(storage)) as LogHeadRecord;
  expect(checkpoint.match(/^\u2014 /gm)).toHaveLength(2);
  const log = await readStoredLog(storage, LOCAL_ACCOUNT);
  for (const key of log.keys) {
    expect((await auditStored(storage, { ...log, keys: [key] })).findings).toEqual([]);
  }
  expect(await service.signing.jwks()).toEqual(published);
  const keys = (await service.signing.list()).filter(({ purpose }) => purpose === 'log');
  expect(keys.map(({ alg }) => alg)).toEqual(['EdDSA', 'EdDSA']);
  opened.clock.advance(31 * 86_400_000);
  await service.reinstate({ agent_id });
  await grown(opened, storage, 5);
  expect((await headOf(storage))?.checkpoint.match(/^\u2014 /gm)).toHaveLength(1);
  const { keys: shown } = await service.evidence.state();
  expect(shown.map(({ retired_at }) => retired_at === null).sort()).toEqual([false, true]);
  await service.close();
});

test('after the horizon texts and blocks are gone, and hashes and proofs of younger entries are not', async () => {
  const storage = memoryStorage();
  const opened = openLocalService({ storage, ...LOGGED, retentionDays: 1 });
  const { service, clock, timers } = opened;
  const permit = { audience: AUDIENCE };
  const { agent_id } = await service.passports.create({ ...BUYER, currency: 'EUR' });
  const ask = () => service.verify({ agent_id, action: 'orders.list', permit });
  const old = await ask();
  await service.verifications.list();
  await grown(opened, storage, 5);
  const { head } = await audited(storage);
  clock.advance(2 * 86_400_000);
  // The clock of this node is believed although it jumped.
  await storage.time(clock.instant(), true);
  await timers.pass(120_000);
  const young = await ask();
  await service.verifications.list();
  await grown(opened, storage, 7);
  const before = clock.instant(-86_400_000);
  await storage.purge('verdicts', before, clock.instant());
  await storage.purge('log_entries', clock.instant(), clock.instant());
  const log = await audited(storage, [head.checkpoint]);
  expect(log.entries.slice(0, head.size).every((entry) => entry === null)).toBe(true);
  expect(log.blocks.size).toBe(1);
  await expect(service.verifications.receipt(old.decision_id)).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await expect(
    service.verifications.receipt(old.decision_id, { evaluated_at: old.evaluated_at }),
  ).rejects.toMatchObject({ code: 'not_found' });
  const receipt = await service.verifications.receipt(young.decision_id);
  const { keys } = await service.evidence.state();
  const { record } = await verifyReceipt(receipt, { keys: keys.map(({ key }) => key) });
  expect(record.decision_id).toBe(young.decision_id);
  await service.close();
});

test('an account that is deleted takes its log with it, and the purge of one agent is refused', async () => {
  const opened = openService(LOGGED);
  const { service, storage } = opened;
  const password = 'a-long-password-of-ann';
  const { id: account_id } = await service.accounts.create({ email: 'ann@example.com', password });
  const { agent_id } = await service.passports.create(BUYER, { account_id });
  await passUntil(opened, async () => (await storage.get('log_heads', account_id)) !== undefined);
  await service.revoke({ agent_id }, { account_id });
  await expect(service.passports.purge(agent_id, { account_id })).rejects.toMatchObject({ code: 'conflict' });
  const { log_id } = await service.evidence.state({ account_id });
  await service.deleteAccount({ current_password: password }, { account_id });
  await passUntil(opened, async () => (await storage.list('erasures', { where: {}, limit: 1 })).length === 0);
  for (const name of ['log_heads', 'log_entries', 'log_tiles'] as const)
    expect(await storage.list(name, { where: { account_id }, limit: 1 })).toEqual([]);
  await expect(service.logs.checkpoint(log_id)).rejects.toMatchObject({ code: 'not_found' });
  await service.close();
});

test('an outside signer without a key for logs, and an option without a public URL, are refused', async () => {
  const signer = { keys: async () => [], sign: () => Promise.reject(new Error('no key')) };
  const { service } = openLocalService({ identity: { signer, publicUrl: PUBLIC_URL }, evidence: {} });
  await expect(service.health()).rejects.toMatchObject({ code: 'invalid_configuration' });
  await service.close();
  expect(() => openLocalService({ identity: { secret: SECRET }, evidence: {} })).toThrow(/publicUrl/);
});
