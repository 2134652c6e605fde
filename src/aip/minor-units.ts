/** Amounts in the smallest units of a currency, as other formats write them. */
import { currencyDecimals } from '../base/currency.ts';

/**
 * The amount as a decimal of the currency, such as `19.99` of 1999 in EUR. `undefined` for a number that is not whole
 * and safe, and for a code that ISO 4217 does not have.
 */
export function majorUnits(minor: number, currency: string): string | undefined {
  const decimals = currencyDecimals(currency);
  if (decimals === undefined || !Number.isSafeInteger(minor)) return undefined;
  const digits = `${Math.abs(minor)}`.padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  return `${minor < 0 ? '-' : ''}${digits.slice(0, at)}${decimals === 0 ? '' : `.${digits.slice(at)}`}`;
}
