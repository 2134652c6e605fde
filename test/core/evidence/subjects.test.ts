/** Subjects in a log: a leaf covers their digests, a receipt shows one, and an erasure takes the proof with the text. */
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { LOCAL_ACCOUNT } from '../../../src/core/shared/context.ts';
import { openBlock } from '../../../src/journal-format/index.ts';
import { isFinal, type StorageAdapter } from '../../../src/ports/index.ts';
import type { VerdictReceipt } from '../../../src/records/log.ts';
import { verifyReceipt } from '../../../src/tokens/proof/index.ts';
import type { BlockContent } from '../../../src/transparency-log/entries.ts';
import { openLocalService, PUBLIC_URL, SECRET } from '../../support/service.ts';
import { openOne, sharedStores } from '../../support/stores.ts';
import { auditStored, entriesOf, readStoredLog } from './stored-log.ts';

const BUYER = {
  ...{ domain: 'shop.example', agent_name: 'buyer', allowed_actions: ['orders.*'] },
  monetary_limit_per_txn: 100,
};
const [MINE, OTHER] = ['user-größe-4711', 'user-4712'];

function openLogged(storage: StorageAdapter) {
  const identity = { secret: SECRET, publicUrl: PUBLIC_URL };
  const clock = { now: Date.now };
  return openLocalService({ storage: { ...storage, close: async () => {} }, clock, identity, evidence: {} })
    .service;
}

/** Closes the service, which gives all that is stored its leaf; the log, which must be good. */
async function closed(service: ReturnType<typeof openLogged>, storage: StorageAdapter) {
  await service.close();
  const log = await readStoredLog(storage, LOCAL_ACCOUNT);
  expect((await auditStored(storage, log)).findings).toEqual([]);
  const blocks = entriesOf<BlockContent>(log, 'verdicts');
  expect(new Map(blocks.map(({ block, digest }) => [block, digest]))).toEqual(log.digests);
  return log;
}

describe.each(await sharedStores())('in $name', (store) => {
  // A block of 1,100 is never joined with others.
  test.each([3, 1_100])('a receipt of %i verdicts shows its subject, until that is erased', async (count) => {
    const storage = await openOne(store);
    const first = openLogged(storage);
    const { agent_id } = await first.passports.create(BUYER);
    const ask = (subject?: string) =>
      first.verify({ agent_id, action: 'orders.list', ...(subject !== undefined && { subject }) });
    const [mine, other, none] = [await ask(MINE), await ask(OTHER), await ask()];
    for (let more = 3; more < count; more += 1) await ask(`user-${more % 7}`);
    const log = await closed(first, storage);

    const second = openLogged(storage);
    const keys = (await second.evidence.state()).keys.map(({ key }) => key);
    const receiptOf = ({ decision_id, evaluated_at }: typeof mine) =>
      second.verifications.receipt(decision_id, { evaluated_at });
    const shown = async (receipt: VerdictReceipt) =>
      (await verifyReceipt(receipt, { keys, openBlock })).record.subject;
    const kept = await receiptOf(mine);
    expect([await shown(kept), await shown(await receiptOf(other))]).toEqual([MINE, OTHER]);
    expect(await receiptOf(none)).not.toHaveProperty('subject');
    const exchanged = { ...kept, subject: (await receiptOf(other)).subject } as VerdictReceipt;
    await expect(shown(exchanged)).rejects.toMatchObject({ details: { problem: 'subject' } });

    expect(await second.subjects.erase({ subject: MINE })).toEqual({ erased: 1, has_more: false });
    const after = await receiptOf(mine);
    expect(after).not.toHaveProperty('subject');
    expect([after.block, after.entry]).toEqual([kept.block, kept.entry]);
    expect(await shown(after)).toBeNull();
    expect(await shown(await receiptOf(other))).toBe(OTHER);
    await closed(second, storage);
    const salt = Buffer.from(kept.subject?.salt ?? '', 'base64');
    expect(salt).toHaveLength(16);
    for (const header of log.headers) {
      const [block] = await storage.journal.load([header]);
      expect(isFinal(header)).toBe(true);
      for (const bytes of [block?.data, block?.erasable])
        for (const gone of [salt, Buffer.from(MINE)])
          expect(Buffer.from(bytes ?? []).includes(gone)).toBe(false);
    }
  });
});

test('the digests of one subject differ from block to block', async () => {
  const storage = memoryStorage();
  for (const agent_name of ['one', 'two']) {
    const service = openLogged(storage);
    const { agent_id } = await service.passports.create({ ...BUYER, agent_name });
    await service.verify({ agent_id, action: 'orders.list', subject: MINE });
    await closed(service, storage);
  }
  const { blocks } = await readStoredLog(storage, LOCAL_ACCOUNT);
  const digests = [...blocks.values()].map((data) => Buffer.from(openBlock(data).subjectDigest(0) ?? []));
  expect(digests.map(({ length }) => length)).toEqual([32, 32]);
  expect(digests[0]?.equals(digests[1] ?? Buffer.of())).toBe(false);
});
