/** Lists the amounts and currencies of the intents that the comparison of two passports uses. */
import { currencyDecimals, MAX_DECIMALS, toAmount, toUnits, unitsText } from '../../base/values/money.ts';
import type { Amount, BudgetUnit, IntentUsage, ReasonCode } from '../../records.ts';
import { approvalNeed } from '../approval.ts';
import { takingsOf } from '../budgets.ts';
import { type Policy, readAmountIn, readCurrency } from '../policy.ts';
import { RULES } from '../rules.ts';
import { denialsOf } from '../verdicts.ts';

export interface Payment {
  readonly amount: Amount | undefined;
  readonly currency: string | undefined;
  readonly usage: IntentUsage | undefined;
  readonly allowing: Weighed;
  readonly denying: Weighed;
}

export interface Weighed {
  readonly denials: number;
  readonly isAbove: boolean;
  /** The amount for each budget that counts the action. `undefined`: more than the budget can hold. */
  readonly takes: readonly (number | undefined)[];
}

const CODES: readonly ReasonCode[] = ['amount_invalid', 'currency_mismatch', 'amount_over_limit'];
const MONEY = /* @__PURE__ */ RULES.reduce(
  (bits, { code }, place) => (CODES.includes(code) ? bits | (1 << place) : bits),
  0,
);

const MICRO = MAX_DECIMALS;

/**
 * Returns payments that the first passport allows, simple payments first. For each rule about amounts in the second
 * passport, the list contains the smallest amount that breaks the rule. Payments with the same results for both
 * passports are listed once.
 */
export function paymentsOf(allowing: Policy, denying: Policy): readonly Payment[] {
  const borders = [denying.limit, denying.approval?.above, allowing.approval?.above];
  const payments = new Map<string, Payment>();
  const usages = usagesOf(allowing, denying);
  const add = (amount: Amount | undefined, currency: string | undefined): void => {
    for (const usage of usages) {
      const given = { amount, currency, usage };
      const [first, second] = [weighed(allowing, given), weighed(denying, given)];
      if (first.denials !== 0) return;
      const key = JSON.stringify([amount === undefined, usage, first, second]);
      if (!payments.has(key))
        payments.set(key, { amount, currency, usage, allowing: first, denying: second });
    }
  };
  // Other currencies show nothing more: a passport that names one denies them as it denies an intent without a
  // currency, and passports that name none evaluate them alike.
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

const LEAST: Readonly<Record<BudgetUnit, Amount>> = { tokens: 1, credits: 0.000001 };

/**
 * Returns the usages to test: none, the smallest usage that counts, and usages that each lack one unit of the budgets.
 */
function usagesOf(...policies: readonly Policy[]): readonly (IntentUsage | undefined)[] {
  const budgets = policies.flatMap((policy) => policy.budgets ?? []);
  const units = [...new Set(budgets.flatMap(({ unit }) => unit ?? []))];
  if (units.length === 0) return [undefined];
  const usage = (named: readonly BudgetUnit[], of: (unit: BudgetUnit) => Amount): IntentUsage =>
    Object.fromEntries(named.map((unit) => [unit, of(unit)]));
  const fewer = units.length === 1 ? [] : units.map((unit) => usage([unit], () => 0));
  return [usage(units, () => 0), usage(units, (unit) => LEAST[unit]), ...fewer, undefined];
}

function weighed(
  policy: Policy,
  { amount: given, currency: named, usage }: Pick<Payment, 'amount' | 'currency' | 'usage'>,
): Weighed {
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
      // Without its unit an intent is denied before.
      if (budget.unit !== undefined && usage?.[budget.unit] === undefined) return 0;
      const [taking] = takingsOf('', [{ ...budget, actions: undefined }], '', amount, usage);
      return taking === undefined ? 0 : taking.by;
    }),
  };
}
