import { expect, test } from 'vitest';
import { windowAt } from '../../../src/base/values/budget-window.ts';
import type { BudgetWindow } from '../../../src/records.ts';

function span(window: BudgetWindow, at: string): readonly string[] | undefined {
  const found = windowAt(window, Date.parse(at));
  return found && [found.start, found.end].map((ms) => new Date(ms).toISOString().slice(0, 16));
}

test.each<[BudgetWindow, string, string, string]>([
  ['hour', '2026-03-01T13:59:59.999Z', '2026-03-01T13:00', '2026-03-01T14:00'],
  ['hour', '2026-03-01T14:00:00.000Z', '2026-03-01T14:00', '2026-03-01T15:00'],
  ['day', '2028-02-29T23:59:59.999Z', '2028-02-29T00:00', '2028-03-01T00:00'],
  // Monday is the first day of an ISO week; the first of 2027 begins on 4 January.
  ['week', '1970-01-05T00:00:00.000Z', '1970-01-05T00:00', '1970-01-12T00:00'],
  ['week', '1970-01-04T23:59:59.999Z', '1969-12-29T00:00', '1970-01-05T00:00'],
  ['week', '2027-01-03T23:59:59.999Z', '2026-12-28T00:00', '2027-01-04T00:00'],
  ['week', '2027-01-04T00:00:00.000Z', '2027-01-04T00:00', '2027-01-11T00:00'],
  ['month', '2026-01-31T23:59:59.999Z', '2026-01-01T00:00', '2026-02-01T00:00'],
  ['month', '2028-02-29T12:00:00.000Z', '2028-02-01T00:00', '2028-03-01T00:00'],
  ['month', '2026-12-31T23:59:59.999Z', '2026-12-01T00:00', '2027-01-01T00:00'],
  ['year', '2026-12-31T23:59:59.999Z', '2026-01-01T00:00', '2027-01-01T00:00'],
  ['year', '2027-01-01T00:00:00.000Z', '2027-01-01T00:00', '2028-01-01T00:00'],
  ['year', '0099-06-01T00:00:00.000Z', '0099-01-01T00:00', '0100-01-01T00:00'],
  ['month', '0050-06-15T00:00:00.000Z', '0050-06-01T00:00', '0050-07-01T00:00'],
])('the %s of %s is from %s to %s', (window, at, start, end) => {
  expect(span(window, at)).toEqual([start, end]);
});

test('a lifetime has no ends', () => {
  expect(span('lifetime', '2026-03-01T00:00:00Z')).toBeUndefined();
});
