/** Verdicts: the passport from memory or the store, the decision from the pure core, the record to the caller. */

import { type DeedVerdicts, guardedDeed } from '../../base/async/guarded-deed.ts';
import { elementsOf } from '../../base/values/plain-data.ts';
import { IdentityError } from '../../errors.ts';
import type { Intent, VerdictRecord } from '../../records.ts';
import { defaultRules } from '../../verdict/index.ts';
import type { Context } from '../shared/context.ts';
import type { Hooks } from '../shared/hooks.ts';
import { assertKey } from '../shared/idempotency.ts';
import { createAnswer } from './answers.ts';
import { createFiled } from './filed.ts';
import { type IntentReader, judgedIntents, wholeIntents } from './intent.ts';
import { createJudge, ownerOf } from './judge.ts';
import { createLineages } from './lineages.ts';
import { assertKnownNames, callerOf, HOST, hasKnownNames, type VerifyCaller } from './verify-caller.ts';
import type { VerifyParts } from './verify-parts.ts';

/** Answers what agents may do. */
export interface VerifyService {
  /** `invalid_request` for a malformed intent, `storage_unavailable` when no verdict could be formed. */
  verify(intent: Intent, caller?: VerifyCaller): Promise<VerdictRecord>;
  /**
   * Runs the deed on ALLOW, and gives back what it gives back. `tool_denied` on DENY, with `details.record` and
   * `details.reasons`; what `verify` rejects with where there is no verdict. Either way the deed does not run, nor does it
   * under an `idempotencyKey` whose spend was released or has lapsed (`tool_denied`, `verdict_unavailable`).
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
  const { caches, elapsedClock } = context;
  const { passports, monotonic } = caches;
  const { rules, hooks } = parts;
  const intents: IntentReader = rules === defaultRules ? judgedIntents : wholeIntents;
  const judges = createJudge(context, parts);
  const lineages = createLineages(caches);
  const { judge, mustWait } = judges;
  const filed = createFiled(context, parts);
  const answer = createAnswer(context, { judges, lineages, filed, hooks });

  /** Answers at once what need not wait. Not an asynchronous function: the registers of one are a fifth of a verdict. */
  function verifySince(given: Intent, asker: VerifyCaller, since?: number): Promise<VerdictRecord> {
    try {
      const startedAt = since ?? monotonic();
      const intent = intents.read(given);
      const caller = callerOf(asker);
      const known = passports.peek(intent.agent_id, startedAt);
      const found = known?.value;
      const isChild = found?.parent_agent_id !== undefined;
      const lineage = isChild ? lineages.peek(found, startedAt) : undefined;
      const isKnown = known !== undefined && (!isChild || lineage !== undefined);
      if (!isKnown || mustWait(intent, found, lineage)) {
        const { idempotencyRoute: route = 'verify' } = asker;
        const agent = isKnown ? { found, lineage } : undefined;
        return answer({
          given: () => [given],
          intents: [intent],
          asker,
          caller,
          route,
          isBatch: false,
          known: agent,
          startedAt,
        }).then(([record]) => record as VerdictRecord);
      }
      // Where nothing can be taken nothing is remembered: a key costs nothing then.
      if (asker.idempotencyKey !== undefined) assertKey(asker.idempotencyKey);
      const record = judge(intent, found, caller, lineage, elapsedClock.presentOf(startedAt));
      return filed.one(record, ownerOf(record, found, caller), startedAt);
    } catch (error) {
      hooks.fail(error);
      return Promise.reject(error);
    }
  }

  const refuse = (verb: string, caller: VerifyCaller) => refuseNames(hooks, verb, caller);

  return {
    verifySince,

    verify: (given, caller = HOST) =>
      caller === HOST || hasKnownNames(caller) ? verifySince(given, caller) : refuse('verify', caller),

    guard: (given, deed, caller = HOST) =>
      hasKnownNames(caller)
        ? guardedDeed(verdictsFor(caller, verifySince, parts), given, deed)
        : refuse('guard', caller),

    verifyBatch(batch, asker = HOST) {
      try {
        const startedAt = monotonic();
        assertKnownNames('verifyBatch', asker);
        const read = intents.readBatch(batch);
        const given = () => elementsOf(batch.intents) as Intent[];
        const caller = callerOf(asker);
        const route = 'verify/batch';
        return answer({ given, intents: read, asker, caller, route, isBatch: true, startedAt });
      } catch (error) {
        hooks.fail(error);
        return Promise.reject(error);
      }
    },
  };
}

/** How a deed of the caller gets its verdict. */
function verdictsFor(
  caller: VerifyCaller,
  verifySince: VerifySince['verifySince'],
  { spending }: VerifyParts,
): DeedVerdicts {
  const isThere = caller.idempotencyKey === undefined ? undefined : spending.isThere;
  return { verify: (intent) => verifySince(intent, caller), isThere };
}

/** Rejects with the error about the unknown name, and reports it. */
async function refuseNames(hooks: Hooks, verb: string, caller: VerifyCaller): Promise<never> {
  try {
    assertKnownNames(verb, caller);
    throw new IdentityError('internal', 'The options changed while they were read.');
  } catch (error) {
    hooks.fail(error);
    throw error;
  }
}
