import fc from 'fast-check';
import { expect, test } from 'vitest';
import { floorTo, stretches } from '../../../src/base/values/time-buckets.ts';
import { RESOLUTION_MS } from '../../../src/ports/index.ts';
import { cases } from '../../support/runs.ts';

const MINUTE = RESOLUTION_MS.minute;
const minutes = fc.integer({ min: 0, max: 60 * 24 * 400 });
const coarsest = fc.constantFrom('minute', 'hour', 'day');

test('stretches cover the range exactly, in order, each on its own grid, in at most five', () => {
  fc.assert(
    fc.property(minutes, minutes, coarsest, (a, b, resolution) => {
      const from = Math.min(a, b) * MINUTE;
      const to = Math.max(a, b) * MINUTE;
      const parts = stretches(from, to, resolution);
      expect(parts.length).toBeLessThanOrEqual(5);
      let at = from;
      for (const part of parts) {
        expect(part.from).toBe(at);
        expect(part.to).toBeGreaterThan(part.from);
        expect(floorTo(part.resolution, part.from)).toBe(part.from);
        expect(floorTo(part.resolution, part.to)).toBe(part.to);
        expect(RESOLUTION_MS[part.resolution]).toBeLessThanOrEqual(RESOLUTION_MS[resolution]);
        at = part.to;
      }
      expect(at).toBe(to);
    }),
    { seed: 20261120, numRuns: cases(2_000) },
  );
});

test('whole days in the middle are read as days', () => {
  const day = RESOLUTION_MS.day;
  const parts = stretches(day - 2 * MINUTE, 3 * day + MINUTE, 'day');
  expect(parts.map(({ resolution }) => resolution)).toEqual(['minute', 'day', 'minute']);
});
