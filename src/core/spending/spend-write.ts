/** Builds the write of a spend: its parts, and their order. */

import type { Change } from '../../ports/storage.ts';
import type { BudgetState, Instant, Reason } from '../../records.ts';
import { type BudgetTaking, budgetExceeded, TOO_MANY_HOLDS } from '../../verdict/budgets.ts';
import { ordersIn, pacesIn, takingsIn } from '../../verdict/takings.ts';
import { groupSteps, type StepGroup, type StepGroups, type StepsAnswer } from '../storage/step-groups.ts';
import type { Store } from '../storage/store.ts';
import { fitsAtOf, stateOf, usageIn } from './budget-state.ts';
import type { SpendTaking } from './collections.ts';
import {
  adderAt,
  type BudgetOwner,
  type CountedWindow,
  holdsCounter,
  type UsedCounter,
  type WindowOf,
} from './counters.ts';
import { type OrderPlan, type PacePlan, planOrder, planPace } from './limit-plans.ts';
import type { Addition, ApprovalPart, SpendRequest, Taking } from './read-budgets.ts';
import type { BudgetUse } from './thresholds.ts';

const NO_PROOFS = groupSteps<Taking>();

export interface SpendPlans {
  readonly plan: SpendPlan;
  readonly order: OrderPlan;
  readonly pace: PacePlan;
  readonly proofs: StepGroups<Taking>;
  readonly isTrial: boolean;
}

interface PlanTime {
  readonly at: number;
  readonly present: Instant;
  readonly windowOf: WindowOf;
}

export function plansOf(
  { record, intent, found, ancestors = [], takings: otherTakings = [], approval }: SpendRequest,
  { at, present, windowOf }: PlanTime,
): SpendPlans {
  const isTrial = record.dry_run || approval?.refusal !== undefined;
  const isHold = intent.hold_seconds !== undefined;
  const passports = [found.prepared, ...ancestors];
  const takings = takingsIn(passports, intent);
  const { environment } = record;
  const orders = ordersIn(passports, intent.action);
  const paces = pacesIn(passports, intent.action);
  return {
    plan: planSpend({ owner: record, takings, isHold, isTrial, at, present, windowOf }),
    order: planOrder({ environment, takings: orders, intent, isTrial, at, present }),
    pace: planPace({ environment, takings: paces, isTrial, at, present }),
    proofs: record.dry_run
      ? NO_PROOFS
      : groupSteps(...otherTakings.map((taking) => proofGroup(taking, isTrial))),
    isTrial,
  };
}

type WritePart = 'order' | 'pace' | 'spend' | 'record' | 'proof' | 'made' | 'approval' | 'key';

interface WriteParts {
  readonly plan: SpendPlan;
  readonly order: OrderPlan;
  readonly pace: PacePlan;
  readonly spend: readonly Change[];
  readonly proofs: StepGroups<Taking>;
  readonly made: readonly Change[];
  readonly approval: ApprovalPart;
  readonly last: readonly Change[];
}

export function writeOf({
  plan,
  order,
  pace,
  spend,
  proofs,
  made,
  approval,
  last,
}: WriteParts): StepGroups<WritePart> {
  return groupSteps<WritePart>(
    ['order', order.changes],
    ['pace', pace.changes],
    ['spend', plan.changes],
    ['record', spend],
    ['proof', proofs.changes],
    ['made', made],
    ['approval', approval.changes],
    ['key', last],
  );
}

export async function untimelyReasons(
  { order, pace }: Pick<SpendPlans, 'order' | 'pace'>,
  {
    write,
    answer,
    store,
  }: { readonly write: StepGroups<WritePart>; readonly answer: StepsAnswer; readonly store: Store },
): Promise<readonly Reason[]> {
  const misorderedReasons = await order.reasonsOf(write.of('order', answer), store);
  return [...misorderedReasons, ...pace.reasonsOf(write.of('pace', answer))];
}

function proofGroup(taking: Taking, isTrial: boolean): StepGroup<Taking> {
  return [taking, [isTrial ? asTrial(taking.change) : taking.change]];
}

/** Returns a step that fails if the addition would fail, but adds nothing. */
function asTrial({ by, max, ...step }: Addition): Addition {
  return { ...step, by: 0, max: max - by };
}

// Plans the steps of a write that spend from budgets, and reads their results.

/** A planned spend. `at` and `present` are instants by the clock of the storage. */
interface PlanRequest {
  readonly owner: BudgetOwner;
  readonly takings: readonly BudgetTaking[];
  readonly isHold: boolean;
  readonly isTrial: boolean;
  readonly at: number;
  readonly present: Instant;
  readonly windowOf: WindowOf;
}

/** The steps that spend from budgets. Each argument `answer` has the results of these steps only. */
export interface SpendPlan {
  readonly changes: readonly Change[];
  readonly takings: readonly SpendTaking[];
  /** Returns the used amounts of the budgets with a `warn_at`, after a successful write. */
  warningUses(answer: StepsAnswer): readonly BudgetUse[];
  statesAfter(answer: StepsAnswer): readonly BudgetState[];
  reasonsOf(answer: StepsAnswer): readonly Reason[];
  /** Returns `true` if the spend may have failed only because of holds that have expired. */
  mayBeHeld(answer: StepsAnswer): boolean;
}

const MAX_OPEN_HOLDS = 1_000;

function planSpend({ owner, takings, isHold, isTrial, at, present, windowOf }: PlanRequest): SpendPlan {
  const { environment } = owner;
  const windows = takings.map(({ agent_id, budget }) => windowOf({ environment, agent_id }, budget, at));
  const add = adderAt(present);
  const groups = takings.map((taking, index): StepGroup<BudgetTaking | 'hold'> => {
    const { budget, by } = taking;
    const { counters, held } = windows[index] as CountedWindow;
    // An amount too large for a counter fits nowhere. The step fails, and answers the present values.
    const max = by === undefined ? -1 : isTrial ? budget.max - by : budget.max;
    const addedUnits = isTrial ? 0 : (by ?? 0);
    const steps = counters.map((counter) => add(counter.used, addedUnits, counter, max));
    const [first] = counters;
    if (held !== undefined && first !== undefined) steps.push(add(held, isHold ? addedUnits : 0, first));
    return [taking, steps];
  });
  const open = isTrial ? ([0, MAX_OPEN_HOLDS - 1] as const) : ([1, MAX_OPEN_HOLDS] as const);
  if (isHold) groups.push(['hold', [add(holdsCounter(owner), open[0], NO_END, open[1])]]);
  const steps = groupSteps(...groups);

  const valuesOf = (answer: StepsAnswer, taking: BudgetTaking) => steps.of(taking, answer).values;

  function exceeded(answer: StepsAnswer, taking: BudgetTaking, window: CountedWindow): Reason {
    const values = valuesOf(answer, taking);
    const { agent_id, budget } = taking;
    return budgetExceeded(agent_id, budget, usageIn(window, values), at, fitsAtOf(window, values, taking));
  }

  return {
    changes: steps.changes,
    takings: takings.flatMap(({ budget, by = 0 }, index) => {
      const { counters, held } = windows[index] as CountedWindow;
      const { unit, overrun } = budget;
      const is_money = budget.currency !== null && unit === undefined;
      return counters.map(({ used, expires_at }): SpendTaking => {
        const taking = { used, expires_at, by, is_money };
        const countedTaking = held === undefined ? taking : Object.assign(taking, { held });
        return overrun ? Object.assign(countedTaking, { overrun }, unit && { unit }) : countedTaking;
      });
    }),
    warningUses(answer) {
      return takings.flatMap((taking, index) => {
        const { agent_id, budget } = taking;
        // Most budgets do not warn: for them nothing is computed.
        if (budget.warn_at === undefined) return NO_USE;
        const window = windows[index] as CountedWindow;
        const usage = usageIn(window, valuesOf(answer, taking));
        return { owner: { environment, agent_id }, budget, window, usage };
      });
    },
    statesAfter(answer) {
      if (answer.values.length < steps.changes.length) throw new TypeError('The storage answers no sums.');
      return takings.map((taking, index) => {
        const { agent_id, budget } = taking;
        const window = windows[index] as CountedWindow;
        return stateOf(agent_id, budget, usageIn(window, valuesOf(answer, taking)), window);
      });
    },
    reasonsOf(answer) {
      const failures = steps.failed(answer);
      if (failures.has('hold')) return [TOO_MANY_HOLDS];
      return takings.flatMap((taking, index) =>
        failures.has(taking) ? [exceeded(answer, taking, windows[index] as CountedWindow)] : [],
      );
    },
    mayBeHeld(answer) {
      const failures = steps.failed(answer);
      // What is held of a rolling window is not known.
      return (
        failures.has('hold') ||
        takings.some((taking, index) => {
          const window = windows[index] as CountedWindow;
          if (!failures.has(taking)) return false;
          return window.held === undefined || usageIn(window, valuesOf(answer, taking)).held > 0;
        })
      );
    },
  };
}

const NO_USE: readonly BudgetUse[] = [];
const NO_END: Pick<UsedCounter, 'expires_at'> = { expires_at: null };
