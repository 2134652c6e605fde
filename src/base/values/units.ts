/** Amounts as whole numbers of the minor unit of a currency, as counters hold them. All conversions are exact. */
import type { Amount } from '../../records.ts';
import { amountText, SCALES, toAmount } from './money.ts';

/**
 * Converts an amount to minor units of `decimals` places, such as 19.99 with 2 to 1999. The amount must not have more
 * decimals.
 */
export function toUnits(amount: Amount, decimals: number): bigint {
  return BigInt(digitsOf(amount, decimals));
}

/** Converts an amount to minor units as a number; `undefined` above 2^53 - 1. */
export function toSafeUnits(amount: Amount, decimals: number): number | undefined {
  if (typeof amount === 'number') {
    const scale = SCALES[decimals] as number;
    const product = Math.round(amount * scale);
    // No two decimals of at most 15 digits have the same nearest double.
    if (product < EXACT && product / scale === amount) return product;
  }
  const units = Number(digitsOf(amount, decimals));
  // A larger number is never rounded to a safe integer.
  return Number.isSafeInteger(units) ? units : undefined;
}

/** Returns the canonical decimal text of a number of units, such as `19.99` for 1999 with 2 decimals. */
export function unitsText(units: bigint | number, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Returns the amount of a number of units, which must be at least 0. */
export function unitsAmount(units: number, decimals: number): Amount {
  return units < EXACT ? units / (SCALES[decimals] as number) : toAmount(unitsText(units, decimals));
}

/** The bound below which a quotient of whole numbers is the double whose shortest text is the exact decimal. */
const EXACT = 1e15;

function digitsOf(amount: Amount, decimals: number): string {
  const [whole = '', fraction = ''] = amountText(amount).split('.');
  if (fraction.length > decimals) throw new RangeError('The amount has more decimals than the unit.');
  return whole + fraction.padEnd(decimals, '0');
}
