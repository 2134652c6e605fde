/** Evaluates intents in process, with passports that a remote service has confirmed within the last 800 ms. */

import { isCarriedAsIs, jsonData, MAX_BATCH_MEMBERS, MAX_BODY_MEMBERS } from '../base/values/json-data.ts';
import { guardOf } from '../client/guard.ts';
import { ONCE } from '../client/requests.ts';
import { checkedSignal } from '../client/transport.ts';
import { unreachable } from '../client/unreachable.ts';
import { createIdentityClient, type IdentityClient, type VerifyOptions } from '../client.ts';
import { assertKey } from '../core/shared/idempotency.ts';
import type { Intent, VerdictRecord } from '../records.ts';
import type { AsksReason } from './channel.ts';
import { type Batch, createEngine, type Engine, type TimedQuestion } from './engine.ts';
import type { AlwaysAsked } from './memory.ts';
import {
  checkedOptions,
  LOCAL_OPTIONS,
  type LocalVerifierOptions,
  type VerifierSettings,
} from './options.ts';
import { UNUSED_MS } from './pipeline.ts';
import { ELSEWHERE } from './reader.ts';

/**
 * A local verifier. `verify`, `guard` and `verifyBatch` evaluate in this process. All other methods are methods of the
 * client.
 */
export interface LocalVerifier extends IdentityClient {
  /**
   * Returns whether the agent and all its ancestors are active. The state is at most a second old. Returns
   * `false` for an agent that the API key may not see. Records nothing. You can use it as the option `live`
   * of `createTokenVerifier`.
   *
   * @throws {IdentityError} `service_unreachable` if the last known state is too old and the service does not answer.
   */
  isActive(agent_id: string): Promise<boolean>;
  /** Returns the current state. */
  state(): VerifierState;
  /** Sends the waiting records for at most 2 s, and ends all requests. Later calls throw `service_unreachable`. */
  close(): Promise<void>;
  /** Closes the verifier at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a local verifier for the service at `baseUrl`. The API key needs the scopes `verify` and `decide`.
 *
 * A verification that starts more than a second after an acknowledged change uses the new state. If the verifier cannot
 * decide, it asks the service. If it cannot ask, the verification fails.
 *
 * @throws {IdentityError} `invalid_configuration` for options that cannot work.
 *
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { fetchHandler } from 'agent-identity-service/http';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 * import { createLocalVerifier } from 'agent-identity-service/verifier';
 *
 * const service = createIdentityService({ storage: memoryStorage() });
 * const { key: apiKey } = await service.keys.create({ name: 'shop', scopes: ['verify', 'decide'] });
 * // A service elsewhere needs no `fetch`: this one answers in the same process.
 * const fetch = async (url, init) => fetchHandler(service)(new Request(url, init));
 * const verifier = createLocalVerifier({ baseUrl: 'https://id.example.com/api', apiKey, fetch });
 * const intent = { agent_id: 'did:web:example.com:agents:unknown', action: 'orders.read' };
 * console.log((await verifier.verify(intent)).verdict); // DENY
 * await verifier.close();
 */
export function createLocalVerifier(options: LocalVerifierOptions): LocalVerifier {
  const settings = checkedOptions(options, 'createLocalVerifier', LOCAL_OPTIONS);
  const client = createIdentityClient(settings.client);
  const questions = createQuestions(settings);
  const { state, close } = questions;

  function begin(options: VerifyOptions | undefined): TimedQuestion {
    const atMs = questions.elapsed();
    const { signal } = options === undefined ? NOTHING_SAID : checkedSignal(options, ONCE);
    signal?.throwIfAborted();
    const idempotencyKey = options?.idempotencyKey;
    if (idempotencyKey !== undefined) assertKey(idempotencyKey);
    questions.assertOpen();
    return { at: atMs, signal, idempotencyKey };
  }

  /**
   * Evaluates an intent at once with confirmed passports. The function returns the promise of the verdict directly,
   * which is faster than an async function.
   */
  function verify(givenIntent: Intent, options?: VerifyOptions): Promise<VerdictRecord> {
    try {
      const question = begin(options);
      const askedQuestion = {
        // What is decided before this call returns needs no copy: the caller cannot change it meanwhile.
        atOnce:
          question.signal === undefined && isCarriedAsIs(givenIntent, MAX_BODY_MEMBERS)
            ? givenIntent
            : undefined,
        later: () => jsonData(givenIntent, MAX_BODY_MEMBERS) as Intent,
      };
      return questions.one(askedQuestion, question, (intent) => client.verify(intent, options));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  return {
    ...client,
    verify,
    isActive: questions.isActive,
    state,
    close,
    async verifyBatch(input, options) {
      const question = begin(options);
      const batch = jsonData(input, MAX_BATCH_MEMBERS) as Batch;
      return questions.all(batch, question, () => client.verifyBatch(batch, options));
    },
    guard: guardOf({ ...client, verify }),
    [Symbol.asyncDispose]: close,
  };
}

const NOTHING_SAID: VerifyOptions = {};

// Answers verify requests: evaluates them here, or asks the service.

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
interface GivenIntent {
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
