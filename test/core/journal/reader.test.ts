/** Pages of records while the blocks that hold them are compacted. */
import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { createCompactor } from '../../../src/core/journal/merge/maintenance.ts';
import { createRecentBlocks } from '../../../src/core/journal/merge/merger.ts';
import { createReader } from '../../../src/core/journal/read/reader.ts';
import type { Context } from '../../../src/core/shared/context.ts';
import { packRecords } from '../../../src/journal-format/index.ts';
import type { Block, JournalStorage } from '../../../src/ports/index.ts';
import { NOON, recordOf } from '../../journal-format/records.ts';

const AT = new Date(NOON).toISOString();
const ACCOUNT = 'acc_a';
const [COMPACTED, OTHER] = ['Writer00000000001a', 'Writer00000000001b'];

/** Files and merges a block of one record for each of these seconds after noon. */
async function file(journal: JournalStorage, writer: string, seconds: readonly number[]): Promise<Block[]> {
  await journal.open(writer, AT);
  const blocks: Block[] = [];
  for (const [index, second] of seconds.entries()) {
    const record = recordOf(second, { evaluated_at: new Date(NOON + second * 1_000).toISOString() });
    for (const sealed of packRecords([{ record, bucket: 1 }])) {
      const block = { ...sealed, writer, seq: index + 1, account_id: ACCOUNT };
      await journal.file({ writer, seq: block.seq, at: AT, blocks: [block] });
      blocks.push(block);
    }
  }
  await journal.merge({ writer, from: 0, to: seconds.length, at: AT, rollups: [] });
  return blocks;
}

/** The journal; right before it loads the first blocks that a reader has listed, others are compacted. */
function compactedBeforeLoad(journal: JournalStorage, blocks: readonly Block[]): JournalStorage {
  const compactor = createCompactor(journal, createRecentBlocks());
  compactor.note(blocks);
  let isDone = false;
  return {
    ...journal,
    async load(names) {
      if (!isDone) {
        isDone = true;
        await compactor.run(60_000);
      }
      return journal.load(names);
    },
  };
}

test('a block that was compacted after it was listed costs no record, whatever stands between its records', async () => {
  const { journal } = memoryStorage();
  // The block that the others are compacted into has the newest record, and the other writer the two after it.
  const blocks = await file(journal, COMPACTED, [1, 2, 3, 4, 5, 6, 7, 10]);
  await file(journal, OTHER, [8, 9]);
  const context = { store: { journal: compactedBeforeLoad(journal, blocks) }, log: fail };
  const read = createReader(context as unknown as Context);
  const { records, next } = await read({ account_id: ACCOUNT }, 100);
  expect(await journal.blocks({ account_id: ACCOUNT, limit: 100 })).toHaveLength(3);
  expect(records.map(({ evaluated_at }) => (Date.parse(evaluated_at) - NOON) / 1_000)).toEqual([
    10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
  ]);
  expect(next).toBeNull();
});

function fail(line: unknown): void {
  throw new Error(`Logged: ${JSON.stringify(line)}`);
}
