import { currencyCode, currencyDecimals } from '../base/currency.ts';
import { readAmount } from '../base/money.ts';
import { isDid, matchesTarget } from '../base/target.ts';
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

/** @internal Whether the passport names targets, and this among them. */
export function isNamedTarget(target: unknown, { targets }: Policy): boolean {
  return targets !== undefined && typeof target === 'string' && matchesTarget(targets, target);
}

/** @internal The target of the intent; `null` for what is no DID. What a passport names is one. */
export function readTarget(target: unknown, isNamed: boolean): Facts['target'] {
  if (target === undefined) return undefined;
  return typeof target === 'string' && (isNamed || isDid(target)) ? target : null;
}
