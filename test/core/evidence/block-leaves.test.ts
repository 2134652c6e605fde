/** The leaves of a block of permits. */
import { expect, test } from 'vitest';
import { leavesOf } from '../../../src/evidence/block-leaves.ts';
import { namedBlock, packRecords } from '../../../src/journal-format/index.ts';
import { recordOf } from '../../journal-format/records.ts';

const PERMITS = 1_000;
const AT_ONCE = 64;

test('a thousand permits are read piece by piece, and between two pieces other work may run', async () => {
  const records = Array.from({ length: PERMITS }, (_, count) => ({
    record: recordOf(count, { permit_audience: 'https://till.example', subject: 'someone' }),
    bucket: 0,
  }));
  const [sealed] = packRecords(records);
  if (sealed === undefined) throw new Error('There is no block.');
  let turns = 0;
  const nextSlice = async () => {
    turns += 1;
  };
  const block = namedBlock(sealed, { writer: 'w', seq: 7, account_id: 'acc_1' });
  const [whole, ...permits] = await leavesOf(block, { readBlock: (_, read) => read(), nextSlice });
  expect(turns).toBe(Math.ceil(PERMITS / AT_ONCE));
  expect(whole?.content).toMatchObject({
    kind: 'verdicts',
    block: 'w.7',
    records: PERMITS,
    permits: PERMITS,
  });
  expect(permits.map(({ subject }) => subject)).toEqual(records.map(({ record }) => record.decision_id));
  expect(permits.at(-1)?.position).toEqual(['w', [7, PERMITS]]);
  expect(JSON.stringify(permits)).not.toContain('someone');
});
