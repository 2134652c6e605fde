/** An ALLOW with a permit: judged, signed, then taken. */
import type { Reason, VerdictRecord } from '../../records.ts';
import type { Context } from '../shared/context.ts';
import type { TokenSigner } from '../signing/token-signer.ts';
import { createPermits, type PlannedPermit, type PlanPermit } from './permits.ts';
import type { Taken, ToTake } from './takings.ts';

/** Spends what an ALLOW takes, and returns the verdict. */
type Take = (toTake: ToTake) => Promise<Taken>;

/** The parts of an ALLOW with a permit. */
export interface PermittedParts {
  /** Plans the permit, or another token that an ALLOW gives. */
  readonly planPermit: PlanPermit;
  readonly take: Take;
  readonly now: () => number;
}

/** Makes the function that takes, with the permit of an intent that asks for one. */
export function takingPermits(context: Context, tokens: TokenSigner | undefined, take: Take): Take {
  const parts = { planPermit: createPermits(context, tokens), take, now: context.clock.now };
  return (toTake) => (toTake.intent.permit === undefined ? take(toTake) : takePermitted(parts, toTake));
}

/**
 * Takes what an intent that asks for a permit takes, after its permit is signed: a permit that cannot be made
 * takes nothing. The permit of a verdict that turns out to be DENY is thrown away.
 */
export async function takePermitted(parts: PermittedParts, toTake: ToTake): Promise<Taken> {
  const { planPermit, take } = parts;
  const { record, intent, found, lineage } = toTake;
  const without = async (judged: VerdictRecord): Promise<Taken> => {
    return { ...(await take({ ...toTake, record: judged })), permit: null };
  };
  if (record.verdict === 'DENY' || found === undefined) return without(record);
  const plan = await planPermit({ record, intent, found, lineage });
  if ('code' in plan) return without({ ...record, verdict: 'DENY', reasons: [plan satisfies Reason] });
  if (record.dry_run) return without(record);
  const token = await plan.sign(record);
  const permitted = { ...record, permit_audience: plan.audience };
  const taken = await take({ ...toTake, record: permitted, permitTerms: plan.terms });
  if (taken.record.verdict === 'DENY') {
    return { ...taken, record: { ...taken.record, permit_audience: null }, permit: null };
  }
  if (taken.record.decision_id === record.decision_id) return { ...taken, permit: token };
  return { ...taken, permit: await signedAgain(plan, taken, parts.now()) };
}

/** Signs the permit of a first answer again, with the same id and no later end; `null` once it has ended. */
async function signedAgain(plan: PlannedPermit, { record, permitTerms }: Taken, now: number) {
  if (permitTerms === undefined || permitTerms.exp * 1_000 <= now) return null;
  return plan.sign(record, permitTerms);
}
