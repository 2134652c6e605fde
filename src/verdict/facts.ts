import { currencyCode, currencyDecimals } from '../currency.ts';
import { readAmount } from '../money.ts';
import type { Policy } from './policy.ts';
import type { Facts } from './rule.ts';

/** @internal The currency that the intent names; `null` when it is none. */
export function readCurrency(currency: unknown, policy: Policy): Facts['currency'] {
  if (currency === undefined) return undefined;
  return currency === policy.currency ? policy.currency : currencyCode(currency);
}

/** @internal The amount of the intent; `null` when it is none, or has more decimals than the currency that counts. */
export function readAmountIn(amount: unknown, policy: Policy, currency: Facts['currency']): Facts['amount'] {
  if (amount === undefined) return undefined;
  return readAmount(amount, policy.decimals ?? (currency ? currencyDecimals(currency) : undefined));
}
