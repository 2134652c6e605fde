/** Gives verdicts with tokens. The intent is evaluated, the token is signed, and then the amounts are spent. */

import type { Intent, Reason, VerdictRecord } from '../../records.ts';
import { approvalRequired } from '../../verdict/approval.ts';
import type { ProofFact } from '../../verdict/index.ts';
import { concernsApproval } from '../approvals/approval-plan.ts';
import type { Context } from '../shared/context.ts';
import type { TokenSigner } from '../signing/token-signer.ts';
import type { MadePart, Taking } from '../spending/spending.ts';
import { isActiveAt } from './active-agent.ts';
import type { Ancestries, FoundAgent } from './ancestries.ts';
import { ownerOf, type VerdictEvaluator } from './evaluate.ts';
import type { Filed, VerifyContext, VerifyParts } from './filed.ts';
import { createPermits, type PlannedPermit, type PlanPermit } from './permits.ts';
import type { CheckedProof } from './proof-check.ts';
import type { Taken, ToTake } from './takings.ts';
import type { VerifyCaller } from './verify-caller.ts';

/** A request that gets a token with an `ALLOW`. */
export interface ToIssue {
  readonly intent: Intent;
  readonly agent: FoundAgent;
  readonly caller: VerifyCaller;
  /** The credential of the agent. The write of the `ALLOW` marks it as used. */
  readonly proof: CheckedProof | undefined;
  /** Further steps of this write, such as marking an assertion as used. */
  readonly takings?: readonly Taking[];
  /** The passport of the agent, if the write creates it. */
  readonly made?: MadePart | undefined;
  readonly plan: PlanPermit;
}

/** Gives verdicts with tokens. */
export interface Issue {
  /** Finds an agent and its ancestors. Uses cached passports if they are fresh enough. */
  find(agent_id: string): Promise<FoundAgent>;
  /** Returns `true` if the agent and all its ancestors are active now. Records nothing. */
  isActive(agent_id: string): Promise<boolean>;
  /** Evaluates the request as `verdict` does, but does not spend, sign or record. */
  judged(issue: Pick<ToIssue, 'intent' | 'agent' | 'caller'> & { readonly fact?: ProofFact }): VerdictRecord;
  /** Evaluates, signs and spends. The field `permit` of the result is the token, or `null` for a `DENY`. */
  verdict(issue: ToIssue): Promise<Taken>;
}

/** The modules that find passports, evaluate intents, spend and store verdicts. */
export interface IssueParts extends Pick<VerifyParts, 'take' | 'hooks'> {
  readonly evaluate: VerdictEvaluator['evaluate'];
  readonly ancestries: Ancestries;
  readonly filed: Filed;
}

const NEEDS_PERSON: readonly Reason[] = [approvalRequired({ approval_id: null, expires_at: null })];

/** Creates the part of one service that gives verdicts with tokens. */
export function issueVerdicts(
  { clock, caches: { monotonic } }: VerifyContext,
  { evaluate, ancestries, filed, take, hooks }: IssueParts,
): Issue {
  const find = (agent_id: string): Promise<FoundAgent> => ancestries.find(agent_id, monotonic());

  return {
    find,

    async isActive(agent_id) {
      return isActiveAt(await find(agent_id), clock.now());
    },

    judged: ({ intent, agent, caller, fact }) =>
      withoutPerson(evaluate(intent, agent.found, caller, agent.ancestry, clock.now(), fact), intent, agent),

    async verdict({ intent, agent: { found: passport, ancestry }, caller, proof, takings = [], made, plan }) {
      const startedAt = monotonic();
      try {
        const evaluatedRecord = evaluate(intent, passport, caller, ancestry, clock.now(), proof?.fact);
        const record = withoutPerson(evaluatedRecord, intent, { found: passport, ancestry });
        const allTakings = [...(proof?.takings ?? []), ...takings];
        const toTake = {
          record,
          intent,
          found: passport,
          ancestry,
          keyed: undefined,
          takings: allTakings,
          made,
        };
        const result = await takePermitted({ planPermit: plan, take, now: clock.now }, toTake);
        if (result.isOvertaken) return result;
        const { record: last, isReplay } = result;
        await filed.all([{ record: last, isReplay, owner: ownerOf(last, passport, caller) }], startedAt);
        return result;
      } catch (error) {
        hooks.fail(error);
        throw error;
      }
    },
  };
}

/**
 * Changes the verdict to `DENY` if a person must approve the intent, because a request for a token cannot wait for a
 * person.
 */
function withoutPerson(
  record: VerdictRecord,
  intent: Intent,
  { found: passport, ancestry }: FoundAgent,
): VerdictRecord {
  if (record.verdict === 'DENY' || passport === undefined) return record;
  const passports = [passport.prepared, ...(ancestry?.prepared ?? [])];
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
    | 'session'
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
 * Spends for an intent that asks for a permit. The permit is signed first, so that nothing is spent if signing fails.
 * If the verdict becomes `DENY`, the permit is discarded.
 */
async function takePermitted(parts: PermittedParts, toTake: ToTake): Promise<Taken> {
  const { planPermit, take } = parts;
  const { record, intent, found: passport, ancestry } = toTake;
  const withoutPermit = async (evaluatedRecord: VerdictRecord): Promise<Taken> => {
    return { ...(await take({ ...toTake, record: evaluatedRecord })), permit: null };
  };
  if (record.verdict === 'DENY' || passport === undefined) return withoutPermit(record);
  const plan = await planPermit({ record, intent, found: passport, ancestry });
  if ('code' in plan) return withoutPermit({ ...record, verdict: 'DENY', reasons: [plan satisfies Reason] });
  if (record.dry_run) return withoutPermit(record);
  const token = await plan.sign(record);
  const permittedRecord = { ...record, permit_audience: plan.audience };
  const result = await take({ ...toTake, record: permittedRecord, permitTerms: plan.terms });
  if (result.record.verdict === 'DENY') {
    return { ...result, record: { ...result.record, permit_audience: null }, permit: null };
  }
  if (result.record.decision_id === record.decision_id) return { ...result, permit: token };
  return { ...result, permit: await signedAgain(plan, result, parts.now()) };
}

/**
 * Signs the permit of the first answer again, with the same id and no later end. Returns `null` if the permit has
 * expired.
 */
async function signedAgain(plan: PlannedPermit, { record, permitTerms }: Taken, now: number) {
  if (permitTerms === undefined || permitTerms.exp * 1_000 <= now) return null;
  return plan.sign(record, permitTerms);
}
