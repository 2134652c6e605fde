/** Ids that come again are found in a memory that does not grow: in several passes, each id in exactly one of them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIdSet } from '../../src/log-tree/id-set.ts';

/** The ids that a set of passes with so many places finds a second time. */
function repeatedIn(ids: readonly string[], places: number): string[] {
  const first = createIdSet(0, 1, places);
  const found = ids.filter((id) => !first.isFirst(id));
  for (let pass = 1; pass < first.passes; pass += 1) {
    const set = createIdSet(pass, first.passes, places);
    found.push(...ids.filter((id) => !set.isFirst(id)));
  }
  return [...new Set(found)].sort();
}

test('each id that comes twice is found, and no other, whatever the size of the table', () => {
  const id = fc.stringMatching(/^dec_[0-9A-Za-z]{8}$/);
  fc.assert(
    fc.property(
      fc.uniqueArray(id, { maxLength: 600 }),
      fc.nat({ max: 20 }),
      fc.constantFrom(16, 64, 4_096),
      (ids, again, places) => {
        const twice = ids.slice(0, again);
        expect(repeatedIn([...ids, ...twice], places)).toEqual([...twice].sort());
      },
    ),
  );
});

test('the first pass alone is enough for few, and more are needed for many', () => {
  const ids = Array.from({ length: 1_000 }, (_, number) => `evt_${number}`);
  const [small, large] = [createIdSet(0, 1, 256), createIdSet(0, 1, 4_096)];
  for (const id of ids) for (const set of [small, large]) expect(set.isFirst(id)).toBe(true);
  expect(large.passes).toBe(1);
  expect(small.passes).toBeGreaterThan(4);
});
