/** Blocks that become one while the node answers. */
import { expect, test } from 'vitest';
import { joinBlocks } from '../../../src/core/journal/merge/join-blocks.ts';
import { namedBlock, openBlock, packRecords } from '../../../src/journal-format/index.ts';
import { NOON, recordOf } from '../../journal-format/records.ts';

const [BLOCKS, RECORDS, AT_ONCE] = [8, 500, 64];

test('thousands of records are joined piece by piece, and between two pieces other work may run', async () => {
  const blocks = Array.from({ length: BLOCKS }, (_, number) => {
    const records = Array.from({ length: RECORDS }, (_, at) => {
      const count = at * BLOCKS + number;
      return { record: recordOf(count, { evaluated_at: new Date(NOON + count).toISOString() }), bucket: 1 };
    });
    const [sealed] = packRecords(records);
    if (sealed === undefined) throw new Error('There is no block.');
    return namedBlock(sealed, { writer: 'w', seq: number + 1, account_id: 'acc_1' });
  });
  let turns = 0;
  const joined = await joinBlocks(blocks, async () => {
    turns += 1;
  });
  expect(turns).toBe(Math.ceil((BLOCKS * RECORDS) / AT_ONCE));
  expect(joined).toMatchObject({ seq: BLOCKS, records: BLOCKS * RECORDS });
  const { times, length } = openBlock(joined?.data ?? new Uint8Array());
  expect(Array.from({ length }, (_, place) => times[place])).toEqual(
    Array.from({ length: BLOCKS * RECORDS }, (_, count) => NOON + count),
  );
});
