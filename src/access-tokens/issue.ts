/** Gives verdicts with tokens. The intent is evaluated, the token is signed, and then the amounts are spent. */

import { concernsApproval } from '../core/approvals/approval-plan.ts';
import type { Core } from '../core/capabilities/capability.ts';
import type { MadePart, Taking } from '../core/spending/spending.ts';
import type { FoundAgent } from '../core/verification/ancestries.ts';
import { ownerOf } from '../core/verification/evaluate.ts';
import type { CheckedProof } from '../core/verification/proof-check.ts';
import { type PlanPermit, type Taken, takePermitted } from '../core/verification/takings.ts';
import type { VerifyCaller } from '../core/verification/verify-caller.ts';
import type { Intent, Reason, VerdictRecord } from '../records.ts';
import { approvalRequired } from '../verdict/approval.ts';
import type { ProofFact } from '../verdict/index.ts';

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
  /** Evaluates the request as `verdict` does, but does not spend, sign or record. */
  judged(issue: Pick<ToIssue, 'intent' | 'agent' | 'caller'> & { readonly fact?: ProofFact }): VerdictRecord;
  /** Evaluates, signs and spends. The field `permit` of the result is the token, or `null` for a `DENY`. */
  verdict(issue: ToIssue): Promise<Taken>;
}

const NEEDS_PERSON: readonly Reason[] = [approvalRequired({ approval_id: null, expires_at: null })];

/** Creates the part of one service that gives verdicts with tokens. */
export function createIssue({
  clock,
  caches: { monotonic },
  demanded,
}: Pick<Core, 'clock' | 'caches' | 'demanded'>): Issue {
  const find = (agent_id: string): Promise<FoundAgent> =>
    demanded('issuing').ancestries.find(agent_id, monotonic());

  return {
    find,

    judged: ({ intent, agent, caller, fact }) =>
      withoutPerson(
        demanded('issuing').evaluate(intent, agent.found, caller, agent.ancestry, clock.now(), fact),
        intent,
        agent,
      ),

    async verdict({ intent, agent: { found: passport, ancestry }, caller, proof, takings = [], made, plan }) {
      const { evaluate, filed, hooks, take } = demanded('issuing');
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
