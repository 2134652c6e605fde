/**
 * Amounts as numbers. Most amounts are exact in cents and are stored so. Others are stored as text next to the
 * number.
 */
import { toAmount } from '../base/values/money.ts';
import type { Amount } from '../records.ts';
import type { ByteReader } from './bytes.ts';

/** The amounts of the records of a block. */
export interface AmountColumn {
  /**
   * The amount of each record in cents. Negative for an amount that is stored as text, and for a record without an
   * amount.
   */
  readonly cents: Float64Array;
  /** Returns the amount of a record; `null` for one without an amount. */
  at(place: number): Amount | null;
}

/** The number for an absent amount. */
const NONE = 0;
/** The number for an amount that is stored as text. */
export const TEXT_AMOUNT = 1;
const FIRST_CENTS = 2;
/** The most characters of an amount: sixteen digits, a point and six decimals. */
const MAX_TEXT = 32;
/** The bound below which a cent is more than the distance between two doubles. */
const MAX_CENTS = 1e15;

export function amountNumber(amount: Amount | null): number {
  if (amount === null) return NONE;
  if (typeof amount === 'string') return TEXT_AMOUNT;
  const cents = Math.round(amount * 100);
  return cents < MAX_CENTS && cents / 100 === amount ? cents + FIRST_CENTS : TEXT_AMOUNT;
}

/** Reads the column of `length` records. It stays numbers: as a list of amounts it takes four times the memory. */
export function readAmounts(reader: ByteReader, length: number): AmountColumn {
  const cents = new Float64Array(length);
  const texts = new Map<number, Amount>();
  for (let place = 0; place < length; place += 1) {
    const number = reader.varint();
    cents[place] = number - FIRST_CENTS;
    if (number === TEXT_AMOUNT) texts.set(place, readText(reader.text(), place));
  }
  return {
    cents,
    at(place) {
      const inCents = cents[place] as number;
      if (inCents >= 0) return inCents / 100;
      return inCents === NONE - FIRST_CENTS ? null : (texts.get(place) as Amount);
    },
  };
}

function readText(text: string, place: number): Amount {
  if (text.length > MAX_TEXT) throw new RangeError(`The amount of row ${place} is too long.`);
  return toAmount(text);
}
