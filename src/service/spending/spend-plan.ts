/** The steps by which an ALLOW takes from budgets, and what the storage answers to them. */
import type { Change, NotWritten } from '../../ports/storage.ts';
import type { SpendTaking } from '../../ports/stored-spends.ts';
import type { BudgetState, Instant, Reason } from '../../records.ts';
import { type BudgetTaking, budgetExceeded, TOO_MANY_HOLDS, type Usage } from '../../verdict/budgets.ts';
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

/** The first steps of a write. */
export interface SpendPlan {
  readonly changes: readonly Change[];
  /** What is taken, for its record. */
  readonly takings: readonly SpendTaking[];
  /** The budgets after a write with these sums. */
  statesAfter(sums: readonly number[]): readonly BudgetState[];
  /** Why a write that was not stored did not fit; empty where another step failed. */
  reasonsOf(result: NotWritten): readonly Reason[];
  /** Whether what is held may be in the way: then it may be due. */
  mayBeHeld(result: NotWritten): boolean;
}

/** Open holds of an agent in an environment. */
export const MAX_OPEN_HOLDS = 1_000;

/** Two steps for each budget, then one for a hold. */
const STEPS = 2;

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
  const changes: Change[] = [];
  takings.forEach(({ budget: { max }, by }, index) => {
    const ending = windows[index] as CountedWindow;
    const { used, held } = ending;
    // What no counter holds fits nowhere: the step fails, and answers what there is.
    if (by === undefined) changes.push(add(used, 0, ending, -1), add(held, 0, ending));
    else if (isTrial) changes.push(add(used, 0, ending, max - by), add(held, 0, ending));
    else changes.push(add(used, by, ending, max), add(held, isHold ? by : 0, ending));
  });
  const holdAt = changes.length;
  const open = isTrial ? ([0, MAX_OPEN_HOLDS - 1] as const) : ([1, MAX_OPEN_HOLDS] as const);
  if (isHold) changes.push(add(holdsCounter(owner), open[0], NO_END, open[1]));

  return {
    changes,
    takings: takings.map(({ budget, by = 0 }, index) => {
      const { used, held, expires_at } = windows[index] as CountedWindow;
      return { used, held, expires_at, by, is_money: budget.currency !== null };
    }),
    statesAfter(sums) {
      if (sums === undefined || sums.length < changes.length)
        throw new TypeError('The storage answers no sums.');
      return takings.map(({ agent_id, budget }, index) => {
        return stateOf(agent_id, budget, usageAt(sums, index), windows[index] as CountedWindow);
      });
    },
    reasonsOf({ failed, found }) {
      const steps = new Set(failed.map(({ step }) => step));
      if (isHold && steps.has(holdAt)) return [TOO_MANY_HOLDS];
      return takings.flatMap(({ agent_id, budget }, index) => {
        if (!steps.has(index * STEPS)) return [];
        return [budgetExceeded(agent_id, budget, usageAt(found, index), at)];
      });
    },
    mayBeHeld({ failed, found }) {
      return failed.some(({ step }) => {
        if (step === holdAt) return isHold;
        return step < holdAt && (found[step + 1] ?? 0) > 0;
      });
    },
  };
}

/** What the two steps of a budget were answered. */
function usageAt(values: readonly number[], index: number): Usage {
  return usageOf(values[index * STEPS] ?? Number.NaN, values[index * STEPS + 1] ?? Number.NaN);
}

type Ending = Pick<BudgetCounters, 'expires_at'>;

const NO_END: Ending = { expires_at: null };
