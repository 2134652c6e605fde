/** Ids that come again are found in a memory that does not grow: in several passes, each id in exactly one of them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIdSet } from '../../src/transparency-log/id-set.ts';

/** The ids that a set of passes finds a second time, with tables of `places` places. */
function repeatedIn(ids: readonly string[], places: number): string[] {
  const first = createIdSet({ maxPlaces: places });
  const found = ids.filter((id) => !first.isFirst(id));
  for (let pass = 1; pass < first.passes; pass += 1) {
    const set = createIdSet({ pass, passes: first.passes, maxPlaces: places });
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
  const [small, large] = [createIdSet({ maxPlaces: 256 }), createIdSet({ maxPlaces: 4_096 })];
  for (const id of ids) for (const set of [small, large]) expect(set.isFirst(id)).toBe(true);
  expect(large.passes).toBe(1);
  expect(small.passes).toBeGreaterThan(4);
});

test('a set for as many ids as come has its table from the start, and one of any size stays below its limit', () => {
  const allocated: number[] = [];
  const { Uint32Array: Table } = globalThis;
  globalThis.Uint32Array = class extends Table {
    constructor(length: number) {
      super(length);
      allocated.push(length);
    }
  } as typeof Uint32Array;
  try {
    const set = createIdSet({ expected: 20_000 });
    for (let number = 0; number < 20_000; number += 1) set.isFirst(`evt_${number}`);
    createIdSet({ expected: Number.MAX_SAFE_INTEGER, maxPlaces: 4_096 });
    expect(allocated).toEqual([2 * 65_536, 2 * 4_096]);
  } finally {
    globalThis.Uint32Array = Table;
  }
});
