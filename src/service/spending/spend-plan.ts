/** The steps by which an ALLOW takes from budgets, and what the storage answers to them. */
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

/** What is to be taken, at an instant of the store. */
export interface PlanRequest {
  /** Who spends. */
  readonly owner: BudgetOwner;
  /** From its own budgets, and those of its ancestors. */
  readonly takings: readonly BudgetTaking[];
  /** Whether it is held. */
  readonly isHold: boolean;
  /** Whether it is only asked whether it would fit: then no step changes anything. */
  readonly isTrial: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** The same as it is spelled. */
  readonly present: Instant;
  readonly windowOf: WindowOf;
}

/** The steps of a write that take from budgets. They are given the answer to them alone. */
export interface SpendPlan {
  readonly changes: readonly Change[];
  /** What is taken, for its record. */
  readonly takings: readonly SpendTaking[];
  /** The budgets after a write that was stored. */
  statesAfter(answer: StepsAnswer): readonly BudgetState[];
  /** Why a write that was not stored did not fit; empty where none of these steps failed. */
  reasonsOf(answer: StepsAnswer): readonly Reason[];
  /** Whether what is held may be in the way: then it may be due. */
  mayBeHeld(answer: StepsAnswer): boolean;
}

/** Open holds of an agent in an environment. */
export const MAX_OPEN_HOLDS = 1_000;

/** The plan of what is to be taken. */
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
    // Written out: to spread an object takes as long as all of the plan.
    if (expires_at === null)
      return max === undefined ? { op, counter, by, at } : { op, counter, by, at, max };
    if (max === undefined) return { op, counter, by, at, expires_at };
    return { op, counter, by, at, max, expires_at };
  };
  const groups = takings.map((taking, index): StepGroup<BudgetTaking | 'hold'> => {
    const { budget, by } = taking;
    const ending = windows[index] as CountedWindow;
    const { used, held } = ending;
    // What no counter holds fits nowhere: the step fails, and answers what there is.
    if (by === undefined) return [taking, [add(used, 0, ending, -1), add(held, 0, ending)]];
    if (isTrial) return [taking, [add(used, 0, ending, budget.max - by), add(held, 0, ending)]];
    return [taking, [add(used, by, ending, budget.max), add(held, isHold ? by : 0, ending)]];
  });
  const open = isTrial ? ([0, MAX_OPEN_HOLDS - 1] as const) : ([1, MAX_OPEN_HOLDS] as const);
  if (isHold) groups.push(['hold', [add(holdsCounter(owner), open[0], NO_END, open[1])]]);
  const steps = groupSteps(...groups);

  /** What the two counters of a budget were answered. */
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
