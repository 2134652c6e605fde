/** A remote service decided in process, by passports that the service has confirmed within the last 800 ms. */
import { type DeedVerdicts, guardedDeed, isStillThere } from '../base/async/guarded-deed.ts';
import { createOutcomeReports } from '../base/async/outcome-reports.ts';
import { jsonData, MAX_BODY_MEMBERS } from '../base/values/json-data.ts';
import { warn } from '../base/warn.ts';
import { ONCE } from '../client/idempotency-key.ts';
import { checkedSignal, signalOf } from '../client/transport.ts';
import { unreachable } from '../client/unreachable.ts';
import { createIdentityClient, type IdentityClient, type VerifyOptions } from '../client.ts';
import type { Intent } from '../records.ts';
import { assertKey } from '../service/shared/idempotency.ts';
import type { AsksReason } from './asking.ts';
import { ELSEWHERE } from './elsewhere.ts';
import { batchOf, createEngine, type Engine } from './engine.ts';
import { checkedOptions, type LocalVerifierOptions, type VerifierSettings } from './options.ts';

/** The state of a local verifier. */
export interface VerifierState {
  /** The reason why every question goes to the service now; `null` while questions are decided here. */
  readonly asks: AsksReason | null;
  /** The age in milliseconds of the last state that was confirmed; `null` before the first. */
  readonly age_ms: number | null;
  /** The agents that questions of the last 30 s named. */
  readonly passports: number;
  /** The verdicts decided here since the start. */
  readonly decided: number;
  /** The questions that went to the service since the start. */
  readonly asked: number;
  /** The records that wait to be sent. */
  readonly unsent: number;
  /** The records that were dropped since the start. */
  readonly dropped: number;
}

/** A local verifier: `verify`, `guard` and `verifyBatch` decide in this process, all other verbs are the client's. */
export interface LocalVerifier extends IdentityClient {
  /** Returns the present state. */
  state(): VerifierState;
  /** Sends the records that wait, for at most 2 s, and ends all requests. Later questions are `service_unreachable`. */
  close(): Promise<void>;
  /** Closes it at the end of `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Makes a local verifier of the service at `baseUrl`. The key needs the scopes `verify` and `decide`. No verification
 * that starts more than a second after a change was acknowledged is decided here by the older state; what cannot be
 * decided here is asked, and what cannot be asked fails. Throws `invalid_configuration` for options that cannot work.
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
  const settings = checkedOptions(options);
  const client = createIdentityClient(settings.client);
  const questions = createQuestions(settings, client);
  const { verify } = questions;
  const reportsOn = createOutcomeReports(client.outcomes, warn);

  function verdictsFor(given: VerifyOptions | undefined): DeedVerdicts {
    return {
      async verify(asked) {
        const record = await verify(asked, given);
        if (given?.signal?.aborted) reportsOn(record)('not_attempted');
        given?.signal?.throwIfAborted();
        return record;
      },
      reportsOn,
      isThere:
        given?.idempotencyKey === undefined
          ? undefined
          : async (id) => isStillThere(await client.spends.get(id, signalOf(given))),
    };
  }

  return {
    ...client,
    ...questions,
    guard: (intent, deed, given) => guardedDeed(verdictsFor(given), intent, deed),
    [Symbol.asyncDispose]: questions.close,
  };
}

/** Makes the verbs that decide here. */
function createQuestions(
  settings: VerifierSettings,
  client: IdentityClient,
): Pick<LocalVerifier, 'verify' | 'verifyBatch' | 'state' | 'close'> {
  const engine = createEngine(settings);
  const { elapsed, memory, asking, sender } = engine;
  let isClosed = false;
  const counts = { decided: 0, asked: 0 };

  function assertOpen(): void {
    if (isClosed) throw unreachable(settings.baseUrl, 'the verifier is closed');
  }

  const orElsewhere = createElsewhere(engine, counts, assertOpen);

  /** Checks the options of a question as the client does. Returns the instant at which it began. */
  function begin(options: VerifyOptions | undefined): number {
    const at = elapsed();
    if (options !== undefined) {
      checkedSignal(options, ONCE).signal?.throwIfAborted();
      if (options.idempotencyKey !== undefined) assertKey(options.idempotencyKey);
    }
    assertOpen();
    return at;
  }

  return {
    /** Not an asynchronous function: what is confirmed is decided at once. */
    verify(given, options) {
      try {
        const at = begin(options);
        const intent = jsonData(given, MAX_BODY_MEMBERS) as Intent;
        const { filings } = sender;
        const known = options?.signal === undefined ? engine.decideKnown(intent, at) : undefined;
        if (known !== undefined && sender.filings > filings) {
          counts.decided += 1;
          return known;
        }
        const decide = () => known ?? engine.decideOne(intent, at, options?.signal);
        return orElsewhere(decide, () => client.verify(intent, options), 1);
      } catch (error) {
        return Promise.reject(error);
      }
    },
    async verifyBatch(given, options) {
      const at = begin(options);
      const batch = batchOf(given);
      const count = Array.isArray(batch?.intents) ? batch.intents.length : 0;
      const decide = () => engine.decideAll(batch, at, options?.signal);
      return orElsewhere(decide, () => client.verifyBatch(batch, options), count);
    },
    state() {
      const { asOf } = memory.anchor;
      return {
        asks: asking.reason,
        age_ms: Number.isFinite(asOf) ? Math.max(0, elapsed() - asOf) : null,
        passports: memory.size,
        ...{ ...counts, unsent: sender.waiting.unsent, dropped: sender.waiting.dropped },
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

/** Makes the function that decides here, or asks the service where that turns out to be necessary. */
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
    // A question looks now and then whether a reason for asking is over.
    if (asking.isDue()) void reader.look();
    if (asking.reason === null) {
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
