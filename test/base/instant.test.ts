import { describe, expect, test } from 'vitest';
import { formatInstant, instantSpeller, parseInstant } from '../../src/base/instant.ts';

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
