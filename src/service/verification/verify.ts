/** Verdicts: the passport from memory or the store, the decision from the pure core, the record to the caller. */

import { guardedDeed } from '../../base/guarded-deed.ts';
import { elementsOf } from '../../base/plain-data.ts';
import type { Intent, VerdictRecord } from '../../records.ts';
import { defaultRules } from '../../verdict/index.ts';
import type { Context } from '../shared/context.ts';
import { assertKey } from '../shared/idempotency.ts';
import { BATCH_ROUTE, createAnswers } from './answers.ts';
import { type IntentReader, judgedIntents, keptWhole, wholeIntents } from './intent.ts';
import { createJudge, needsWhole, ownerOf } from './judge.ts';
import { createLineages } from './lineages.ts';
import { callerOf, HOST, lastingCaller, type VerifyCaller } from './verify-caller.ts';
import type { VerifyParts } from './verify-parts.ts';

/** Answers what agents may do. */
export interface VerifyService {
  /** `invalid_request` for a malformed intent, `storage_unavailable` when no verdict could be formed. */
  verify(intent: Intent, caller?: VerifyCaller): Promise<VerdictRecord>;
  /**
   * Runs the deed on ALLOW, and gives back what it gives back. `tool_denied` on DENY, with `details.record` and
   * `details.reasons`; what `verify` rejects with where there is no verdict. Either way the deed does not run.
   */
  guard<T>(
    intent: Intent,
    deed: (record: VerdictRecord) => T | Promise<T>,
    caller?: VerifyCaller,
  ): Promise<T>;
  /** One verdict per intent, in their order; one malformed intent refuses them all. */
  verifyBatch(
    batch: { readonly intents: readonly Intent[] },
    caller?: VerifyCaller,
  ): Promise<readonly VerdictRecord[]>;
}

/** The same with a question that began before it got here. */
export interface VerifySince extends VerifyService {
  /** What `verify` answers to a question that began at `startedAt`, by the monotonic clock; default: now. */
  verifySince(intent: Intent, caller: VerifyCaller, startedAt?: number): Promise<VerdictRecord>;
}

/** The verify service over the passports of `context`. */
export function createVerify(context: Context, parts: VerifyParts): VerifySince {
  const { caches } = context;
  const { passports, monotonic } = caches;
  const { rules, journal, hooks } = parts;
  const intents: IntentReader = rules === defaultRules ? judgedIntents : wholeIntents;
  const judges = createJudge(context, parts);
  const lineages = createLineages(caches);
  const { judge, judgeOne, mustWait } = judges;
  const { answer, answerUnder } = createAnswers(context, { ...parts, intents, judges, lineages });

  async function verifySince(given: Intent, asker: VerifyCaller, since?: number): Promise<VerdictRecord> {
    let signal: AbortSignal | undefined;
    try {
      const startedAt = since ?? monotonic();
      const intent = intents.read(given);
      let caller = callerOf(asker);
      const known = passports.peek(intent.agent_id, startedAt);
      let found = known?.value;
      let lineage = found?.parent_agent_id === undefined ? undefined : lineages.peek(found, startedAt);
      const isKnown = known !== undefined && (found?.parent_agent_id === undefined || lineage !== undefined);
      const { idempotency_key, idempotency_route = 'verify' } = asker;
      if (idempotency_key !== undefined) {
        // Where nothing can be taken nothing is remembered: a key costs nothing then.
        if (!isKnown || mustWait(intent, found, lineage)) {
          const [answered] = await answerUnder(asker, [given], idempotency_route, startedAt);
          return answered as VerdictRecord;
        }
        assertKey(idempotency_key);
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
      const record = mustWait(asked, found, lineage)
        ? (await judgeOne({ intent: asked, found, lineage, caller })).record
        : judge(asked, found, caller, lineage);
      const latencyUs = (monotonic() - startedAt) * 1_000;
      const stored = journal.file(record, ownerOf(record, found, caller), latencyUs);
      if (stored !== undefined) await stored;
      hooks.report(record, latencyUs);
      return record;
    } catch (error) {
      // The caller of an aborted call does not wait for it: that is not a failure.
      if (!signal?.aborted) hooks.fail(error);
      throw error;
    }
  }

  return {
    verifySince,

    verify: (given, caller = HOST) => verifySince(given, caller),

    guard: (given, deed, caller = HOST) => guardedDeed((intent) => verifySince(intent, caller), given, deed),

    async verifyBatch(given, asker = HOST) {
      const startedAt = monotonic();
      try {
        const batch = intents.readBatch(given);
        const caller = lastingCaller(callerOf(asker));
        if (asker.idempotency_key !== undefined) {
          return await answerUnder(asker, elementsOf(given.intents) as Intent[], BATCH_ROUTE, startedAt);
        }
        const wholes = () => (elementsOf(given.intents) as Intent[]).map(keptWhole);
        const taken = await answer({ batch, wholes }, caller, startedAt);
        return taken.map(({ record }) => record);
      } catch (error) {
        hooks.fail(error);
        throw error;
      }
    },
  };
}
