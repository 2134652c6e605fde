import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { crc32 } from '../../../src/base/bytes/crc32.ts';
import { packRecords, type SealedBlock } from '../../../src/journal-format/index.ts';
import type { Block, StorageAdapter } from '../../../src/ports/index.ts';
import { recordOf } from '../../journal-format/records.ts';
import { fileBlocks } from '../../support/journal.ts';
import { MINUTE, openLocalService, START } from '../../support/service.ts';

const ACCOUNT = 'acc_local';
const RECORDS = 5;

/** A block of five records; those of the block before are a minute older. */
function sealed(index: number): SealedBlock {
  const evaluated_at = new Date(START + index * MINUTE).toISOString();
  const records = Array.from({ length: RECORDS }, (_, count) => ({
    record: recordOf(index * RECORDS + count, { evaluated_at }),
    bucket: 1,
  }));
  const [block] = packRecords(records);
  if (block === undefined) throw new Error('No block.');
  return block;
}

const SPOILED: Readonly<Record<string, (data: Uint8Array) => Uint8Array>> = {
  'a flipped byte': (data) => changed(data, 40, (byte) => byte ^ 1),
  'its second half cut off': (data) => data.slice(0, data.length / 2),
  'no byte': () => new Uint8Array(),
  'the bytes of something else': () => new TextEncoder().encode('{"verdict":"ALLOW"}'),
  'the bytes of a newer version': (data) => withCrc(changed(data, 0, (version) => version + 1)),
  'columns that end too early': (data) => withCrc(changed(data, 1, () => 1)),
};

function changed(data: Uint8Array, at: number, change: (byte: number) => number): Uint8Array {
  const copy = data.slice();
  copy[at] = change(copy[at] as number);
  return copy;
}

function withCrc(data: Uint8Array): Uint8Array {
  const end = data.length - 4;
  new DataView(data.buffer).setUint32(end, crc32(data, end), true);
  return data;
}

/** Three blocks, of which the second is spoiled. */
async function opened(spoil: (data: Uint8Array) => Uint8Array): Promise<StorageAdapter> {
  const storage = memoryStorage();
  const blocks = [sealed(0), sealed(1), sealed(2)].map((block, index) =>
    index === 1 ? { ...block, data: spoil(block.data) } : block,
  );
  await fileBlocks(storage, ACCOUNT, blocks);
  return storage;
}

describe.each(Object.entries(SPOILED))('a block with %s', (name, spoil) => {
  const isNewer = name.includes('newer');

  test('is named in the log once and passed over; all others are served, counted and merged', async () => {
    const storage = await opened(spoil);
    const { service, logs, timers } = openLocalService({ storage });
    const expected = [2, 0].flatMap((index) =>
      Array.from(
        { length: RECORDS },
        (_, count) => recordOf(index * RECORDS + RECORDS - 1 - count).decision_id,
      ),
    );
    for (let round = 0; round < 2; round += 1) {
      const { data } = await service.verifications.list();
      expect(data.map(({ decision_id }) => decision_id)).toEqual(expected);
    }
    const from = new Date(START).toISOString();
    const to = new Date(START + 60 * MINUTE).toISOString();
    const count = async () => (await service.analytics({ from, to })).overview.total_verifications;
    expect(await count()).toBe(2 * RECORDS);
    // Writers that are gone are merged after a minute; then the sums come from the rollups alone.
    await timers.pass(6 * MINUTE);
    const { unmerged } = await storage.journal.sums({
      account_id: ACCOUNT,
      environment: 'live',
      agent_id: '',
      parts: [],
    });
    // A node of the release that wrote it merges it.
    expect(unmerged).toHaveLength(isNewer ? 1 : 0);
    expect(await count()).toBe(2 * RECORDS);
    const lines = logs.filter(({ event }) => event === 'journal_block_damaged');
    // Once by the list, once by analytics and once by the merge, which leaves a newer one as it is.
    expect(lines).toHaveLength(isNewer ? 2 : 3);
    const writer = expect.stringMatching(/^Support/);
    for (const line of lines) {
      expect(line).toMatchObject({
        level: 'error',
        writer,
        seq: 1,
        account_id: ACCOUNT,
        records: RECORDS,
        damaged: 1,
      });
      expect(String(line['cause'])).toContain(isNewer ? 'newer version' : 'damaged');
    }
  });
});

test('a commit that was given up and comes late changes nothing', async () => {
  const inner = memoryStorage();
  let late: (() => Promise<string>) | undefined;
  const storage: StorageAdapter = {
    ...inner,
    journal: {
      ...inner.journal,
      async file(flush) {
        if (late !== undefined) return inner.journal.file(flush);
        late = () => inner.journal.file(flush);
        throw new Error('The server does not answer.');
      },
    },
  };
  const { service } = openLocalService({ storage, journal: 'strict' });
  const intent = { agent_id: 'did:web:example.com:agents:nobody', action: 'x' };
  await expect(service.verify(intent)).rejects.toMatchObject({ code: 'storage_unavailable' });
  const { decision_id } = await service.verify(intent);
  expect(await late?.()).toBe('known');
  const { data } = await service.verifications.list();
  expect(data.map((record) => record.decision_id)).toEqual([decision_id]);
  expect((await service.analytics()).overview.total_verifications).toBe(1);
});

test('a writer id that is known already is not used twice', async () => {
  const storage = memoryStorage();
  const intent = { agent_id: 'did:web:example.com:agents:nobody', action: 'x' };
  // The same bytes in both services, until a second writer is asked for.
  const random = () => {
    let asked = 0;
    const next = () => {
      asked += 1;
      return (asked * 7) % 248;
    };
    return {
      bytes: (length: number) => new Uint8Array(length).map(() => next()),
    };
  };
  const ids: string[] = [];
  for (const own of [random(), random()]) {
    const { service } = openLocalService({ storage, random: own });
    await service.verify(intent);
    await service.verifications.list();
    const writers = await storage.journal.writers();
    ids.push(...writers.map(({ id }) => id).filter((id) => !ids.includes(id)));
  }
  expect(ids).toHaveLength(2);
  const blocks: readonly Partial<Block>[] = await storage.journal.blocks({ account_id: ACCOUNT, limit: 16 });
  expect(new Set(blocks.map(({ writer }) => writer))).toEqual(new Set(ids));
});

test('a cursor of before a compaction goes on after it, and one of another list is refused', async () => {
  const storage = memoryStorage();
  await fileBlocks(storage, ACCOUNT, [sealed(0), sealed(1), sealed(2)]);
  const { service } = openLocalService({ storage });
  const first = await service.verifications.list({ limit: 7 });
  const cursor = first.next_cursor;
  const filed = await storage.journal.blocks({ account_id: ACCOUNT, limit: 16 });
  for (const { writer } of filed) {
    await storage.journal.merge({ writer, from: 0, to: 1, at: new Date(START).toISOString(), rollups: [] });
    const [block] = await storage.journal.load(filed.filter((header) => header.writer === writer));
    if (block !== undefined) expect(await storage.journal.compact([block], block)).toBe(true);
  }
  const rest = await service.verifications.list({ limit: 100, cursor });
  const ids = [...first.data, ...rest.data].map(({ decision_id }) => decision_id);
  expect(new Set(ids).size).toBe(3 * RECORDS);
  expect(ids).toHaveLength(3 * RECORDS);
  const refusal = {
    code: 'invalid_request',
    details: { errors: [{ path: '/cursor', code: 'invalid_cursor' }] },
  };
  await expect(service.verifications.list({ verdict: 'DENY', cursor })).rejects.toMatchObject(refusal);
  await expect(service.verifications.list({ cursor: 'eyJhdCI6MX0' })).rejects.toMatchObject(refusal);
});
