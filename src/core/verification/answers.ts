/** Answers verify requests that must wait for the storage, a proof of possession, a spend, or an idempotency key. */
import { within } from '../../base/async/deadlines.ts';
import type { Intent, VerdictRecord } from '../../records.ts';
import { requireScope } from '../shared/callers.ts';
import { assertKey } from '../shared/idempotency.ts';
import type { Caches } from '../storage/caches.ts';
import { ANSWER_DEADLINES, tooLate } from '../storage/storage-guard.ts';
import { type Ancestries, type FoundAgent, NOT_FOUND } from './ancestries.ts';
import { type AskedIntent, mayNeedWhole, needsWhole, ownerOf, type VerdictEvaluator } from './evaluate.ts';
import type { Filed, VerifyContext, VerifyParts } from './filed.ts';
import { keptWhole, wholeIntents } from './intent.ts';
import type { KeyedVerdict, Replays } from './replays.ts';
import type { Taken } from './takings.ts';
import { lastingCaller, type VerifyCaller } from './verify-caller.ts';

export interface AnswersParts extends Pick<VerifyParts, 'hooks' | 'replays'> {
  readonly evaluators: VerdictEvaluator;
  readonly ancestries: Ancestries;
  readonly filed: Filed;
}

export interface VerdictQuestion {
  /**
   * Returns the original intents of the caller. Must be called before the first wait, because the caller may change the
   * intents later.
   */
  readonly given: () => readonly Intent[];
  /** The parts of the intents that are evaluated. */
  readonly intents: readonly Intent[];
  readonly asker: VerifyCaller;
  /** A checked copy of the caller. */
  readonly caller: VerifyCaller;
  /** The endpoint for which the idempotency key is valid. */
  readonly route: string;
  /** `true` for a batch. The verdict on item `i` is then stored under the key and `#i`. */
  readonly isBatch: boolean;
  /** The agent of the only intent, if all its data is in memory. */
  readonly known?: FoundAgent | undefined;
  /** The time of the monotonic clock at which the request began. */
  readonly startedAt: number;
}

/**
 * Returns the stored and reported verdicts in the order of the intents. Passes an error to the hooks before it rejects.
 */
export type AnswerInOrder = (question: VerdictQuestion) => Promise<readonly VerdictRecord[]>;

/**
 * Creates the pipeline: find, wait, evaluate, store, report. A spend calls the storage up to four times: passport, key,
 * write, and a last read of the key. A spend continues after its caller has given up. A write also continues if its
 * answer is lost.
 */
export function createAnswer(
  { caches, deadlineMs }: Pick<VerifyContext, 'caches' | 'deadlineMs'>,
  { evaluators, ancestries, filed, hooks, replays }: AnswersParts,
): AnswerInOrder {
  const { evaluate, evaluateInOrder, mustWait } = evaluators;

  async function answerOf(question: VerdictQuestion): Promise<readonly VerdictRecord[]> {
    const { intents, asker, known, startedAt } = question;
    const { idempotencyKey, onReplayed, signal } = asker;
    const turns: KeyedVerdict[] = [];
    try {
      demandPermitScope(question);
      // What the caller changes while this waits is not evaluated.
      const wholes = wholesOf(caches, question);
      const caller = lastingCaller(question.caller);
      const agents = known === undefined ? await ancestries.findAll(intents, startedAt) : [known];
      signal?.throwIfAborted();
      const askedIntents = intents.map((givenIntent, index): AskedIntent => {
        const { found: passport, ancestry } = agents[index] ?? NOT_FOUND;
        const intent = (needsWhole(givenIntent, passport, ancestry) && wholes[index]?.()) || givenIntent;
        return { intent, found: passport, ancestry, caller };
      });
      // A key is asked for only where something can be taken.
      const isWaiting = askedIntents.some(({ intent, found: passport, ancestry }) =>
        mustWait(intent, passport, ancestry),
      );
      const keyedVerdicts =
        isWaiting && idempotencyKey !== undefined ? await begin(replays, question, wholes, turns) : [];
      const results: readonly Taken[] = isWaiting
        ? await evaluateInOrder(
            askedIntents.map((intent, index) => ({ keyed: keyedVerdicts[index], ...intent })),
          )
        : askedIntents.map(({ intent, found: passport, ancestry }) => {
            return { record: evaluate(intent, passport, caller, ancestry), isReplay: false };
          });
      const ownedVerdicts = results.map(({ record, isReplay }, index) => {
        return { record, isReplay, owner: ownerOf(record, askedIntents[index]?.found, caller) };
      });
      await filed.all(ownedVerdicts, startedAt);
      if (results.every(({ isReplay }) => isReplay)) onReplayed?.();
      return results.map(shown);
    } finally {
      for (const turn of turns) turn.end();
    }
  }

  return async (question) => {
    const { isBatch, startedAt, asker } = question;
    try {
      // The items of a batch are taken one after the other.
      if (isBatch || deadlineMs === undefined) return await answerOf(question);
      const ms = ANSWER_DEADLINES * deadlineMs - (caches.monotonic() - startedAt);
      return await within(() => answerOf(question), { ms, toError: tooLate });
    } catch (error) {
      // The caller of an aborted call does not wait for it: that is not a failure.
      if (!asker.signal?.aborted) hooks.fail(error);
      throw error;
    }
  };
}

function shown({ record, permit, mark }: Taken): VerdictRecord {
  if (permit === undefined && mark === undefined) return record;
  return { ...record, ...(permit !== undefined && { permit }), ...(mark !== undefined && { mark }) };
}

function demandPermitScope({ asker: { scopes }, intents }: VerdictQuestion): void {
  if (scopes !== undefined && intents.some(({ permit }) => permit !== undefined)) {
    requireScope({ scopes }, 'permit');
  }
}

/**
 * Reads the complete intents if they may be needed. With an idempotency key, every intent is compared, so one malformed
 * intent makes the whole call fail.
 */
function wholesOf(
  { passports }: Pick<Caches, 'passports'>,
  { given, intents, asker, known, startedAt }: VerdictQuestion,
): readonly (() => Intent)[] {
  if (asker.idempotencyKey !== undefined) {
    const wholes = given().map((intent) => wholeIntents.read(intent));
    assertKey(asker.idempotencyKey);
    return wholes.map((whole) => () => whole);
  }
  const isNeeded = intents.some((intent) =>
    known === undefined
      ? mayNeedWhole(passports.peek(intent.agent_id, startedAt))
      : needsWhole(intent, known.found, known.ancestry),
  );
  return isNeeded ? given().map(keptWhole) : [];
}

/**
 * Begins the request for each intent under the idempotency key. If one item does not match its key, the batch fails
 * before anything is spent.
 */
async function begin(
  replays: Replays,
  { asker: { idempotencyKey = '' }, caller, route, isBatch }: VerdictQuestion,
  wholes: readonly (() => Intent)[],
  turns: KeyedVerdict[],
): Promise<readonly KeyedVerdict[]> {
  for (const [index, whole] of wholes.entries()) {
    const key = isBatch ? `${idempotencyKey}#${index}` : idempotencyKey;
    turns.push(replays.begin({ key, caller, route, intent: whole() }));
  }
  return isBatch ? Promise.all(turns.map((turn) => turn.look())) : turns;
}
