import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalPairArbitrary } from '../../src/testing/arbitraries.ts';
import { codes } from '../support/question.ts';
import { cases, sized } from '../support/runs.ts';

const PAIRS = cases(100_000);

interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

function fractionOf(text: string): Fraction {
  const [whole = '', fraction = ''] = text.split('.');
  return { numerator: BigInt(whole + fraction), denominator: 10n ** BigInt(fraction.length) };
}

function exceeds(amount: string, limit: string): boolean {
  const [a, b] = [fractionOf(amount), fractionOf(limit)];
  return a.numerator * b.denominator > b.numerator * a.denominator;
}

/** As text, and as a number where its shortest text is the same: each must be evaluated alike. */
function spellings(text: string): (string | number)[] {
  return String(Number(text)) === text ? [text, Number(text)] : [text];
}

test('at the limit is allowed and above it denied, for thousands of pairs of decimals', () => {
  let near = 0;
  const pairs = fc.sample(decimalPairArbitrary(), { numRuns: PAIRS });
  for (const { limit, amount } of pairs) {
    const expected = exceeds(amount, limit) ? 'amount_over_limit' : 'ALLOW';
    for (const monetary_limit_per_txn of spellings(limit)) {
      for (const value of spellings(amount)) {
        const [found] = codes({ monetary_limit_per_txn }, { parameters: { amount: value } });
        if (found !== expected)
          expect({ limit, amount, value, found }).toEqual({ limit, amount, value, expected });
      }
    }
    if (isWithinAUnit(limit, amount)) near += 1;
  }
  expect(near).toBeGreaterThan(PAIRS * 0.4);
});

test('no price in cents up to 1,000.00 is refused at a limit of itself', () => {
  for (let cents = 0; cents <= 100_000; cents += sized(1, 7)) {
    const amount = cents / 100;
    if (
      codes(
        { currency: 'EUR', monetary_limit_per_txn: amount },
        { parameters: { amount, currency: 'EUR' } },
      )[0] !== 'ALLOW'
    )
      expect(amount).toBe('allowed');
  }
});

test('19.99 is within a limit of 19.99, in any spelling', () => {
  for (const monetary_limit_per_txn of [19.99, '19.99', '19.990']) {
    for (const amount of [19.99, '19.99', '19.9900000']) {
      expect(codes({ monetary_limit_per_txn }, { parameters: { amount } })).toEqual(['ALLOW']);
    }
    expect(codes({ monetary_limit_per_txn }, { parameters: { amount: 19.990001 } })).toEqual([
      'amount_over_limit',
    ]);
  }
});

test('amounts that are one double differ as text', () => {
  const limit = { monetary_limit_per_txn: '999999999999999.123456' };
  expect(codes(limit, { parameters: { amount: '999999999999999.123456' } })).toEqual(['ALLOW']);
  expect(codes(limit, { parameters: { amount: '999999999999999.123457' } })).toEqual(['amount_over_limit']);
  expect(codes(limit, { parameters: { amount: 999999999999999.1 } })).toEqual(['ALLOW']);
  expect(codes(limit, { parameters: { amount: 1e15 } })).toEqual(['amount_over_limit']);
});

function isWithinAUnit(limit: string, amount: string): boolean {
  const places = Math.max(...[limit, amount].map((text) => text.split('.')[1]?.length ?? 0));
  const unitsOf = (text: string) => {
    const { numerator, denominator } = fractionOf(text);
    return (numerator * 10n ** BigInt(places)) / denominator;
  };
  const apart = unitsOf(amount) - unitsOf(limit);
  return apart >= -1n && apart <= 1n;
}
