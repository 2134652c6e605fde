import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  MAX_DECIMALS,
  readAmount,
  toAmount,
  toSafeUnits,
  toUnits,
  unitsAmount,
  unitsText,
} from '../../../src/base/values/money.ts';
import { cases } from '../../support/runs.ts';

const decimals = fc.integer({ min: 0, max: MAX_DECIMALS });
const units = fc.oneof(
  fc.maxSafeNat(),
  fc.nat(10_000),
  fc.integer({ min: 10 ** 15 - 1_000, max: 10 ** 15 + 1_000 }),
  fc.constantFrom(0, 1, Number.MAX_SAFE_INTEGER),
);

test.each([
  [0, 0, 0],
  [1_999, 2, 19.99],
  [7, 0, 7],
  [1, 6, 0.000001],
  [1_500_000, 6, 1.5],
  [1e15, 6, 1e9],
  [Number.MAX_SAFE_INTEGER, 2, '90071992547409.91'],
])('%j units of %j places are the amount %j', (count, places, amount) => {
  expect(unitsAmount(count, places)).toBe(amount);
  expect(unitsText(count, places)).toBe(`${amount}`);
  expect(toUnits(amount, places)).toBe(BigInt(count));
  expect(toSafeUnits(amount, places)).toBe(count);
});

test('more units than a counter holds are none, and more places than a unit has are refused', () => {
  expect(toSafeUnits('90071992547409.92', 2)).toBeUndefined();
  expect(toSafeUnits(1e15, 2)).toBeUndefined();
  expect(toUnits(1e15, 2)).toBe(10n ** 17n);
  expect(() => toUnits('0.001', 2)).toThrow(RangeError);
  expect(() => toSafeUnits(0.001, 2)).toThrow('more decimals');
  expect(() => toSafeUnits('90071992547409.991', 2)).toThrow('more decimals');
});

test('the amount of a number of units is what their text says, and gives the units again', () => {
  fc.assert(
    fc.property(units, decimals, (count, places) => {
      const amount = unitsAmount(count, places);
      expect(amount).toBe(toAmount(unitsText(count, places)));
      if (Number(amount) > 1e15) return;
      expect(toSafeUnits(amount, places)).toBe(count);
      expect(toUnits(amount, places)).toBe(BigInt(count));
    }),
    { numRuns: cases() },
  );
});

test('the units of an amount are those of its digits, or more than a counter holds', () => {
  const amounts = fc.oneof(
    fc.double({ min: 0, max: 1e15, noNaN: true }),
    fc.integer({ min: 0, max: 1e9 }).map((cents) => cents / 100),
    fc
      .tuple(fc.nat(10 ** 9), fc.nat(999_999))
      .map(([whole, part]) => `${whole}.${`${part}`.padStart(6, '0')}`),
  );
  fc.assert(
    fc.property(amounts, decimals, (given, places) => {
      const amount = readAmount(given, places);
      if (amount === null) return;
      const exact = toUnits(amount, places);
      const expected = exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : undefined;
      expect(toSafeUnits(amount, places)).toBe(expected);
    }),
    { numRuns: cases() },
  );
});
