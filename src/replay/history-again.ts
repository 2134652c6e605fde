/** The rules on the history of an agent in a replay: paces and rolling budgets. Each stays as recorded if its rule is the same. */
import { rollingSeconds } from '../base/values/budget-window.ts';
import { PACE_NAME } from '../base/values/pace.ts';
import { isSameJson } from '../base/values/same-json.ts';
import type { Budget, Passport, Reason } from '../records.ts';
import { type PolicyBudget, takingsOf } from '../verdict/budgets.ts';
import type { PreparedPassport } from '../verdict/index.ts';
import type { PolicyPace } from '../verdict/pace.ts';
import { pacesIn } from '../verdict/takings.ts';
import { amountUnder, type PassportChain, policyIn } from './chains.ts';
import type { AskedRow } from './recorded-reasons.ts';

/** The result of the history on a record. */
export interface HistoryAgain {
  /** The reasons that deny for certain. */
  readonly reasons: readonly Reason[];
  /** True if the history would have to be known. */
  readonly isOpen: boolean;
}

const NO_HISTORY: HistoryAgain = { reasons: [], isOpen: false };

export function historyAgain(
  asked: AskedRow,
  chain: PassportChain,
  recorded: PassportChain | undefined,
): HistoryAgain {
  if (!chain.hasHistory) return NO_HISTORY;
  const [tooFast, exceeded]: [Reason[], Reason[]] = [[], []];
  let isOpen = false;
  for (const passport of chain.all) {
    const before = recorded?.all.find((one) => idOf(one) === idOf(passport));
    for (const { pace } of pacesIn([passport], asked.action)) {
      const isAsked = wasPaceAsked(asked) && isSamePace(before?.passport, passport.passport, pace);
      if (isAsked) tooFast.push(...namedIn(asked, 'pace', idOf(passport), pace));
      else isOpen = true;
    }
    for (const budget of rollingOn(passport, asked)) {
      if (!isSameBudget(before?.passport, passport.passport, budget) || !wereBudgetsAsked(asked))
        isOpen = true;
      else exceeded.push(...namedIn(asked, 'budget', idOf(passport), budget));
    }
  }
  return { reasons: tooFast.length > 0 ? tooFast : exceeded, isOpen };
}

function idOf({ passport }: PreparedPassport): string {
  return passport.agent_id;
}

function rollingOn(passport: PreparedPassport, asked: AskedRow): readonly PolicyBudget[] {
  const policy = policyIn(passport);
  if (policy?.budgets === undefined) return [];
  return takingsOf(idOf(passport), policy.budgets, asked.action, amountUnder(policy, asked))
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

function isSamePace(before: Passport | undefined, now: Passport, { name }: PolicyPace): boolean {
  const [one, other] = [before, now].map((passport) =>
    passport?.pace?.find((pace) => (pace.name ?? PACE_NAME) === name),
  );
  return one !== undefined && isSameJson(one, other ?? null);
}

function namedIn(
  { standing }: AskedRow,
  member: 'pace' | 'budget',
  agent_id: string,
  { name }: { readonly name: string },
): readonly Reason[] {
  return standing.counted.filter((one) => one['agent_id'] === agent_id && one[member] === name);
}
