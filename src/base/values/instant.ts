import type { Instant } from '../../records.ts';

/** The grammar of RFC 3339. It accepts days and times out of range, but only valid zones. */
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The length of the text of an instant in the years 0000 to 9999. Other years have a sign and six digits. */
const FOUR_DIGIT_YEAR = 24;

const FOUR_CENTURIES_MS = 146_097 * 86_400_000;

/**
 * The bounds of the years 0000 to 9999, moved by four centuries because `Date.UTC` treats the years 0 to 99
 * differently.
 */
const [BEGIN_MS, END_MS] = [Date.UTC(400, 0), Date.UTC(10_400, 0)];

/**
 * Parses an RFC 3339 instant into milliseconds since the Unix epoch; `undefined` for other text. Cuts off digits beyond
 * milliseconds. Refuses a leap second (`:60`) and a day that the month does not have.
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
  // Computed four centuries later, because `Date.UTC` maps the years 0 to 99 to the 20th century. All spans of four
  // centuries have the same length.
  const later = Date.UTC(year + 400, month - 1, day, hour, minute - ahead, second, thousandthsAt(text, 19));
  return later >= BEGIN_MS && later < END_MS ? later - FOUR_CENTURIES_MS : undefined;
}

/** Creates a `parseInstant` that remembers its last result, because many consecutive calls have the same instant. */
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

/**
 * Formats an instant in the form for storage and output: UTC, milliseconds, `Z`. Throws outside the years 0000 to 9999.
 */
export function formatInstant(epochMs: number): Instant {
  const text = new Date(epochMs).toISOString();
  if (text.length !== FOUR_DIGIT_YEAR) throw new RangeError('The instant is outside the years 0000 to 9999.');
  return text;
}

/** Creates a `formatInstant` that remembers its last result and its second, because most calls format the present. */
export function instantSpeller(): (epochMs: number) => Instant {
  let last = Number.NaN;
  let text = '';
  let second = Number.NaN;
  let beginning = '';
  return (epochMs) => {
    if (epochMs === last) return text;
    const thousandths = epochMs - second;
    if (thousandths >= 0 && thousandths < 1_000 && Number.isInteger(thousandths)) {
      text = `${beginning}${String(thousandths).padStart(3, '0')}Z`;
    } else {
      text = formatInstant(epochMs);
      // A part of a millisecond is cut off, before 1970 into the next second.
      second = Number.isInteger(epochMs) ? Math.floor(epochMs / 1_000) * 1_000 : Number.NaN;
      beginning = text.slice(0, -4);
    }
    last = epochMs;
    return text;
  };
}

function lengthOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 ? 28 + Number(isLeap) : 30 + ((month + (month >> 3)) & 1);
}

function thousandthsAt(text: string, position: number): number {
  if (text[position] !== '.') return 0;
  let sum = 0;
  for (let [value, place] = [100, position + 1]; value >= 1; value /= 10, place += 1) {
    const digit = text.charCodeAt(place) - 48;
    if (!(digit >= 0 && digit <= 9)) break;
    sum += value * digit;
  }
  return sum;
}

function pairAt(text: string, position: number): number {
  return 10 * text.charCodeAt(position) + text.charCodeAt(position + 1) - 528;
}
