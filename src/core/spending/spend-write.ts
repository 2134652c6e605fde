/** Builds the write of a spend: its parts, and their order. */
import type { Change } from '../../ports/storage.ts';
import type { Instant, Reason } from '../../records.ts';
import { ordersIn, pacesIn, takingsIn } from '../../verdict/takings.ts';
import { groupSteps, type StepGroup, type StepGroups, type StepsAnswer } from '../storage/step-groups.ts';
import type { Store } from '../storage/store.ts';
import type { WindowOf } from './counters.ts';
import { type OrderPlan, planOrder } from './order-plan.ts';
import { type PacePlan, planPace } from './pace-plan.ts';
import type { Addition, ApprovalPart, SpendRequest, Taking } from './read-budgets.ts';
import { planSpend, type SpendPlan } from './spend-plan.ts';

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
