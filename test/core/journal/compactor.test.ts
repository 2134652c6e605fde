import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { createCompactor } from '../../../src/core/journal/merge/maintenance.ts';
import { createRecentBlocks } from '../../../src/core/journal/merge/merger.ts';
import { packRecords } from '../../../src/journal-format/index.ts';
import type { Block, BlockHeader, JournalStorage } from '../../../src/ports/index.ts';
import { NOON, recordOf } from '../../journal-format/records.ts';
import { recordsIn } from '../../support/journal.ts';

const WRITER = 'Writer00000000001a';
const AT = new Date(NOON).toISOString();
const ACCOUNT = 'acc_a';
const LONG_MS = 60_000;

/** Files and merges blocks of `records` each, made `ms` one after the other. */
async function filed(journal: JournalStorage, sizes: readonly number[], stepMs = 1_000): Promise<Block[]> {
  await journal.open(WRITER, AT);
  const blocks: Block[] = [];
  let count = 0;
  for (const [index, size] of sizes.entries()) {
    const evaluated_at = new Date(NOON + index * stepMs).toISOString();
    const records = Array.from({ length: size }, () => {
      count += 1;
      return { record: recordOf(count, { evaluated_at }), bucket: 1 };
    });
    for (const sealed of packRecords(records)) {
      const block = { ...sealed, writer: WRITER, seq: index + 1, account_id: ACCOUNT };
      await journal.file({ writer: WRITER, seq: block.seq, at: AT, blocks: [block] });
      blocks.push(block);
    }
  }
  await journal.merge({ writer: WRITER, from: 0, to: sizes.length, at: AT, rollups: [] });
  return blocks;
}

async function headersIn(journal: JournalStorage): Promise<readonly BlockHeader[]> {
  return journal.blocks({ account_id: ACCOUNT, limit: 256 });
}

test('eight small blocks become one, eight of these again one, and no record is lost', async () => {
  const storage = memoryStorage();
  const { journal } = storage;
  const blocks = await filed(journal, new Array(64).fill(2));
  const before = await recordsIn(storage, ACCOUNT);
  const compactor = createCompactor(journal, createRecentBlocks());
  compactor.note(blocks);
  await compactor.run(LONG_MS);
  expect(await headersIn(journal)).toMatchObject([{ seq: 64, records: 128 }]);
  expect(await recordsIn(storage, ACCOUNT)).toEqual(before);
});

test('large blocks, and fewer than eight, stay as they are', async () => {
  const { journal } = memoryStorage();
  const blocks = await filed(journal, [...new Array(8).fill(1_024), ...new Array(7).fill(1)]);
  const compactor = createCompactor(journal, createRecentBlocks());
  compactor.note(blocks);
  await compactor.run(LONG_MS);
  expect(await headersIn(journal)).toHaveLength(15);
});

test('blocks that are more than an hour apart do not become one', async () => {
  const { journal } = memoryStorage();
  const blocks = await filed(journal, new Array(8).fill(1), 3_600_000 / 6);
  const compactor = createCompactor(journal, createRecentBlocks());
  compactor.note(blocks);
  await compactor.run(LONG_MS);
  expect(await headersIn(journal)).toHaveLength(8);
});

test('blocks of which one is damaged or gone stay as they are, and the next ones are compacted', async () => {
  const { journal } = memoryStorage();
  const blocks = await filed(journal, new Array(16).fill(1));
  const recent = createRecentBlocks();
  const spoiled = blocks.map((block, index) =>
    index === 3 ? { ...block, data: block.data.slice(1) } : block,
  );
  for (const block of spoiled) recent.add(block);
  const compactor = createCompactor(journal, recent);
  compactor.note(spoiled);
  await compactor.run(LONG_MS);
  const headers = await headersIn(journal);
  expect(headers).toHaveLength(9);
  expect(headers[0]).toMatchObject({ seq: 16, records: 8 });
});
