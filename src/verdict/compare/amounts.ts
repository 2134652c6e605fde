/** The amounts and currencies of the intents with which two passports are compared. */
import { currencyDecimals, MAX_DECIMALS, toAmount, toUnits, unitsText } from '../../base/values/money.ts';
import type { Amount, ReasonCode } from '../../records.ts';
import { approvalNeed } from '../approval.ts';
import { takingsOf } from '../budgets.ts';
import { type Policy, readAmountIn, readCurrency } from '../policy.ts';
import { RULES } from '../rules.ts';
import { denialsOf } from '../verdicts.ts';

/** An amount with its currency, and the result for each of the two passports. */
export interface Payment {
  readonly amount: Amount | undefined;
  readonly currency: string | undefined;
  readonly allowing: Weighed;
  readonly denying: Weighed;
}

/** The parts of a verdict that depend on amount and currency alone. */
export interface Weighed {
  /** The bits of the rules that deny. */
  readonly denials: number;
  /** True if the amount is above the amount of the approval rule. */
  readonly isAbove: boolean;
  /** The amount that each budget loses when it counts the action; `undefined`: more than it can hold. */
  readonly takes: readonly (number | undefined)[];
}

const CODES: readonly ReasonCode[] = ['amount_invalid', 'currency_mismatch', 'amount_over_limit'];
const MONEY = /* @__PURE__ */ RULES.reduce(
  (bits, { code }, place) => (CODES.includes(code) ? bits | (1 << place) : bits),
  0,
);

const MICRO = MAX_DECIMALS;

/**
 * Returns the payments that the first passport allows, simple ones first: at the least violating value of each rule of
 * the second one that reads an amount. Payments of which both make the same are listed once.
 */
export function paymentsOf(allowing: Policy, denying: Policy): readonly Payment[] {
  const borders = [denying.limit, denying.approval?.above, allowing.approval?.above];
  const payments = new Map<string, Payment>();
  const add = (amount: Amount | undefined, currency: string | undefined): void => {
    const [first, second] = [weighed(allowing, amount, currency), weighed(denying, amount, currency)];
    if (first.denials !== 0) return;
    const key = JSON.stringify([amount === undefined, first, second]);
    if (!payments.has(key)) payments.set(key, { amount, currency, allowing: first, denying: second });
  };
  // Other currencies show nothing more: a passport that names one denies them as it denies an intent without a
  // currency, and passports that name none judge them alike.
  for (const currency of new Set([undefined, ...namedCurrencies(allowing, denying)])) {
    add(undefined, currency);
    const decimals = currency === undefined ? MICRO : (currencyDecimals(currency) ?? MICRO);
    const unit = 10n ** BigInt(MICRO - decimals);
    const above = borders.flatMap((border) =>
      border === undefined ? [] : [(toUnits(border, MICRO) / unit + 1n) * unit],
    );
    for (const amount of [unit, 0n, ...above]) add(toAmount(unitsText(amount, MICRO)), currency);
  }
  return [...payments.values()];
}

function namedCurrencies(...policies: readonly Policy[]): readonly string[] {
  return policies.flatMap(({ currency }) => (currency === null ? [] : [currency]));
}

function weighed(policy: Policy, given: Amount | undefined, named: string | undefined): Weighed {
  const currency = readCurrency(named, policy);
  const amount = readAmountIn(given, policy, currency);
  const { approval, budgets = [] } = policy;
  const denials = denialsOf({
    at: 0,
    action: '',
    target: undefined,
    isTargetNamed: false,
    amount,
    currency,
    policy,
  });
  return {
    denials: denials & MONEY,
    isAbove:
      approval !== undefined && approvalNeed({ ...approval, actions: undefined }, '', amount) !== undefined,
    takes: budgets.map((budget) => {
      const [taking] = takingsOf('', [{ ...budget, actions: undefined }], '', amount);
      return taking === undefined ? 0 : taking.by;
    }),
  };
}
