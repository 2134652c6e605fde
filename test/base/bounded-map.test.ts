import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBoundedMap } from '../../src/base/bounded-map.ts';

test('a bounded map has the latest entries, and never more than twice as many', () => {
  const keys = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 200 });
  fc.assert(
    fc.property(keys, fc.integer({ min: 1, max: 8 }), (set, least) => {
      const map = createBoundedMap<number, number>(least);
      set.forEach((key, at) => {
        map.set(key, at);
      });
      const held = Array.from({ length: 31 }, (_, key) => map.get(key)).filter((at) => at !== undefined);
      expect(held.length).toBeLessThanOrEqual(2 * least);
      const latest = new Set(set.toReversed());
      for (const key of [...latest].slice(0, least)) expect(map.get(key)).toBe(set.lastIndexOf(key));
    }),
    { seed: 20261123, numRuns: 1_000 },
  );
});
