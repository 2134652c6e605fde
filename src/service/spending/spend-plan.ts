/** The steps of a write that spend from budgets, and the meaning of the answer of the storage. */
import type { Change } from '../../ports/storage.ts';
import type { SpendTaking } from '../../ports/stored-spends.ts';
import type { BudgetState, Instant, Reason } from '../../records.ts';
import { type BudgetTaking, budgetExceeded, TOO_MANY_HOLDS, type Usage } from '../../verdict/budgets.ts';
import { groupSteps, type StepGroup, type StepsAnswer } from '../storage/step-groups.ts';
import { stateOf, usageOf } from './budget-state.ts';
import {
  type BudgetCounters,
  type BudgetOwner,
  type CountedWindow,
  holdsCounter,
  type WindowOf,
} from './counters.ts';

/** A spend to plan, at an instant of the store. */
export interface PlanRequest {
  /** The agent that spends. */
  readonly owner: BudgetOwner;
  /** The budgets to spend from: its own, and those of its ancestors. */
  readonly takings: readonly BudgetTaking[];
  /** `true` for a hold. */
  readonly isHold: boolean;
  /** `true` for a dry run, whose steps change nothing. */
  readonly isTrial: boolean;
  /** The instant in milliseconds since the Unix epoch. */
  readonly at: number;
  /** The same instant as text. */
  readonly present: Instant;
  readonly windowOf: WindowOf;
}

/** The steps that spend from budgets. Its methods get the answer to these steps alone. */
export interface SpendPlan {
  readonly changes: readonly Change[];
  /** The amounts for the record of the spend. */
  readonly takings: readonly SpendTaking[];
  /** Returns the states of the budgets after a stored write. */
  statesAfter(answer: StepsAnswer): readonly BudgetState[];
  /** Returns the reasons for which a failed write did not fit; empty if none of these steps failed. */
  reasonsOf(answer: StepsAnswer): readonly Reason[];
  /** Returns `true` if holds may have caused the failure: they may be past their end. */
  mayBeHeld(answer: StepsAnswer): boolean;
}

/** The most open holds of an agent in an environment. */
export const MAX_OPEN_HOLDS = 1_000;

/** Plans a spend. */
export function planSpend({
  owner,
  takings,
  isHold,
  isTrial,
  at,
  present,
  windowOf,
}: PlanRequest): SpendPlan {
  const { environment } = owner;
  const windows = takings.map(({ agent_id, budget }) => windowOf({ environment, agent_id }, budget, at));
  const add = (counter: string, by: number, { expires_at }: Ending, max?: number): Change => {
    const op = 'add';
    const at = present;
    // The object is a literal: a spread takes as long as the whole plan.
    if (expires_at === null)
      return max === undefined ? { op, counter, by, at } : { op, counter, by, at, max };
    if (max === undefined) return { op, counter, by, at, expires_at };
    return { op, counter, by, at, max, expires_at };
  };
  const groups = takings.map((taking, index): StepGroup<BudgetTaking | 'hold'> => {
    const { budget, by } = taking;
    const ending = windows[index] as CountedWindow;
    const { used, held } = ending;
    // An amount too large for a counter fits nowhere. The step fails, and answers the present values.
    if (by === undefined) return [taking, [add(used, 0, ending, -1), add(held, 0, ending)]];
    if (isTrial) return [taking, [add(used, 0, ending, budget.max - by), add(held, 0, ending)]];
    return [taking, [add(used, by, ending, budget.max), add(held, isHold ? by : 0, ending)]];
  });
  const open = isTrial ? ([0, MAX_OPEN_HOLDS - 1] as const) : ([1, MAX_OPEN_HOLDS] as const);
  if (isHold) groups.push(['hold', [add(holdsCounter(owner), open[0], NO_END, open[1])]]);
  const steps = groupSteps(...groups);

  /** Returns the usage from the answer to the two counters of a budget. */
  function usageIn(answer: StepsAnswer, taking: BudgetTaking): Usage {
    const [used = Number.NaN, held = Number.NaN] = steps.of(taking, answer).values;
    return usageOf(used, held);
  }

  return {
    changes: steps.changes,
    takings: takings.map(({ budget, by = 0 }, index) => {
      const { used, held, expires_at } = windows[index] as CountedWindow;
      return { used, held, expires_at, by, is_money: budget.currency !== null };
    }),
    statesAfter(answer) {
      if (answer.values.length < steps.changes.length) throw new TypeError('The storage answers no sums.');
      return takings.map((taking, index) => {
        const { agent_id, budget } = taking;
        return stateOf(agent_id, budget, usageIn(answer, taking), windows[index] as CountedWindow);
      });
    },
    reasonsOf(answer) {
      const lost = steps.failed(answer);
      if (lost.has('hold')) return [TOO_MANY_HOLDS];
      return takings
        .filter((taking) => lost.has(taking))
        .map((taking) => budgetExceeded(taking.agent_id, taking.budget, usageIn(answer, taking), at));
    },
    mayBeHeld(answer) {
      const lost = steps.failed(answer);
      return (
        lost.has('hold') || takings.some((taking) => lost.has(taking) && usageIn(answer, taking).held > 0)
      );
    },
  };
}

type Ending = Pick<BudgetCounters, 'expires_at'>;

const NO_END: Ending = { expires_at: null };
