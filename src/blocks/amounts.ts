/** Amounts as numbers: in cents when that is exact, as most are; otherwise as text beside the number. */
import type { Amount } from '../records.ts';

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

/** Returns the amount of a number other than `TEXT_AMOUNT`. */
export function amountOf(number: number): number | null {
  return number === NONE ? null : (number - FIRST_CENTS) / 100;
}
