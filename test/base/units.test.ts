import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_DECIMALS, readAmount, toAmount } from '../../src/base/money.ts';
import { toSafeUnits, toUnits, unitsAmount, unitsText } from '../../src/base/units.ts';
import { cases } from '../support/runs.ts';

const decimals = fc.integer({ min: 0, max: MAX_DECIMALS });
const units = fc.oneof(
  fc.maxSafeNat(),
  fc.nat(10_000),
  fc.integer({ min: 10 ** 15 - 1_000, max: 10 ** 15 + 1_000 }),
  fc.constantFrom(0, 1, Number.MAX_SAFE_INTEGER),
);

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
