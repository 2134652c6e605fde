/** Answers verify requests: evaluates them here, or asks the service. */
import { unreachable } from '../client/unreachable.ts';
import type { Intent, VerdictRecord } from '../records.ts';
import type { AsksReason } from './asking.ts';
import { UNUSED_MS } from './confirmation.ts';
import { type Batch, createEngine, type Engine, type TimedQuestion } from './engine.ts';
import type { AlwaysAsked } from './memory.ts';
import type { VerifierSettings } from './options.ts';
import { ELSEWHERE } from './reader.ts';

/** The state of a local verifier. */
export interface VerifierState {
  /**
   * The reason why every request currently goes to the service. `null` while the verifier decides in its own process.
   */
  readonly asks: AsksReason | null;
  /** The age of the last confirmed state in milliseconds. `null` before the first confirmation. */
  readonly age_ms: number | null;
  /** The agents for which every intent goes to the service, unless it is denied here; at most 1,000. */
  readonly always_asked: readonly AlwaysAsked[];
  /** The number of agents in verify requests of the last 30 s. */
  readonly passports: number;
  /** The number of verdicts that were decided here since the start. */
  readonly decided: number;
  /** The number of requests that went to the service since the start. */
  readonly asked: number;
  /** The number of verdict records that are not yet sent. */
  readonly unsent: number;
  /** The number of records that were dropped since the start. */
  readonly dropped: number;
}

/** An intent, either for an immediate verdict or for a verdict that must wait. */
export interface GivenIntent {
  /** The intent, if the caller cannot change it before the call returns. `undefined` if it must be copied first. */
  readonly atOnce: Intent | undefined;
  /**
   * Returns a copy, which the caller cannot change.
   *
   * @throws {IdentityError} `invalid_request` if the intent has no JSON form.
   */
  later(): Intent;
}

/** Answers the verify requests of one verifier. */
export interface Questions {
  /** Returns the time of the verifier's clock, which includes sleep of the computer. */
  elapsed(): number;
  /** Throws `service_unreachable` after the verifier was closed. */
  assertOpen(): void;
  /** Evaluates an intent, or calls `ask`. If memory has all passports, no asynchronous function runs. */
  one(
    givenIntent: GivenIntent,
    question: TimedQuestion,
    ask: (intent: Intent) => Promise<VerdictRecord>,
  ): Promise<VerdictRecord>;
  /** Evaluates all intents of a batch, or calls `ask`. */
  all(
    batch: Batch,
    question: TimedQuestion,
    ask: () => Promise<readonly VerdictRecord[]>,
  ): Promise<readonly VerdictRecord[]>;
  /**
   * Returns whether the agent and all its ancestors are active. Rejects with `service_unreachable` if memory cannot
   * answer.
   */
  isActive(agentId: string): Promise<boolean>;
  /** Sends a request that only confirms the API key, and stores the answer. Rejects with the error of the service. */
  look(): Promise<void>;
  /** Returns only the reason for asking the service, and the age of the last confirmation. */
  standing(): Pick<VerifierState, 'asks' | 'age_ms'>;
  state(): VerifierState;
  /** Sends the waiting records for at most 2 s, and ends all requests. */
  close(): Promise<void>;
}

export function createQuestions(settings: VerifierSettings): Questions {
  const engine = createEngine(settings);
  const { elapsed, memory, asking, reader, sender } = engine;
  let isClosed = false;
  const counts = { decided: 0, asked: 0 };

  function assertOpen(): void {
    if (isClosed) throw unreachable(settings.baseUrl, 'the verifier is closed');
  }

  function standing(): Pick<VerifierState, 'asks' | 'age_ms'> {
    const ageMs = elapsed() - memory.anchor().asOf;
    return { asks: asking.reason(), age_ms: Number.isFinite(ageMs) ? Math.max(0, ageMs) : null };
  }

  const orElsewhere = createElsewhere(engine, counts, assertOpen);

  return {
    elapsed,
    assertOpen,
    look: reader.look,
    one({ atOnce, later }, question, ask) {
      const filings = sender.filings();
      const mayWait = atOnce === undefined || question.signal !== undefined;
      const recordPromise = mayWait ? undefined : engine.decideKnown(atOnce, question);
      if (recordPromise !== undefined && sender.filings() > filings) {
        counts.decided += 1;
        return recordPromise;
      }
      const intent = later();
      return orElsewhere(
        () => recordPromise ?? engine.decideOne(intent, question),
        () => ask(intent),
        1,
      );
    },
    all(batch, question, ask) {
      const count = Array.isArray(batch?.intents) ? batch.intents.length : 0;
      return orElsewhere(() => engine.decideAll(batch, question), ask, count);
    },
    async isActive(agentId) {
      const unknown = async (): Promise<never> => {
        throw unreachable(settings.baseUrl, 'the verifier does not know the state of the agent');
      };
      assertOpen();
      const atMs = elapsed();
      return orElsewhere(() => engine.isActive(agentId, atMs), unknown, 0);
    },
    standing,
    state() {
      return {
        ...standing(),
        always_asked: memory.alwaysAsked(elapsed() - UNUSED_MS),
        passports: memory.size(),
        ...counts,
        unsent: sender.waiting.unsent(),
        dropped: sender.waiting.dropped(),
      };
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      engine.confirmation.stop();
      await sender.close();
      engine.channel.close();
      settings.closeLog();
    },
  };
}

function createElsewhere(
  { asking, reader }: Engine,
  counts: { decided: number; asked: number },
  assertOpen: () => void,
) {
  return async <Answer>(
    decide: () => Promise<Answer>,
    ask: () => Promise<Answer>,
    count: number,
  ): Promise<Answer> => {
    // A question looks now and then whether a reason for asking is over; its own answer shows a failure.
    if (asking.isDue()) reader.look().catch(() => undefined);
    if (asking.reason() === null) {
      try {
        const answer = await decide();
        counts.decided += count;
        return answer;
      } catch (error) {
        if (error !== ELSEWHERE) throw error;
      }
    }
    assertOpen();
    counts.asked += count;
    return ask();
  };
}
