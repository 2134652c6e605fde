import type { Amount } from '../../../records/value.ts';
import { amountText, readAmount, toAmount } from '../money.ts';
import { isJsonNumber } from '../plain-data.ts';

const DECIMAL = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;
const NEGATIVE_ZERO = /^-0(?:\.0+)?$/;
const MAX_TEXT = 40;

/** Reads an exact decimal from -10^15 to 10^15 with at most 6 decimals. Returns `null` for anything else. */
export function readBound(value: unknown): Amount | null {
  const isNegative =
    typeof value === 'string' ? value.startsWith('-') : typeof value === 'number' && value < 0;
  if (!isNegative) return readAmount(value);
  const size = readAmount(typeof value === 'string' ? value.slice(1) : -(value as number));
  return size === null || size === 0 ? null : toAmount(`-${amountText(size)}`);
}

/**
 * Says whether the value is a number, or a text of at most 40 characters such as `-12.50`. A negative zero does not
 * count.
 */
export function isDecimal(value: unknown): value is number | string {
  if (typeof value === 'number') return isJsonNumber(value);
  return (
    typeof value === 'string' && value.length <= MAX_TEXT && DECIMAL.test(value) && !NEGATIVE_ZERO.test(value)
  );
}

export function compareDecimals(value: number | string, boundAmount: Amount): number {
  // Rounding to doubles keeps the order, so that only equal doubles leave a question.
  const difference = Number(value) - Number(boundAmount);
  if (difference !== 0 || (typeof value === 'number' && typeof boundAmount === 'number')) return difference;
  return compareTexts(String(value), String(boundAmount));
}

/** Compares the texts of two decimals that round to the same double, and so have the same sign. */
function compareTexts(first: string, second: string): number {
  const sign = first.startsWith('-') || second.startsWith('-') ? -1 : 1;
  const [whole, fraction] = partsOf(first);
  const [otherWhole, otherFraction] = partsOf(second);
  const digits = Math.max(fraction.length, otherFraction.length);
  const size = whole.length - otherWhole.length;
  const [a, b] = [whole + fraction.padEnd(digits, '0'), otherWhole + otherFraction.padEnd(digits, '0')];
  return sign * (size || Number(a > b) - Number(a < b));
}

function partsOf(text: string): readonly [string, string] {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  return [whole, fraction];
}
