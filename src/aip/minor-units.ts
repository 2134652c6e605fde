/** Amounts in minor units of a currency, as other formats write them. */
import { currencyDecimals } from '../base/values/currency.ts';

/**
 * Converts minor units to a decimal of the currency, such as 1999 in EUR to `19.99`. Returns `undefined` for a number
 * that is not a safe integer, and for a code that is not in ISO 4217.
 */
export function majorUnits(minor: number, currency: string): string | undefined {
  const decimals = currencyDecimals(currency);
  if (decimals === undefined || !Number.isSafeInteger(minor)) return undefined;
  const digits = `${Math.abs(minor)}`.padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  return `${minor < 0 ? '-' : ''}${digits.slice(0, at)}${decimals === 0 ? '' : `.${digits.slice(at)}`}`;
}
