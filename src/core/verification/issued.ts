/** Verdicts that give a token to the agent: evaluated, signed, then taken. */

import type { Intent, Reason, VerdictRecord } from '../../records.ts';
import { approvalRequired } from '../../verdict/approval.ts';
import type { ProofFact } from '../../verdict/index.ts';
import { concernsApproval } from '../approvals/approval-plan.ts';
import type { Context } from '../shared/context.ts';
import type { TokenSigner } from '../signing/token-signer.ts';
import type { MadePart, Taking } from '../spending/spending.ts';
import { isActiveAt } from './active-agent.ts';
import type { Filed, VerifyContext, VerifyParts } from './filed.ts';
import { ownerOf, type VerdictJudge } from './judge.ts';
import type { FoundAgent, Lineages } from './lineages.ts';
import { createPermits, type PlannedPermit, type PlanPermit } from './permits.ts';
import type { CheckedProof } from './proof-check.ts';
import type { Taken, ToTake } from './takings.ts';
import type { VerifyCaller } from './verify-caller.ts';

/** A question whose ALLOW gives a token. */
export interface ToIssue {
  readonly intent: Intent;
  readonly agent: FoundAgent;
  readonly caller: VerifyCaller;
  /** The credential of the agent; its use is a step of the write that takes the ALLOW. */
  readonly proof: CheckedProof | undefined;
  /** Further steps of that write, such as the use of an assertion. */
  readonly takings?: readonly Taking[];
  /** The passport of the agent, if it is made in that write. */
  readonly made?: MadePart | undefined;
  readonly plan: PlanPermit;
}

/** Gives verdicts with tokens. */
export interface Issue {
  /** Finds an agent and the passports above, from memory as far as it may answer. */
  find(agent_id: string): Promise<FoundAgent>;
  /** Says whether the agent and all above it are active now. Records nothing. */
  isActive(agent_id: string): Promise<boolean>;
  /** Evaluates as `verdict` does, without taking, signing and recording. */
  judged(asked: Pick<ToIssue, 'intent' | 'agent' | 'caller'> & { readonly fact?: ProofFact }): VerdictRecord;
  /** Evaluates, signs and takes. The member `permit` of the result is the token; `null` on DENY. */
  verdict(asked: ToIssue): Promise<Taken>;
}

/** The modules that find, evaluate, take and file. */
export interface IssueParts extends Pick<VerifyParts, 'take' | 'hooks'> {
  readonly judge: VerdictJudge['judge'];
  readonly lineages: Lineages;
  readonly filed: Filed;
}

const NEEDS_PERSON: readonly Reason[] = [approvalRequired({ approval_id: null, expires_at: null })];

/** Makes the verdicts with tokens of one service. */
export function issueVerdicts(
  { clock, caches: { monotonic } }: VerifyContext,
  { judge, lineages, filed, take, hooks }: IssueParts,
): Issue {
  const find = (agent_id: string): Promise<FoundAgent> => lineages.find(agent_id, monotonic());

  return {
    find,

    async isActive(agent_id) {
      return isActiveAt(await find(agent_id), clock.now());
    },

    judged: ({ intent, agent, caller, fact }) =>
      withoutPerson(judge(intent, agent.found, caller, agent.lineage, clock.now(), fact), intent, agent),

    async verdict({ intent, agent: { found, lineage }, caller, proof, takings = [], made, plan }) {
      const startedAt = monotonic();
      try {
        const judged = judge(intent, found, caller, lineage, clock.now(), proof?.fact);
        const record = withoutPerson(judged, intent, { found, lineage });
        const all = [...(proof?.takings ?? []), ...takings];
        const toTake = { record, intent, found, lineage, keyed: undefined, takings: all, made };
        const taken = await takePermitted({ planPermit: plan, take, now: clock.now }, toTake);
        if (taken.isOvertaken) return taken;
        const { record: last, isReplay } = taken;
        await filed.all([{ record: last, isReplay, owner: ownerOf(last, found, caller) }], startedAt);
        return taken;
      } catch (error) {
        hooks.fail(error);
        throw error;
      }
    },
  };
}

/** Denies what a person must approve: nobody waits for a person with a request for a token. */
function withoutPerson(record: VerdictRecord, intent: Intent, { found, lineage }: FoundAgent): VerdictRecord {
  if (record.verdict === 'DENY' || found === undefined) return record;
  const passports = [found.prepared, ...(lineage?.prepared ?? [])];
  return concernsApproval(intent, passports)
    ? Object.assign({}, record, { verdict: 'DENY', reasons: NEEDS_PERSON } as const)
    : record;
}

type Take = (toTake: ToTake) => Promise<Taken>;

interface PermittedParts {
  readonly planPermit: PlanPermit;
  readonly take: Take;
  readonly now: () => number;
}

export function takingPermits(
  context: Pick<
    Context,
    | 'store'
    | 'caches'
    | 'clock'
    | 'clockWatch'
    | 'tokens'
    | 'registration'
    | 'claimsDomains'
    | 'logState'
    | 'deadlineMs'
  >,
  tokens: TokenSigner | undefined,
  take: Take,
): Take {
  const parts = { planPermit: createPermits(context, tokens), take, now: context.clock.now };
  return (toTake) => (toTake.intent.permit === undefined ? take(toTake) : takePermitted(parts, toTake));
}

/**
 * Takes what an intent that asks for a permit takes, after its permit is signed: a permit that cannot be made
 * takes nothing. The permit of a verdict that turns out to be DENY is thrown away.
 */
async function takePermitted(parts: PermittedParts, toTake: ToTake): Promise<Taken> {
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
