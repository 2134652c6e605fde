import { currencyDecimals } from '../currency.ts';
import { readAmount } from '../money.ts';
import type { Intent, Passport } from '../records.ts';
import { isDid } from '../target.ts';
import type { Policy } from './policy.ts';
import { isRecord } from './read.ts';
import type { Facts } from './rule.ts';

/** @internal What is to be judged. Every member of the intent is read once, here. */
export function factsOf(passport: Passport, policy: Policy, intent: Intent, at: number): Facts {
  const action = own(intent, 'action', intent.action);
  const parameters = own(intent, 'parameters', intent.parameters);
  let currency: Facts['currency'];
  let amount: Facts['amount'];
  if (isRecord(parameters)) {
    currency = readCurrency(own(parameters, 'currency', parameters['currency']), policy);
    amount = readAmountIn(own(parameters, 'amount', parameters['amount']), policy, currency);
  } else if (parameters !== undefined) amount = null;
  return {
    passport,
    intent,
    at,
    action: typeof action === 'string' ? action : '',
    target: readTarget(own(intent, 'target', intent.target), policy),
    amount,
    currency,
    policy,
  };
}

/** Holds nothing but what every object inherits. */
const NOTHING: Readonly<Record<string, unknown>> = {};

/**
 * @internal The value of a member. One that is inherited is no data: it is taken for one that cannot be read. A plain object
 * inherits only what `Object.prototype` holds, which is found out faster than what is its own.
 */
export function own<Value>(record: object, member: string, value: Value): Value | null {
  const isPlain = Object.getPrototypeOf(record) === Object.prototype && NOTHING[member] === undefined;
  return value === undefined || isPlain || Object.hasOwn(record, member) ? value : null;
}

/** A target that the passport names needs no look at its grammar: the entries of a passport are DIDs. */
function readTarget(target: unknown, { targets }: Policy): Facts['target'] {
  if (target === undefined) return undefined;
  return typeof target === 'string' && (targets?.exact.has(target) || isDid(target)) ? target : null;
}

function readCurrency(currency: unknown, policy: Policy): Facts['currency'] {
  if (currency === undefined) return undefined;
  if (currency === policy.currency) return policy.currency;
  return typeof currency === 'string' && currencyDecimals(currency) !== undefined ? currency : null;
}

function readAmountIn(amount: unknown, policy: Policy, currency: Facts['currency']): Facts['amount'] {
  if (amount === undefined) return undefined;
  return readAmount(amount, policy.decimals ?? (currency ? currencyDecimals(currency) : undefined));
}
