import type { Instant } from '../records.ts';

/** The digits of days and times may be any; those of zones are in range. */
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The length of an instant of the years 0000 to 9999: others are spelled with a sign and six digits. */
const FOUR_DIGIT_YEAR = 24;

const FOUR_CENTURIES_MS = 146_097 * 86_400_000;

/** Four centuries after the first millisecond of the year 0000, and after the first of the year 10000. */
const [BEGIN_MS, END_MS] = [Date.UTC(400, 0), Date.UTC(10_400, 0)];

/**
 * Milliseconds since the Unix epoch of an RFC 3339 instant, or `undefined` for other text. Digits
 * beyond milliseconds are cut off. A leap second (`:60`) and a day that the month lacks are refused.
 */
export function parseInstant(text: string): number | undefined {
  if (!RFC_3339.test(text)) return undefined;
  const [year, month, day] = [100 * pairAt(text, 0) + pairAt(text, 2), pairAt(text, 5), pairAt(text, 8)];
  const [hour, minute, second] = [pairAt(text, 11), pairAt(text, 14), pairAt(text, 17)];
  const isDay = month > 0 && month < 13 && day > 0 && day <= lengthOf(year, month);
  if (!isDay || hour > 23 || minute > 59 || second > 59) return undefined;
  const zone = text.length - 6;
  const sign = text[zone] === '+' ? 1 : text[zone] === '-' ? -1 : 0;
  const ahead = sign && sign * (60 * pairAt(text, zone + 1) + pairAt(text, zone + 4));
  // Four centuries later, as the years 0 to 99 are others there. They are as long as every four centuries.
  const later = Date.UTC(year + 400, month - 1, day, hour, minute - ahead, second, thousandthsAt(text, 19));
  return later >= BEGIN_MS && later < END_MS ? later - FOUR_CENTURIES_MS : undefined;
}

/** A `parseInstant` that remembers its last answer: many questions in a row are about the same instant. */
export function instantReader(): (text: string) => number | undefined {
  let last = '';
  let epochMs: number | undefined;
  return (text) => {
    if (text !== last) {
      epochMs = parseInstant(text);
      last = text;
    }
    return epochMs;
  };
}

/** The instant as it is stored and shown: UTC, milliseconds, `Z`. Throws on what no four-digit year holds. */
export function formatInstant(epochMs: number): Instant {
  const text = new Date(epochMs).toISOString();
  if (text.length !== FOUR_DIGIT_YEAR) throw new RangeError('The instant is outside the years 0000 to 9999.');
  return text;
}

/** A `formatInstant` that remembers its last answer: the present is asked for many times in a millisecond. */
export function instantSpeller(): (epochMs: number) => Instant {
  let last = Number.NaN;
  let text = '';
  return (epochMs) => {
    if (epochMs !== last) {
      text = formatInstant(epochMs);
      last = epochMs;
    }
    return text;
  };
}

function lengthOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 ? 28 + Number(isLeap) : 30 + ((month + (month >> 3)) & 1);
}

/** The milliseconds of the digits behind a point, which need not be there. */
function thousandthsAt(text: string, at: number): number {
  if (text[at] !== '.') return 0;
  let sum = 0;
  for (let [value, place] = [100, at + 1]; value >= 1; value /= 10, place += 1) {
    const digit = text.charCodeAt(place) - 48;
    if (!(digit >= 0 && digit <= 9)) break;
    sum += value * digit;
  }
  return sum;
}

function pairAt(text: string, at: number): number {
  return 10 * text.charCodeAt(at) + text.charCodeAt(at + 1) - 528;
}
