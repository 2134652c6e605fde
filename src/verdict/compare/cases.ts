/** Finds the actions and amounts that one passport allows and the other denies, with the rules that deny them. */
import type { Amount, IntentUsage, ReasonCode } from '../../records.ts';
import type { PolicyPace } from '../pace.ts';
import { RULES } from '../rules.ts';
import { firstRule } from '../verdicts.ts';
import { type Cell, cellsOf } from './actions.ts';
import { type Payment, paymentsOf, type Weighed } from './amounts.ts';
import { actionLists, LISTS, type ReadableSide } from './side.ts';

export interface Case {
  readonly action: string;
  readonly amount: Amount | undefined;
  readonly currency: string | undefined;
  readonly usage: IntentUsage | undefined;
  /** `true` if one of the passports requires an approval for the action. */
  readonly isAsked: boolean;
}

/**
 * A budget of the denying passport, and the used amount at which it is exceeded. If both passports have this budget,
 * both have used this amount.
 */
export interface Exceeded extends Case {
  readonly place: number;
  readonly spent: number;
}

export interface Paced extends Case {
  readonly pace: PolicyPace;
}

export interface Cases {
  /**
   * A case that both passports allow. If there is none, a case that only the allowing passport allows.
   * `undefined` if the allowing passport allows nothing.
   */
  readonly usual: Case | undefined;
  /** Cases that only the allowing passport allows: one for each first code of a denial. */
  readonly denied: ReadonlyMap<ReasonCode, Case>;
  /** A case for which only the denying passport requires an approval. */
  readonly unasked: Case | undefined;
  readonly asked: Case | undefined;
  readonly exceeded: Exceeded | undefined;
  readonly paced: Paced | undefined;
}

/** An action and a payment that the allowing passport allows. */
interface Weighing {
  readonly shown: Case;
  readonly payment: Payment;
  /** The lists that contain the action, as bits: for the allowing and for the denying passport. */
  readonly named: readonly [allowing: number, denying: number];
  /** `true` if the passport requires an approval: for the allowing and for the denying passport. */
  readonly needs: readonly [allowing: boolean, denying: boolean];
}

/** The reason for a missing usage. The reason and its bit come after the reasons and the bits of all rules. */
const USAGE: { readonly code: ReasonCode } = { code: 'usage_required' };

const bitOf = (code: ReasonCode): number => 1 << RULES.findIndex((rule) => rule.code === code);

const BITS = {
  denied: /* @__PURE__ */ bitOf('action_denied'),
  unlisted: /* @__PURE__ */ bitOf('action_not_allowed'),
  bare: /* @__PURE__ */ bitOf('amount_required'),
};

type DeniedCases = Map<ReasonCode, { readonly reasons: number; readonly shown: Case }>;

export function casesOf(allowing: ReadableSide, denying: ReadableSide): Cases {
  const denied: DeniedCases = new Map();
  let [usual, other, unasked, asked]: (Case | undefined)[] = [];
  let exceeded: Exceeded | undefined;
  let paced: Paced | undefined;
  for (const weighing of weighingsOf(allowing, denying)) {
    const { payment, named, needs, shown } = weighing;
    const denials = denialsOf(denying, named[1], payment, payment.denying);
    if (denials !== 0) {
      other ??= shown;
      noteDenied(denied, denials, shown);
      continue;
    }
    exceeded ??= exceededBy(allowing, denying, weighing);
    if (!fits(denying, named[1], payment.denying)) continue;
    usual ??= shown;
    paced ??= pacedBy(allowing, denying, weighing);
    if (!needs[1]) continue;
    if (needs[0]) asked ??= shown;
    else unasked ??= shown;
  }
  const shown = new Map([...denied].map(([code, found]) => [code, found.shown] as const));
  return { usual: usual ?? other ?? exceeded, denied: shown, unasked, asked, exceeded, paced };
}

/** Returns the actions and payments that the allowing passport allows. */
function* weighingsOf(allowing: ReadableSide, denying: ReadableSide): Generator<Weighing, undefined> {
  const ours = actionLists(allowing.policy);
  const cells = cellsOf([...ours, ...actionLists(denying.policy)]);
  const payments = paymentsOf(allowing.policy, denying.policy);
  for (const cell of cells) {
    const named = splitAt(cell, ours.length);
    for (const payment of payments) {
      const { amount, currency, usage } = payment;
      if (denialsOf(allowing, named[0], payment, payment.allowing) !== 0) continue;
      if (!fits(allowing, named[0], payment.allowing)) continue;
      const needs = [
        needsPerson(named[0], payment.allowing),
        needsPerson(named[1], payment.denying),
      ] as const;
      const shown = { action: cell.action, amount, currency, usage, isAsked: needs.includes(true) };
      yield { shown, payment, named, needs };
    }
  }
}

function denialsOf(side: ReadableSide, named: number, { amount, usage }: Payment, weighed: Weighed): number {
  return (
    weighed.denials |
    (has(named, LISTS.denied) ? BITS.denied : 0) |
    (has(named, LISTS.allowed) ? 0 : BITS.unlisted) |
    (amount === undefined && has(named, LISTS.monetary) ? BITS.bare : 0) |
    (lacksUsage(side, named, usage) ? 1 << RULES.length : 0)
  );
}

/** Keeps the case with the fewest reasons for each first code of a denial. */
function noteDenied(denied: DeniedCases, denials: number, shown: Case): void {
  const { code } = RULES[firstRule(denials)] ?? USAGE;
  const reasons = countOf(denials);
  if (reasons < (denied.get(code)?.reasons ?? 32)) denied.set(code, { reasons, shown });
}

function has(named: number, place: number): boolean {
  return (named & (1 << place)) !== 0;
}

function splitAt({ named }: Cell, place: number): readonly [number, number] {
  return [named & ((1 << place) - 1), named >>> place];
}

function countOf(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

function needsPerson(named: number, { isAbove }: Weighed): boolean {
  return isAbove || has(named, LISTS.approval);
}

function lacksUsage({ policy }: ReadableSide, named: number, usage: IntentUsage | undefined): boolean {
  return (policy.budgets ?? []).some(({ unit }, place) => {
    return unit !== undefined && has(named, LISTS.budgets + place) && usage?.[unit] === undefined;
  });
}

function takenFrom(
  { policy }: ReadableSide,
  place: number,
  named: number,
  { takes }: Weighed,
): number | undefined {
  const isCounted = policy.budgets?.[place]?.actions === undefined || has(named, LISTS.budgets + place);
  return isCounted ? takes[place] : 0;
}

function fits(side: ReadableSide, named: number, weighed: Weighed): boolean {
  return (side.policy.budgets ?? []).every(({ max }, place) => {
    const by = takenFrom(side, place, named, weighed);
    return by !== undefined && by <= max;
  });
}

function exceededBy(
  allowing: ReadableSide,
  denying: ReadableSide,
  { payment, named, shown }: Weighing,
): Exceeded | undefined {
  const others = allowing.policy.budgets ?? [];
  for (const [place, budget] of (denying.policy.budgets ?? []).entries()) {
    const by = takenFrom(denying, place, named[1], payment.denying);
    if (by === 0) continue;
    const same = others.findIndex((one) => isSameCounter(one, budget));
    const taken =
      same < 0 ? 0 : (takenFrom(allowing, same, named[0], payment.allowing) ?? Number.POSITIVE_INFINITY);
    if (taken === 0) return { ...shown, place, spent: budget.max };
    const spent = by === undefined ? 0 : Math.max(0, budget.max - by + 1);
    if (taken <= (others[same]?.max ?? 0) - spent) return { ...shown, place, spent };
  }
  return undefined;
}

function pacedBy(
  allowing: ReadableSide,
  denying: ReadableSide,
  { named, shown }: Weighing,
): Paced | undefined {
  const implying = pacesOn(allowing, named[0]);
  const pace = pacesOn(denying, named[1]).find((one) => !implying.some((other) => isAsSlow(other, one)));
  return pace && { ...shown, pace };
}

function pacesOn(
  { policy: { budgets = [], paces = [] } }: ReadableSide,
  named: number,
): readonly PolicyPace[] {
  const first = LISTS.budgets + budgets.length;
  return paces.filter(({ actions }, place) => actions === undefined || has(named, first + place));
}

function isAsSlow(one: PolicyPace, other: PolicyPace): boolean {
  const isSame = one.name === other.name && one.seconds === other.seconds;
  return isSame && one.max <= other.max && (one.max === 1) === (other.max === 1);
}

export function isSameCounter(one: Counter, other: Counter): boolean {
  return one.name === other.name && one.window === other.window && one.currency === other.currency;
}

interface Counter {
  readonly name: string;
  readonly window: string;
  readonly currency: string | null;
}
