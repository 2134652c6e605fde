import type { Instant } from '../records.ts';

const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The length of an instant of the years 0000 to 9999: others are spelled with a sign and six digits. */
const FOUR_DIGIT_YEAR = 24;

/**
 * Milliseconds since the Unix epoch of an RFC 3339 instant, or `undefined` for other text. Digits
 * beyond milliseconds are cut off. A leap second (`:60`) and a day that the month lacks are refused.
 */
export function parseInstant(text: string): number | undefined {
  const [, seconds, fraction = '', offset = ''] = RFC_3339.exec(text.toUpperCase()) ?? [];
  const local = `${seconds}.${fraction.padEnd(3, '0')}Z`;
  // A date or time that does not exist is read as another one, or as none at all.
  if (new Date(local).toJSON() !== local) return undefined;
  const instant = new Date(local.replace('Z', offset));
  return instant.toJSON().length === FOUR_DIGIT_YEAR ? instant.getTime() : undefined;
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
