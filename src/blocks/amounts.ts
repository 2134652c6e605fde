/** Amounts as numbers: in cents when that is exact, as most are; otherwise as text beside the number. */
import { toAmount } from '../base/values/money.ts';
import type { Amount } from '../records.ts';
import type { ByteReader } from './bytes.ts';

/** The amounts of the records of a block. */
export interface AmountColumn {
  /** Returns the amount of a record; `null` for one without an amount. */
  at(place: number): Amount | null;
}

/** The number for an absent amount. */
const NONE = 0;
/** The number for an amount that is stored as text. */
export const TEXT_AMOUNT = 1;
const FIRST_CENTS = 2;
/** The bound below which a cent is more than the distance between two doubles. */
const MAX_CENTS = 1e15;

/** Returns the number of an amount. */
export function amountNumber(amount: Amount | null): number {
  if (amount === null) return NONE;
  if (typeof amount === 'string') return TEXT_AMOUNT;
  const cents = Math.round(amount * 100);
  return cents < MAX_CENTS && cents / 100 === amount ? cents + FIRST_CENTS : TEXT_AMOUNT;
}

/** Reads the column of `length` records. It stays numbers: as a list of amounts it takes four times the memory. */
export function readAmounts(reader: ByteReader, length: number): AmountColumn {
  const numbers = new Float64Array(length);
  const texts = new Map<number, Amount>();
  for (let place = 0; place < length; place += 1) {
    const number = reader.varint();
    numbers[place] = number;
    if (number === TEXT_AMOUNT) texts.set(place, toAmount(reader.text()));
  }
  return {
    at(place) {
      const number = numbers[place] as number;
      if (number >= FIRST_CENTS) return (number - FIRST_CENTS) / 100;
      return number === NONE ? null : (texts.get(place) as Amount);
    },
  };
}
