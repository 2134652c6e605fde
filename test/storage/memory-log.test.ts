import { expect, test } from 'vitest';
import { comparePositions, createLog } from '../../adapters/storage/memory/log.ts';
import type { JournalEntry } from '../../src/index.ts';
import { entry } from '../../src/testing/storage-contract/journal-fixtures.ts';
import { createRandom } from '../support/random.mjs';

/** More than three chunks, of a few instants, so that ids decide as well. */
const ENTRIES = 3_500;

function makeEntries(random: () => number): JournalEntry[] {
  return Array.from({ length: ENTRIES }, (_, index) => {
    const created_at = `2026-11-20T12:00:00.${String(Math.floor(random() * 500)).padStart(3, '0')}Z`;
    return entry(`dec_${String(index).padStart(6, '0')}`, { created_at, action: `action.${index}` });
  });
}

test.each([
  ['in their order', (entries: JournalEntry[]) => entries.sort(comparePositions)],
  ['in the order of their ids', (entries: JournalEntry[]) => entries],
  ['the newest first', (entries: JournalEntry[]) => entries.sort(comparePositions).reverse()],
])('entries that come %s stand in their order, and the oldest go first', (_, arrange) => {
  const random = createRandom(7);
  const log = createLog('acc_a');
  const expected: JournalEntry[] = [];
  let greatestId = '';
  for (const [index, added] of arrange(makeEntries(random)).entries()) {
    log.add(added, added.id > greatestId);
    if (added.id > greatestId) greatestId = added.id;
    expected.push(added);
    if (index % 700 === 699) {
      expected.sort(comparePositions);
      const number = Math.floor(random() * 600);
      log.dropOldest(number);
      expected.splice(0, number);
      const found = Array.from({ length: log.length }, (__, at) => log.at(at));
      expect(found).toEqual(expected);
      const at = Math.floor(random() * expected.length);
      expect(log.placeOf(expected[at])).toBe(at);
      expect(log.positionAt(at)).toEqual({ id: expected[at]?.id, created_at: expected[at]?.created_at });
      expect(log.placeOf(undefined)).toBe(log.length);
      expect(log.placeOf({ created_at: '2027', id: '' })).toBe(log.length);
    }
  }
  log.dropOldest(log.length);
  expect(log.length).toBe(0);
  log.add(entry('dec_0'), false);
  expect(log.at(0).id).toBe('dec_0');
});
