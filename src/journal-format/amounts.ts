/** Stores amounts as numbers. Most amounts are exact in cents. Others are stored as text after the number. */
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
  /** Returns the amount of a record, or `null` if it has none. */
  at(row: number): Amount | null;
}

/** The stored number if there is no amount. An amount in cents is stored as its cents plus 2. */
const NONE = 0;
/** The stored number for an amount that follows as text. */
export const TEXT_AMOUNT = 1;
const FIRST_CENTS = 2;
const MAX_TEXT = 32;
/** The limit in cents below which a floating-point number can represent every cent. */
const MAX_CENTS = 1e15;

export function amountNumber(amount: Amount | null): number {
  if (amount === null) return NONE;
  if (typeof amount === 'string') return TEXT_AMOUNT;
  const cents = Math.round(amount * 100);
  return cents < MAX_CENTS && cents / 100 === amount ? cents + FIRST_CENTS : TEXT_AMOUNT;
}

/** Reads the amounts of `length` records. They stay numbers, because a list of amounts needs four times the memory. */
export function readAmounts(reader: ByteReader, length: number): AmountColumn {
  const cents = new Float64Array(length);
  const texts = new Map<number, Amount>();
  for (let row = 0; row < length; row += 1) {
    const number = reader.varint();
    cents[row] = number - FIRST_CENTS;
    if (number === TEXT_AMOUNT) texts.set(row, readText(reader.text(), row));
  }
  return {
    cents,
    at(row) {
      const inCents = cents[row] as number;
      if (inCents >= 0) return inCents / 100;
      return inCents === NONE - FIRST_CENTS ? null : (texts.get(row) as Amount);
    },
  };
}

function readText(text: string, row: number): Amount {
  if (text.length > MAX_TEXT) throw new RangeError(`The amount of row ${row} is too long.`);
  return toAmount(text);
}
