/** Verdicts that wait: for the storage, for a proof, for what an ALLOW takes, or for an answer under a key. */
import type { Intent, VerdictRecord } from '../../records.ts';
import type { Hooks } from '../shared/hooks.ts';
import type { Answers } from './answers.ts';
import type { Filed } from './filed.ts';
import { keptWhole } from './intent.ts';
import { needsWhole, ownerOf, type VerdictJudge } from './judge.ts';
import type { FoundAgent, Lineages } from './lineages.ts';
import { lastingCaller, type VerifyCaller } from './verify-caller.ts';

/** A question that was read, and what memory says of its agent. */
export interface WaitingQuestion extends FoundAgent {
  readonly given: Intent;
  readonly asker: VerifyCaller;
  readonly startedAt: number;
  readonly intent: Intent;
  readonly caller: VerifyCaller;
  /** Whether memory may answer for the agent and all above it. */
  readonly isKnown: boolean;
}

/** What such a verdict is made by. */
export interface VerifyLaterParts extends Pick<Answers, 'answerUnder'> {
  readonly hooks: Hooks;
  readonly judges: VerdictJudge;
  readonly lineages: Lineages;
  readonly filed: Filed;
}

/** Makes what answers a question that waits. */
export function createVerifyLater({
  hooks,
  judges,
  lineages,
  answerUnder,
  filed,
}: VerifyLaterParts): (question: WaitingQuestion) => Promise<VerdictRecord> {
  const { judge, judgeOne, mustWait } = judges;
  return async (question) => {
    const { given, asker, startedAt, intent, isKnown } = question;
    let { caller, found, lineage } = question;
    let signal: AbortSignal | undefined;
    let record: VerdictRecord;
    try {
      const { idempotencyKey, idempotencyRoute = 'verify' } = asker;
      if (idempotencyKey !== undefined) {
        const [answered] = await answerUnder(asker, [given], idempotencyRoute, startedAt);
        return answered as VerdictRecord;
      }
      let whole: (() => Intent) | undefined;
      if (!isKnown) {
        // Before it waits: what the caller changes meanwhile is not judged.
        whole = keptWhole(given);
        caller = lastingCaller(caller);
        signal = asker.signal;
        ({ found, lineage } = await lineages.find(intent.agent_id, startedAt));
        signal?.throwIfAborted();
      }
      const asked = needsWhole(intent, found, lineage) ? (whole ?? keptWhole(given))() : intent;
      record = mustWait(asked, found, lineage)
        ? (await judgeOne({ intent: asked, found, lineage, caller })).record
        : judge(asked, found, caller, lineage);
    } catch (error) {
      // The caller of an aborted call does not wait for it: that is not a failure.
      if (!signal?.aborted) hooks.fail(error);
      throw error;
    }
    return filed.one(record, ownerOf(record, found, caller), startedAt);
  };
}
