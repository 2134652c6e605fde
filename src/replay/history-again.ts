/**
 * Evaluates the rules about earlier actions in a replay: order, paces and rolling budgets. If a rule has not changed,
 * its result stays as recorded.
 */
import { rollingSeconds } from '../base/values/budget-window.ts';
import { isSameJson } from '../base/values/json-values.ts';
import { PACE_NAME } from '../base/values/pace.ts';
import type { Budget, Passport, Reason } from '../records.ts';
import { type PolicyBudget, takingsOf } from '../verdict/budgets.ts';
import type { PreparedPassport } from '../verdict/index.ts';
import type { OrderTaking } from '../verdict/order.ts';
import type { PolicyPace } from '../verdict/pace.ts';
import { PARENT_DENIED } from '../verdict/rules.ts';
import { ordersIn, pacesIn } from '../verdict/takings.ts';
import { amountUnder, type PassportChain, policyIn, withoutOverrun } from './chains.ts';
import type { AskedRow } from './recorded-reasons.ts';

export interface HistoryAgain {
  readonly reasons: readonly Reason[];
  /** `true` if the result depends on earlier actions that are unknown. */
  readonly isOpen: boolean;
}

const NO_HISTORY: HistoryAgain = { reasons: [], isOpen: false };

export function historyAgain(
  row: AskedRow,
  chain: PassportChain,
  recordedChain: PassportChain | undefined,
): HistoryAgain {
  if (!chain.hasHistory) return NO_HISTORY;
  const [tooFast, exceededReasons, misorderedReasons]: [Reason[], Reason[], Reason[]] = [[], [], []];
  let isOpen = false;
  for (const passport of chain.all) {
    const passportBefore = recordedChain?.all.find((entry) => idOf(entry) === idOf(passport));
    for (const taking of ordersIn([passport], row.action)) {
      if (wasOrderAsked(row, taking) && isSameOrder(passportBefore?.passport, passport.passport, taking))
        misorderedReasons.push(...namedIn(row, 'order', idOf(passport), taking.order));
      else isOpen ||= isOpenFor(taking);
    }
    for (const { pace } of pacesIn([passport], row.action)) {
      const isAsked = wasPaceAsked(row) && isSamePace(passportBefore?.passport, passport.passport, pace);
      if (isAsked) tooFast.push(...namedIn(row, 'pace', idOf(passport), pace));
      else isOpen = true;
    }
    const rolling = rollingAgain(row, passport, passportBefore?.passport);
    exceededReasons.push(...rolling.reasons);
    isOpen ||= rolling.isOpen;
  }
  const deniedReasons = [...misorderedReasons, ...tooFast];
  return { reasons: deniedReasons.length > 0 ? deniedReasons : exceededReasons, isOpen };
}

function idOf({ passport }: PreparedPassport): string {
  return passport.agent_id;
}

function rollingAgain(
  row: AskedRow,
  passport: PreparedPassport,
  passportBefore: Passport | undefined,
): HistoryAgain {
  const budgets = rollingOn(passport, row);
  if (!wereBudgetsAsked(row)) return { reasons: [], isOpen: budgets.length > 0 };
  const sameBudgets = budgets.filter((budget) => isSameBudget(passportBefore, passport.passport, budget));
  return {
    reasons: sameBudgets.flatMap((budget) => namedIn(row, 'budget', idOf(passport), budget)),
    isOpen: sameBudgets.length < budgets.length,
  };
}

function rollingOn(passport: PreparedPassport, row: AskedRow): readonly PolicyBudget[] {
  const policy = policyIn(passport);
  if (policy?.budgets === undefined) return [];
  return takingsOf(
    idOf(passport),
    withoutOverrun(policy.budgets),
    row.action,
    amountUnder(policy, row),
    undefined,
  )
    .map(({ budget }) => budget)
    .filter(({ window }) => rollingSeconds(window) !== undefined);
}

function isSameBudget(passportBefore: Passport | undefined, now: Passport, { name }: PolicyBudget): boolean {
  const [earlierBudget, laterBudget] = [passportBefore, now].map((passport) =>
    passport?.budgets?.find((budget) => nameOf(budget) === name),
  );
  return (
    earlierBudget !== undefined &&
    isSameJson(earlierBudget, laterBudget ?? null) &&
    passportBefore?.currency === now.currency
  );
}

function nameOf({ name, window }: Budget): string {
  return name ?? window;
}

function wereBudgetsAsked({ codes, standing }: AskedRow): boolean {
  const isOfApproval = codes.isApprovalRequired || standing.approval !== undefined;
  return codes.isAllow || codes.budgetsExceeded > 0 || isOfApproval;
}

function wasPaceAsked(row: AskedRow): boolean {
  return wereBudgetsAsked(row) || row.codes.isTooFast || row.codes.isTooManyHolds;
}

function wasOrderAsked(row: AskedRow, { isChecked }: OrderTaking): boolean {
  // A question that was not judged as a whole says nothing about the values.
  return !row.standing.isUnevaluated && (!isChecked || wasPaceAsked(row));
}

function isSamePace(passportBefore: Passport | undefined, now: Passport, { name }: PolicyPace): boolean {
  const [earlierPace, laterPace] = [passportBefore, now].map((passport) =>
    passport?.pace?.find((pace) => (pace.name ?? PACE_NAME) === name),
  );
  return earlierPace !== undefined && isSameJson(earlierPace, laterPace ?? null);
}

/** Returns `true` if the verdict depends on unknown facts: values of the intent, or earlier intents. */
function isOpenFor({ order, isChecked }: OrderTaking): boolean {
  return isChecked || order.same.length > 0;
}

function isSameOrder(
  passportBefore: Passport | undefined,
  now: Passport,
  { order: { name } }: Pick<OrderTaking, 'order'>,
): boolean {
  const [order, otherOrder] = [passportBefore, now].map((passport) =>
    passport?.order?.find((rule) => rule.name === name),
  );
  return order !== undefined && isSameJson(order, otherOrder ?? null);
}

/**
 * Returns the recorded reasons for missing values in rules of order that have not changed. Records contain neither the
 * session nor the parameters.
 */
export function lackingAgain(
  { action, standing }: AskedRow,
  { all }: PassportChain,
  recordedChain: PassportChain | undefined,
): readonly Reason[] {
  return all.flatMap((passport, place) => {
    const parent = place === 0 ? undefined : idOf(passport);
    const passportBefore = recordedChain?.all.find((entry) => idOf(entry) === idOf(passport))?.passport;
    const sameTakings = ordersIn([passport], action).filter((taking) =>
      isSameOrder(passportBefore, passport.passport, taking),
    );
    return standing.conditions.filter((reason) => {
      const code = parent === undefined ? reason.code : reason['reason'];
      if (reason['parent'] !== parent || code === PARENT_DENIED.code) return false;
      if (code === 'session_required') return sameTakings.some(({ order }) => order.name === reason['order']);
      const isOfOrder = code === 'parameter_required' || reason['test'] === 'same';
      return (
        isOfOrder && sameTakings.some(({ order }) => order.same.some(({ text }) => text === reason['at']))
      );
    });
  });
}

function namedIn(
  { standing }: AskedRow,
  member: 'order' | 'pace' | 'budget',
  agent_id: string,
  { name }: { readonly name: string },
): readonly Reason[] {
  return standing.counted.filter((reason) => reason['agent_id'] === agent_id && reason[member] === name);
}
