import { expect, test } from 'vitest';
import { wholeNumber } from '../../../src/base/values/whole-number.ts';

test.each([10, 11, 60_000])('%s is between its bounds', (value) => {
  expect(wholeNumber('timeoutMs', value, { from: 10, to: 60_000 })).toBe(value);
});

test.each([9, 60_001, 10.5, Number.NaN, Number.POSITIVE_INFINITY, '100' as never])(
  '%s is refused, and the bounds are named',
  (value) => {
    expect(() => wholeNumber('timeoutMs', value, { from: 10, to: 60_000 })).toThrow(
      expect.objectContaining({
        code: 'invalid_configuration',
        message: 'timeoutMs must be a whole number from 10 to 60,000.',
      }),
    );
  },
);
