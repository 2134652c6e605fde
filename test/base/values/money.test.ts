import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amountText,
  compareAmounts,
  currencyCode,
  currencyDecimals,
  readAmount,
  toAmount,
} from '../../../src/base/values/money.ts';
import type { Amount } from '../../../src/records.ts';
import { decimalPairArbitrary } from '../../../src/testing/arbitraries.ts';
import { cases } from '../../support/runs.ts';
import { microsOf } from '../../support/textbook.ts';

const decimals = fc.integer({ min: 0, max: 6 });

function millionths(text: string): bigint {
  return microsOf(text, 6) ?? -1n;
}

describe('an amount', () => {
  test('is read exactly, or not at all', () => {
    const numbers = fc.oneof(
      fc.double(),
      fc.double({ min: 0, max: 1e15 }),
      fc.tuple(fc.nat({ max: 2 ** 31 - 1 }), decimals).map(([units, places]) => units / 10 ** places),
      fc.tuple(fc.maxSafeNat(), decimals).map(([units, places]) => units / 10 ** places),
    );
    const texts = fc.oneof(fc.string(), fc.stringMatching(/^[0-9]{1,17}(\.[0-9]{0,9})?$/));
    fc.assert(
      fc.property(fc.oneof(numbers, texts), decimals, (value, places) => {
        const amount = readAmount(value, places);
        const expected = microsOf(value, places);
        expect(amount === null ? undefined : millionths(amountText(amount))).toBe(expected);
      }),
      { numRuns: cases(50_000) },
    );
  });

  test('that is a number has the decimals of its shortest text, up to the greatest', () => {
    // 4473759649.18 is refused by a check in doubles up to 2^52.
    for (const value of [0, 0.1, 19.99, 4473759649.18, 999999999999999.1, 1e15, 0.000001, 1125899906842.62]) {
      expect(readAmount(value)).toBe(value);
    }
    for (const value of [-0, 1e-7, 0.1 + 0.2, 1e15 + 1, 1e21, -1, Number.NaN, Number.NEGATIVE_INFINITY]) {
      expect(readAmount(value)).toBeNull();
    }
  });

  test('that is text follows the grammar; trailing zeros do not count', () => {
    expect(readAmount('19.990000000000')).toBe(19.99);
    expect(readAmount('100.00', 0)).toBe(100);
    expect(readAmount('0.0')).toBe(0);
    expect(readAmount('1000000000000000.0')).toBe(1e15);
    expect(readAmount('999999999999999.123456')).toBe('999999999999999.123456');
    for (const text of [
      '',
      '00',
      '01',
      '1.',
      '.1',
      '-0',
      '+1',
      '1e2',
      '0x1',
      '1 ',
      '\u0661',
      '1\n',
      '0.0000001',
    ]) {
      expect(readAmount(text)).toBeNull();
    }
    expect(readAmount('1000000000000000.000001')).toBeNull();
    expect(readAmount('10000000000000000')).toBeNull();
  });

  test('is nothing else', () => {
    for (const value of [undefined, null, true, 1n, [1], ['1'], {}, new Number(1), Symbol('1'), () => 1]) {
      expect(readAmount(value)).toBeNull();
    }
  });

  test('of a million digits is read in linear time', () => {
    expect(readAmount(`1.${'0'.repeat(1_000_000)}`)).toBe(1);
    expect(readAmount(`1.${'0'.repeat(1_000_000)}1`)).toBeNull();
    expect(readAmount('9'.repeat(1_000_000))).toBeNull();
  });
});

test('canonical text becomes a number only where the number says the same', () => {
  fc.assert(
    fc.property(decimalPairArbitrary(), ({ limit }) => {
      const amount = toAmount(limit);
      expect(String(amount)).toBe(limit);
      expect(typeof amount).toBe(String(Number(limit)) === limit ? 'number' : 'string');
    }),
    { numRuns: cases() },
  );
});

test('amounts compare as the decimals they say, in any spelling', () => {
  fc.assert(
    fc.property(decimalPairArbitrary(), ({ limit, amount }) => {
      const apart = millionths(amount) - millionths(limit);
      const expected = apart === 0n ? 0 : apart < 0n ? -1 : 1;
      expect(Math.sign(compareAmounts(toAmount(amount), toAmount(limit)))).toBe(expected);
      expect(Math.sign(compareAmounts(amount, toAmount(limit)))).toBe(expected);
      expect(Math.sign(compareAmounts(amount, limit))).toBe(expected);
    }),
    { numRuns: cases() },
  );
});

describe('a currency', () => {
  test('has the decimals of ISO 4217', () => {
    const some = {
      EUR: 2,
      USD: 2,
      JPY: 0,
      KRW: 0,
      ISK: 0,
      UYI: 0,
      KWD: 3,
      TND: 3,
      CLF: 4,
      UYW: 4,
      XAU: 6,
      XXX: 6,
    };
    for (const [code, places] of Object.entries(some)) expect(currencyDecimals(code)).toBe(places);
  });

  test('may be a recent one, but not one that was withdrawn', () => {
    for (const code of ['SLE', 'VED', 'VES', 'ZWG', 'XCG', 'XAD', 'MRU', 'STN'])
      expect(currencyDecimals(code)).toBe(2);
    for (const code of ['HRK', 'SLL', 'ZWL', 'CUC', 'ANG', 'BGN', 'LTL', 'DEM', 'VEF', 'MRO', 'STD']) {
      expect(currencyDecimals(code)).toBeUndefined();
    }
  });

  test('is a code in capitals and nothing else', () => {
    for (const text of ['', 'eur', 'Eur', 'EURO', 'EU', 'E UR', '978', 'toString', '__proto__']) {
      expect(currencyDecimals(text)).toBeUndefined();
    }
  });

  test('is recorded as it is named, where it is one', () => {
    for (const code of ['EUR', 'JPY', 'XAU']) expect(currencyCode(code)).toBe(code);
    for (const named of ['eur', 'HRK', '', undefined, null, 978, ['EUR'], new String('EUR')]) {
      expect(currencyCode(named)).toBeNull();
    }
  });

  test('is one of 178, of which all but the newest are known to Intl', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const every = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
    const known = every.filter((code) => currencyDecimals(code) !== undefined);
    const names = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' });
    expect(known).toHaveLength(178);
    const unheard = known.filter((code) => names.of(code) === undefined);
    expect(['XAD']).toEqual(expect.arrayContaining(unheard));
  });
});

test.each<[Amount, Amount, number]>([
  [1, 2, -1],
  [2, 1, 1],
  [1.5, 1.5, 0],
  ['999999999999999.123456', '999999999999999.123456', 0],
  ['999999999999999.123456', '999999999999999.123457', -1],
  ['999999999999999.123457', '999999999999999.123456', 1],
  ['999999999999998.9999', '999999999999999.123456', -1],
  ['100000000000000.123457', '999999999999999.123456', -1],
  ['999999999999999.123456', 1e15, -1],
  [1e15, '999999999999999.123456', 1],
  ['999999999999999.123456', 2, 1],
  ['999999999999999.123456', 999999999999999.1, 1],
  ['999999999999999.123456', 999999999999999.2, -1],
  [999999999999999, '999999999999999.123456', -1],
  [999999999999999.1, '999999999999999.123456', -1],
  [999999999999999.2, '999999999999999.123456', 1],
])('%s compares with %s as %i', (a, b, sign) => {
  expect(Math.sign(compareAmounts(a, b))).toBe(sign);
});

test.each<[unknown, number, Amount | null]>([
  [1.5, 0, null],
  ['1.5', 0, null],
  [15, 0, 15],
  ['15.0', 0, 15],
  [1.25, 1, null],
  ['1.25', 1, null],
  [1.2, 1, 1.2],
  [1.25, 2, 1.25],
  ['1.25', 2, 1.25],
  [999999999999999, 0, 999999999999999],
  [1e15, 0, 1e15],
  [1e15 + 2, 0, null],
  [99999999999999.9, 1, 99999999999999.9],
  [999999999999999.9, 1, 999999999999999.9],
  [999999999999999.9, 0, null],
  ['999999999999999.9', 0, null],
  [1e-6, 6, 1e-6],
  [1e-6, 5, null],
  [4473759649.18, 2, 4473759649.18],
  [4473759649.181, 2, null],
])('%s with at most %i decimals is %s', (value, decimals, amount) => {
  expect(readAmount(value, decimals)).toBe(amount);
});

test.each<[Amount, string]>([
  [0, '0'],
  [0.01, '0.01'],
  [0.1, '0.1'],
  [0.29, '0.29'],
  [1, '1'],
  [1.005, '1.005'],
  [0.001, '0.001'],
  [0.000001, '0.000001'],
  [9_999_999.99, '9999999.99'],
  [10_000_000, '10000000'],
  [10_000_000.01, '10000000.01'],
  [1e15, '1000000000000000'],
  [999999999999999.9, '999999999999999.9'],
  [90071992547409.94, '90071992547409.94'],
  ['999999999999999.123456', '999999999999999.123456'],
])('%s is spelled %s, and read from it', (amount, text) => {
  expect(amountText(amount)).toBe(text);
  expect(toAmount(text)).toBe(amount);
});

test('an amount is spelled as its shortest decimal text, cents or not', () => {
  for (let cents = 0; cents <= 200_000; cents += 1) {
    const amount = cents / 100;
    if (amountText(amount) !== String(amount)) expect(amountText(amount)).toBe(String(amount));
  }
  const amounts = fc.double({ min: 0, max: 1e15, noNaN: true });
  fc.assert(
    fc.property(amounts, fc.nat(6), (double, places) => {
      const amount = Number(double.toFixed(places));
      expect(amountText(amount)).toBe(String(amount));
    }),
    { numRuns: cases() },
  );
});
