import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatInstant,
  instantReader,
  instantSpeller,
  parseInstant,
} from '../../../src/base/values/instant.ts';
import { cases } from '../../support/runs.ts';

const NOON = Date.UTC(2026, 10, 20, 12);

describe('an RFC 3339 instant is read', () => {
  test.each([
    ['2026-11-20T12:00:00Z', NOON],
    ['2026-11-20t12:00:00z', NOON],
    ['2026-11-20T12:00:00.1Z', NOON + 100],
    ['2026-11-20T12:00:00.12Z', NOON + 120],
    ['2026-11-20T12:00:00.123Z', NOON + 123],
    ['2026-11-20T12:00:00.1239999999999Z', NOON + 123],
    ['2026-11-20T13:30:00+01:30', NOON],
    ['2026-11-19T12:01:00-23:59', NOON],
    ['2026-11-21T11:59:00+23:59', NOON],
    ['2026-11-20T07:00:00.5-05:00', NOON + 500],
    ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
    ['0000-01-01T00:00:00Z', -62_167_219_200_000],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
  ])('%s', (text, epochMs) => {
    expect(parseInstant(text)).toBe(epochMs);
  });
});

describe('no instant is', () => {
  test.each([
    '',
    '2026-11-20',
    '2026-11-20T12:00:00',
    '2026-11-20 12:00:00Z',
    '2026-11-20T12:00Z',
    '2026-11-20T12:00:00.Z',
    '2026-11-20T12:00:00Z and more',
    '2026-11-20T12:00:00Z\n',
    'on 2026-11-20T12:00:00Z',
    '2026-11-20T12:00:00+1:00',
    '2026-11-20T12:00:00+24:00',
    '2026-11-20T12:00:00+01:60',
    '2026-11-20T12:00:00+0100',
    '2026-11-20T12:00:00ZZ',
    'x026-11-20T12:00:00Z',
    '12026-11-20T12:00:00Z',
    '+002026-11-20T12:00:00Z',
    '2026-1-20T12:00:00Z',
    '2026-11-2T12:00:00Z',
    '2026-11-20T2:00:00Z',
    '2026-11-20T12:0:00Z',
    '2026-11-20T12:00:0Z',
    // Dates and times that do not exist.
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-11-31T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T12:60:00Z',
    '2026-06-30T23:59:60Z',
    // Beyond the years of four digits, once it is UTC.
    '0000-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
  ])('%j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});

test('an instant is spelled in UTC with milliseconds, within the years of four digits', () => {
  expect(formatInstant(NOON)).toBe('2026-11-20T12:00:00.000Z');
  expect(formatInstant(253_402_300_799_999)).toBe('9999-12-31T23:59:59.999Z');
  for (const epochMs of [253_402_300_800_000, -62_167_219_200_001]) {
    expect(() => formatInstant(epochMs)).toThrow('The instant is outside the years 0000 to 9999.');
  }
  expect(() => formatInstant(Number.NaN)).toThrow(RangeError);
});

test('a speller spells every instant as formatInstant does, and the same one once', () => {
  const spell = instantSpeller();
  for (const epochMs of [NOON, NOON, 0, NOON + 1]) expect(spell(epochMs)).toBe(formatInstant(epochMs));
  expect(() => spell(253_402_300_800_000)).toThrow(RangeError);
  expect(() => spell(253_402_300_800_000)).toThrow(RangeError);
});

test('a speller follows a clock within a second, into the next one, and back', () => {
  const spell = instantSpeller();
  const steps = [0, 1, 7, 42, 999, 1_000, 1_001, 998, 0.5, 1, -1, -0.5, -1.5, -1_000];
  for (const from of [NOON, 0]) {
    for (const step of steps) expect(spell(from + step)).toBe(formatInstant(from + step));
  }
});

test('a speller follows a clock in any steps, forwards and backwards, through seconds and years', () => {
  const step = fc.oneof(fc.integer({ min: -3_000, max: 3_000 }), fc.constantFrom(0.5, 1, 999, 86_400_000));
  fc.assert(
    fc.property(
      fc.constantFrom(NOON, -1, 0, -62_167_219_200_000, -62_135_596_800_001),
      fc.array(step),
      (from, steps) => {
        const spell = instantSpeller();
        let at = from;
        for (const ms of steps) {
          at = Math.max(at + ms, -62_167_219_200_000);
          expect(spell(at)).toBe(formatInstant(at));
        }
      },
    ),
    { numRuns: cases() },
  );
});

const PATTERN = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The grammar as a pattern, and the values by `Date`: what reading by arithmetic has to agree with. */
function parsedByDate(text: string): number | undefined {
  const [, seconds, fraction = '', offset = ''] = PATTERN.exec(text.toUpperCase()) ?? [];
  const local = `${seconds}.${fraction.padEnd(3, '0')}Z`;
  // A date or time that does not exist is read as another one, or as none at all.
  if (new Date(local).toJSON() !== local) return undefined;
  const instant = new Date(local.replace('Z', offset));
  return instant.toJSON().length === 24 ? instant.getTime() : undefined;
}

const digits = (max: number, length: number) =>
  fc.integer({ min: 0, max }).map((number) => String(number).padStart(length, '0'));
const year = fc.oneof(digits(9_999, 4), fc.constantFrom('0000', '1900', '2000', '2024', '2100', '9999'));
const local = fc
  .tuple(
    year,
    digits(13, 2),
    digits(32, 2),
    fc.constantFrom('T', 't'),
    digits(24, 2),
    digits(60, 2),
    digits(60, 2),
  )
  .map(([y, m, d, t, hour, minute, second]) => `${y}-${m}-${d}${t}${hour}:${minute}:${second}`);
const fraction = fc.oneof(
  fc.constantFrom('', '.'),
  fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 20 }).map((all) => `.${all.join('')}`),
);
const zone = fc.oneof(
  fc.constantFrom('Z', 'z', '', '-00:00', '+24:00', '+23:60'),
  fc
    .tuple(fc.constantFrom('+', '-'), digits(24, 2), digits(60, 2))
    .map(([sign, hour, minute]) => `${sign}${hour}:${minute}`),
);
const spelled = fc.tuple(local, fraction, zone).map((parts) => parts.join(''));
const ODD = [
  '',
  ' ',
  'T',
  'Z',
  ':',
  '-',
  '+',
  '.',
  '0',
  '9',
  '\n',
  '\0',
  '\u0660',
  '\uff10',
  '\u0131',
  '\u{1d7d8}',
  '/',
  ';',
];
/** An instant with one place changed, doubled or taken out. */
const spoiled = fc
  .tuple(spelled, fc.nat(40), fc.constantFrom(...ODD), fc.nat(2))
  .map(([text, at, odd, taken]) => `${text.slice(0, at)}${odd}${text.slice(at + taken)}`);

test('it takes exactly the texts that the pattern and Date take, for the same instants', () => {
  let taken = 0;
  fc.assert(
    fc.property(fc.oneof(spelled, spoiled, fc.string()), (text) => {
      const expected = parsedByDate(text);
      if (expected !== undefined) taken += 1;
      expect(parseInstant(text)).toBe(expected);
    }),
    { seed: 20261124, numRuns: 20_000 },
  );
  expect(taken).toBeGreaterThan(1_500);
});

test('it takes every day of 400 years, and no other', () => {
  const pad = (number: number) => String(number).padStart(2, '0');
  for (let y = 1_800; y < 2_200; y += 1) {
    for (let m = 0; m <= 13; m += 1) {
      for (const d of [0, 1, 28, 29, 30, 31, 32]) {
        const text = `${y}-${pad(m)}-${pad(d)}T23:59:59.999Z`;
        if (parseInstant(text) !== parsedByDate(text)) expect.fail(text);
      }
    }
  }
});

test('a reader reads as parseInstant does, whatever it has read before', () => {
  const read = instantReader();
  const some = fc.oneof(spelled, spoiled);
  fc.assert(
    fc.property(fc.array(some, { maxLength: 4 }), fc.array(fc.nat(3), { maxLength: 12 }), (texts, order) => {
      for (const at of order) {
        const text = texts[at] ?? '';
        expect(read(text)).toBe(parseInstant(text));
      }
    }),
    { seed: 20261124, numRuns: 5_000 },
  );
});

test('the last instant is that of the year 9999, in UTC', () => {
  expect(parseInstant('9999-12-31T23:58:59.999-00:01')).toBe(253_402_300_799_999);
  expect(parseInstant('9999-12-31T23:59:00-00:01')).toBeUndefined();
});
