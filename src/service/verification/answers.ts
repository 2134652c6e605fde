/** Verdicts on several intents, and verdicts under an idempotency key. */
import type { Intent, VerdictRecord } from '../../records.ts';
import type { Context } from '../shared/context.ts';
import { assertKey } from '../shared/idempotency.ts';
import type { Filed } from './filed.ts';
import { type IntentReader, wholeIntents } from './intent.ts';
import { mayNeedWhole, needsWhole, ownerOf, type VerdictJudge } from './judge.ts';
import { type Lineages, NOT_FOUND } from './lineages.ts';
import { createReplays, type KeyedVerdict } from './replays.ts';
import type { Taken } from './takings.ts';
import { callerOf, lastingCaller, type VerifyCaller } from './verify-caller.ts';

/** What an idempotency key of a batch is for. */
export const BATCH_ROUTE = 'verify/batch';

/** What answers are made of. */
export interface AnswersParts {
  readonly intents: IntentReader;
  readonly judges: VerdictJudge;
  readonly lineages: Lineages;
  readonly filed: Filed;
}

/** Intents that were read, and all of each as it was given. */
export interface GivenIntents {
  readonly batch: readonly Intent[];
  /** Reads all of them at once, before anything is waited for. */
  readonly wholes: () => readonly (() => Intent)[];
}

/** Answers several intents. */
export interface Answers {
  /** The verdicts on intents that were read, one after the other, filed and reported. */
  answer(
    given: GivenIntents,
    caller: VerifyCaller,
    startedAt: number,
    begin?: () => Promise<readonly KeyedVerdict[]>,
  ): Promise<readonly Taken[]>;
  /** The same under the idempotency key of the caller for this route; item `i` of a batch under the key and `#i`. */
  answerUnder(
    asker: VerifyCaller,
    given: readonly Intent[],
    route: string,
    startedAt: number,
  ): Promise<readonly VerdictRecord[]>;
}

/** The answers of one service. */
export function createAnswers(context: Context, parts: AnswersParts): Answers {
  const { passports } = context.caches;
  const { intents, lineages, filed } = parts;
  const { judge, judgeInOrder, mustWait } = parts.judges;
  const replays = createReplays(context);

  async function answer(
    { batch, wholes }: GivenIntents,
    caller: VerifyCaller,
    startedAt: number,
    begin: () => Promise<readonly KeyedVerdict[]> = async () => [],
  ): Promise<readonly Taken[]> {
    const agents = [...new Set(batch.map((intent) => intent.agent_id))];
    const kept = agents.some((id) => mayNeedWhole(passports.peek(id, startedAt))) ? wholes() : [];
    const looked = agents.map(async (id) => [id, await lineages.find(id, startedAt)] as const);
    const foundOf = new Map(await Promise.all(looked));
    const asked = batch.map((given, index) => {
      const { found, lineage } = foundOf.get(given.agent_id) ?? NOT_FOUND;
      const intent = (needsWhole(given, found, lineage) && kept[index]?.()) || given;
      return { intent, found, lineage, caller };
    });
    // Where nothing can be taken nothing is remembered: a key then costs no call of the storage.
    const isWaiting = asked.some(({ intent, found, lineage }) => mustWait(intent, found, lineage));
    const keyed = isWaiting ? await begin() : [];
    const taken = isWaiting
      ? await judgeInOrder(asked.map((one, index) => ({ keyed: keyed[index], ...one })))
      : asked.map(({ intent, found, lineage }) => {
          return { record: judge(intent, found, caller, lineage), isReplay: false };
        });
    const owner = (record: VerdictRecord) => ownerOf(record, foundOf.get(record.agent_id)?.found, caller);
    await filed.all(taken, owner, startedAt);
    return taken;
  }

  async function answerUnder(
    asker: VerifyCaller,
    given: readonly Intent[],
    route: string,
    startedAt: number,
  ): Promise<readonly VerdictRecord[]> {
    const { idempotencyKey = '', onReplayed } = asker;
    const caller = lastingCaller(callerOf(asker));
    const whole = given.map((intent) => wholeIntents.read(intent));
    const keyed: KeyedVerdict[] = [];
    const isBatch = route === BATCH_ROUTE;
    assertKey(idempotencyKey);
    async function begin(): Promise<readonly KeyedVerdict[]> {
      for (const [index, intent] of whole.entries()) {
        const key = isBatch ? `${idempotencyKey}#${index}` : idempotencyKey;
        keyed.push(replays.begin({ key, caller, route, intent }));
      }
      // A batch that does not match what one of its keys remembers is refused before anything is taken.
      return isBatch ? Promise.all(keyed.map((one) => one.look())) : keyed;
    }
    try {
      const taken = await answer(
        {
          batch: given.map((intent) => intents.read(intent)),
          wholes: () => whole.map((intent) => () => intent),
        },
        caller,
        startedAt,
        begin,
      );
      if (taken.every(({ isReplay }) => isReplay)) onReplayed?.();
      return taken.map(({ record }) => record);
    } finally {
      for (const one of keyed) one.end();
    }
  }

  return { answer, answerUnder };
}
