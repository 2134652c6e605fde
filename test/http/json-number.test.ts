import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cases } from '../support/runs.ts';
import { read, refusal } from './strict-json.ts';

fc.configureGlobal({ seed: 20261120 });

describe('a number', () => {
  const digits = fc.stringMatching(/^[0-9]{1,25}$/);
  const number = fc
    .tuple(
      fc.constantFrom('', '-'),
      digits,
      fc.option(digits),
      fc.option(fc.integer({ min: -330, max: 330 })),
    )
    .map(([sign, whole, fraction, exponent]) => {
      const stripped = whole.replace(/^0+(?=.)/, '');
      return `${sign}${stripped}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`;
    });

  /** The exact value as numerator over denominator. */
  function fraction(text: string): [bigint, bigint] {
    const [, sign, whole = '', places = '', power = '0'] =
      /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
    const exponent = Number(power) - places.length;
    const unsigned = BigInt(whole + places);
    const numerator = sign === '-' ? -unsigned : unsigned;
    return exponent < 0 ? [numerator, 10n ** BigInt(-exponent)] : [numerator * 10n ** BigInt(exponent), 1n];
  }

  function isExact(text: string): boolean {
    const value = Number(text);
    if (!Number.isFinite(value) || Object.is(value, -0)) return false;
    const [spelled, spelledUnit] = fraction(text);
    const [shortest, shortestUnit] = fraction(String(value));
    return spelled * shortestUnit === shortest * spelledUnit;
  }

  test('is read exactly when it spells the value of the shortest text of its double', () => {
    fc.assert(
      fc.property(number, (text) => {
        if (isExact(text)) expect(read(text)).toBe(Number(text));
        else expect(refusal(text)?.message).toContain('hold exactly');
      }),
      { numRuns: cases(20_000) },
    );
  });

  test('of at most 15 digits is read', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 ** 15 - 1 }),
        fc.integer({ min: 0, max: 14 }),
        (value, places) => {
          const all = String(value).padStart(places + 1, '0');
          fc.pre(all.length <= 15);
          const text = places === 0 ? all : `${all.slice(0, -places)}.${all.slice(-places)}`;
          expect(read(text)).toBe(Number(text));
          expect(read(`-${text}`)).toBe(-Number(text));
          expect(read(`[${text}]`)).toEqual([Number(text)]);
        },
      ),
      { numRuns: cases(5_000) },
    );
  });

  test('that JSON.stringify wrote is read', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(read(JSON.stringify(value))).toBe(Object.is(value, -0) ? 0 : value);
      }),
      { numRuns: cases(5_000) },
    );
  });

  test.each([
    ['0', 0],
    ['0.0', 0],
    ['0e0', 0],
    ['0.000e-999999999999999999999', 0],
    ['0e999999999999999999999', 0],
    ['1', 1],
    ['-1', -1],
    ['-0.5', -0.5],
    ['-12.50e1', -125],
    ['-100e-2', -1],
    ['0.001', 0.001],
    ['0.5e0', 0.5],
    ['1.0', 1],
    ['1.10', 1.1],
    ['1e2', 100],
    ['1E+2', 100],
    ['1e0002', 100],
    ['100e-2', 1],
    ['1.5e3', 1500],
    ['0.1', 0.1],
    ['0.30', 0.3],
    ['4473759649.18', 4473759649.18],
    ['999999999999999', 999999999999999],
    ['99999999999999.9', 99999999999999.9],
    ['0.00000000000001', 1e-14],
    ['0.000000000000001', 1e-15],
    ['0.123456789012345', 0.123456789012345],
    ['0.1234567890123456', 0.1234567890123456],
    ['9.99999999999999', 9.99999999999999],
    ['1000000000000000', 1e15],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992],
    ['1000000000000000000000', 1e21],
    ['12345678901234567000', 12345678901234567000],
    ['100.00000000000000000000000000000', 100],
    ['1e308', 1e308],
    ['5e-324', 5e-324],
    ['0.000001', 0.000001],
    ['1e-7', 1e-7],
    [`1${'0'.repeat(300)}`, 1e300],
    [`0.${'0'.repeat(300)}1`, 1e-301],
  ])('%s is %d', (text, value) => {
    expect(read(text)).toBe(value);
  });

  test.each([
    '100.000000000000001',
    '-100.000000000000001',
    '999999999999999.95',
    '1.00000000000000001',
    '12345678901234567890',
    '9007199254740993',
    '0.1000000000000000055511151231257827',
    '0.30000000000000001',
    '1e309',
    '-1e309',
    '1e999999999999999999999',
    '0.1e-400',
    '1e-400',
    '2e-324',
    '4e-324',
    '-0',
    '-0.0',
    '-0e5',
    '-0.000e-999',
  ])('%s is refused as inexact', (text) => {
    expect(refusal(text)?.message).toContain('hold exactly');
  });
});
