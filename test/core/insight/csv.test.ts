import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, csvSpeller } from '../../../src/core/insight/csv.ts';
import { openBlock, packRecords } from '../../../src/journal-format/index.ts';
import { inOrder, recordOf, timedRecords } from '../../journal-format/records.ts';
import { csvLine as lineAlone } from '../../support/csv.ts';

test('the lines of a block are those of its records, spelled one by one', () => {
  fc.assert(
    fc.property(timedRecords(3_600_000), (records) => {
      for (const { data, erasable } of packRecords(inOrder(records))) {
        const view = openBlock(data, erasable);
        const cellsOf = csvSpeller(view);
        for (let place = 0; place < view.length; place += 1) {
          expect(csvLine(cellsOf(place), null)).toBe(lineAlone(view.record(place)));
        }
      }
    }),
  );
});

test('what a spreadsheet would run is no formula, and what parts cells is quoted', () => {
  const hostile = ['=1+1', '+1', '-1', '@a', '\tx', '\rx', 'a,b', 'a"b', 'a\r\nb'];
  const records = hostile.map((text, count) => ({
    record: recordOf(count, {
      ...{ agent_id: text, action: text, target: text, key_id: text, request_id: text },
      ...{ subject: text, approval_id: text },
    }),
    bucket: 0,
  }));
  const [block] = packRecords(records);
  const cellsOf = csvSpeller(openBlock(block?.data ?? new Uint8Array(), block?.erasable));
  const lineOf = (place: number): string => csvLine(cellsOf(place), null);
  for (const [place, { record }] of records.entries()) expect(lineOf(place)).toBe(lineAlone(record));
  expect(lineOf(0)).toContain(",'=1+1,'=1+1,'=1+1,");
  expect(lineOf(7)).toContain('"a""b"');
});
