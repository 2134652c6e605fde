import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { createRecentBlocks, loadRecent } from '../../../src/core/journal/merge/merger.ts';
import { packRecords } from '../../../src/journal-format/index.ts';
import type { Block } from '../../../src/ports/index.ts';
import { recordOf } from '../../journal-format/records.ts';

function blockOf(seq: number, bytes = 0): Block {
  const [sealed] = packRecords([{ record: recordOf(seq), bucket: 1 }]);
  if (sealed === undefined) throw new Error('No block.');
  const data = bytes === 0 ? sealed.data : new Uint8Array(bytes);
  return { ...sealed, data, writer: 'Writer00000000001a', seq, account_id: 'acc_a' };
}

test('a block that is forgotten while others are loaded is there all the same', async () => {
  const { journal } = memoryStorage();
  const [first, second, third] = [blockOf(1), blockOf(2), blockOf(3)];
  await journal.open(first.writer, '2026-11-20T12:00:00.000Z');
  for (const block of [first, second, third]) {
    const { writer, seq } = block;
    await journal.file({ writer, seq, at: '2026-11-20T12:00:00.000Z', blocks: [block] });
  }
  const recent = createRecentBlocks();
  recent.add(first);
  recent.add(third);
  const forgetful: Pick<typeof journal, 'load'> = {
    async load(names) {
      expect(names).toEqual([second]);
      const loaded = await journal.load(names);
      for (let seq = 4; seq < 12; seq += 1) recent.add(blockOf(seq, 1_000_000));
      expect([recent.get(first), recent.get(third)]).toEqual([undefined, undefined]);
      return loaded;
    },
  };
  expect(await loadRecent(forgetful, recent, [first, second, third])).toEqual([first, second, third]);
  const gone = blockOf(20);
  expect(await loadRecent(journal, createRecentBlocks(), [gone, second])).toEqual([undefined, second]);
});

test('small blocks are weighed with what they cost beside their bytes', () => {
  const recent = createRecentBlocks();
  for (let seq = 1; seq <= 10_000; seq += 1) recent.add(blockOf(seq));
  const kept = Array.from({ length: 10_000 }, (_, index) => recent.get(blockOf(index + 1))).filter(Boolean);
  expect(kept.length).toBeGreaterThan(1_000);
  expect(kept.length).toBeLessThan(4_000);
  expect(recent.get(blockOf(10_000))?.seq).toBe(10_000);
});
