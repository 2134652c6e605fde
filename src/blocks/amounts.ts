/** Amounts as numbers: cents where that is exact, which most are, otherwise a text beside the number. */
import type { Amount } from '../records.ts';

/** The number of no amount. */
const NONE = 0;
/** The number of an amount that is stored as text. */
export const TEXT_AMOUNT = 1;
const FIRST_CENTS = 2;
/** Below it a cent is more than the distance of two doubles. */
const MAX_CENTS = 1e15;

/** The number of an amount. */
export function amountNumber(amount: Amount | null): number {
  if (amount === null) return NONE;
  if (typeof amount === 'string') return TEXT_AMOUNT;
  const cents = Math.round(amount * 100);
  return cents < MAX_CENTS && cents / 100 === amount ? cents + FIRST_CENTS : TEXT_AMOUNT;
}

/** The amount of a number that stands for no text. */
export function amountOf(number: number): number | null {
  return number === NONE ? null : (number - FIRST_CENTS) / 100;
}
