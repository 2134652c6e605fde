import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLengthOf } from '../../../src/core/storage/caches.ts';

const text = fc.stringMatching(/^[ -!#-[\]-~\u00a0-\ud7ff]{0,40}$/);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    text,
    fc.integer({ min: -9_999, max: 99_999 }),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('any'), { maxLength: 8 }),
  object: fc.dictionary(text, tie('any'), { maxKeys: 8 }),
}));

test.each([
  ['', 3],
  ['abc', 6],
  [0, 4],
  [true, 7],
  [null, 7],
  [[], 3],
  [{}, 3],
  [['a', 1, null], 3 + 4 + 4 + 7],
  [{ ab: 'c', d: [1] }, 3 + (2 + 3 + 4) + (1 + 3 + 3 + 4)],
  [{ none: null }, 3 + 4 + 3 + 7],
  [{ none: undefined }, 3 + 4 + 3 + 12],
])('%j is counted as %i characters', (value, characters) => {
  expect(jsonLengthOf(value as never)).toBe(characters);
});

test('a value is counted for no less than its JSON, and for little more', () => {
  fc.assert(
    fc.property(value.any, (any) => {
      const { length } = JSON.stringify(any);
      const values = JSON.stringify(any).split(/[,:]/).length;
      const counted = jsonLengthOf(any as never);
      expect(counted).toBeGreaterThanOrEqual(length);
      expect(counted).toBeLessThanOrEqual(length + 6 * values);
    }),
  );
});
