/**
 * Evaluates the rules about earlier actions in a replay: order, paces and rolling budgets. If a rule has not changed,
 * its result stays as recorded.
 */
import { rollingSeconds } from '../base/values/budget-window.ts';
import { PACE_NAME } from '../base/values/pace.ts';
import { isSameJson } from '../base/values/same-json.ts';
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
  asked: AskedRow,
  chain: PassportChain,
  recorded: PassportChain | undefined,
): HistoryAgain {
  if (!chain.hasHistory) return NO_HISTORY;
  const [tooFast, exceeded, misordered]: [Reason[], Reason[], Reason[]] = [[], [], []];
  let isOpen = false;
  for (const passport of chain.all) {
    const before = recorded?.all.find((one) => idOf(one) === idOf(passport));
    for (const taking of ordersIn([passport], asked.action)) {
      if (wasOrderAsked(asked, taking) && isSameOrder(before?.passport, passport.passport, taking))
        misordered.push(...namedIn(asked, 'order', idOf(passport), taking.order));
      else isOpen ||= isOpenFor(taking);
    }
    for (const { pace } of pacesIn([passport], asked.action)) {
      const isAsked = wasPaceAsked(asked) && isSamePace(before?.passport, passport.passport, pace);
      if (isAsked) tooFast.push(...namedIn(asked, 'pace', idOf(passport), pace));
      else isOpen = true;
    }
    const rolling = rollingAgain(asked, passport, before?.passport);
    exceeded.push(...rolling.reasons);
    isOpen ||= rolling.isOpen;
  }
  const denied = [...misordered, ...tooFast];
  return { reasons: denied.length > 0 ? denied : exceeded, isOpen };
}

function idOf({ passport }: PreparedPassport): string {
  return passport.agent_id;
}

function rollingAgain(
  asked: AskedRow,
  passport: PreparedPassport,
  before: Passport | undefined,
): HistoryAgain {
  const budgets = rollingOn(passport, asked);
  if (!wereBudgetsAsked(asked)) return { reasons: [], isOpen: budgets.length > 0 };
  const same = budgets.filter((budget) => isSameBudget(before, passport.passport, budget));
  return {
    reasons: same.flatMap((budget) => namedIn(asked, 'budget', idOf(passport), budget)),
    isOpen: same.length < budgets.length,
  };
}

function rollingOn(passport: PreparedPassport, asked: AskedRow): readonly PolicyBudget[] {
  const policy = policyIn(passport);
  if (policy?.budgets === undefined) return [];
  return takingsOf(
    idOf(passport),
    withoutOverrun(policy.budgets),
    asked.action,
    amountUnder(policy, asked),
    undefined,
  )
    .map(({ budget }) => budget)
    .filter(({ window }) => rollingSeconds(window) !== undefined);
}

function isSameBudget(before: Passport | undefined, now: Passport, { name }: PolicyBudget): boolean {
  const [one, other] = [before, now].map((passport) =>
    passport?.budgets?.find((budget) => nameOf(budget) === name),
  );
  return one !== undefined && isSameJson(one, other ?? null) && before?.currency === now.currency;
}

function nameOf({ name, window }: Budget): string {
  return name ?? window;
}

function wereBudgetsAsked({ codes, standing }: AskedRow): boolean {
  const isOfApproval = codes.isApprovalRequired || standing.approval !== undefined;
  return codes.isAllow || codes.budgetsExceeded > 0 || isOfApproval;
}

function wasPaceAsked(asked: AskedRow): boolean {
  return wereBudgetsAsked(asked) || asked.codes.isTooFast || asked.codes.isTooManyHolds;
}

function wasOrderAsked(asked: AskedRow, { isChecked }: OrderTaking): boolean {
  // A question that was not judged as a whole says nothing about the values.
  return !asked.standing.isUnjudged && (!isChecked || wasPaceAsked(asked));
}

function isSamePace(before: Passport | undefined, now: Passport, { name }: PolicyPace): boolean {
  const [one, other] = [before, now].map((passport) =>
    passport?.pace?.find((pace) => (pace.name ?? PACE_NAME) === name),
  );
  return one !== undefined && isSameJson(one, other ?? null);
}

/** Returns `true` if the verdict depends on unknown facts: values of the intent, or earlier intents. */
function isOpenFor({ order, isChecked }: OrderTaking): boolean {
  return isChecked || order.same.length > 0;
}

function isSameOrder(
  before: Passport | undefined,
  now: Passport,
  { order: { name } }: Pick<OrderTaking, 'order'>,
): boolean {
  const [one, other] = [before, now].map((passport) => passport?.order?.find((rule) => rule.name === name));
  return one !== undefined && isSameJson(one, other ?? null);
}

/**
 * Returns the recorded reasons for missing values in rules of order that have not changed. Records contain neither the
 * session nor the parameters.
 */
export function lackingAgain(
  { action, standing }: AskedRow,
  { all }: PassportChain,
  recorded: PassportChain | undefined,
): readonly Reason[] {
  return all.flatMap((passport, place) => {
    const parent = place === 0 ? undefined : idOf(passport);
    const before = recorded?.all.find((one) => idOf(one) === idOf(passport))?.passport;
    const same = ordersIn([passport], action).filter((one) => isSameOrder(before, passport.passport, one));
    return standing.conditions.filter((one) => {
      const code = parent === undefined ? one.code : one['reason'];
      if (one['parent'] !== parent || code === PARENT_DENIED.code) return false;
      if (code === 'session_required') return same.some(({ order }) => order.name === one['order']);
      const isOfOrder = code === 'parameter_required' || one['test'] === 'same';
      return isOfOrder && same.some(({ order }) => order.same.some(({ text }) => text === one['at']));
    });
  });
}

function namedIn(
  { standing }: AskedRow,
  member: 'order' | 'pace' | 'budget',
  agent_id: string,
  { name }: { readonly name: string },
): readonly Reason[] {
  return standing.counted.filter((one) => one['agent_id'] === agent_id && one[member] === name);
}
