import { currencyCode, currencyDecimals } from '../currency.ts';
import { readAmount } from '../money.ts';
import { isDid } from '../target.ts';
import type { Policy } from './policy.ts';
import type { Facts } from './rule.ts';

/** @internal The currency that the intent names; `null` for what is no ISO 4217 code. */
export function readCurrency(currency: unknown, policy: Policy): Facts['currency'] {
  if (currency === undefined) return undefined;
  return currency === policy.currency ? policy.currency : currencyCode(currency);
}

/**
 * @internal The amount of the intent; `null` for what is no exact decimal in range, or has more decimals than the
 * currency that counts.
 */
export function readAmountIn(amount: unknown, policy: Policy, currency: Facts['currency']): Facts['amount'] {
  if (amount === undefined) return undefined;
  return readAmount(amount, policy.decimals ?? (currency ? currencyDecimals(currency) : undefined));
}

/** @internal The target of the intent; `null` for what is no DID. */
export function readTarget(target: unknown, { targets }: Policy): Facts['target'] {
  if (target === undefined) return undefined;
  if (typeof target !== 'string') return null;
  // What the passport names is a DID: only another target has to be looked at.
  return targets?.exact.includes(target) || isDid(target) ? target : null;
}
