/** Evaluates intents in process, with passports that a remote service has confirmed within the last 800 ms. */
import { isCarriedAsIs, jsonData, MAX_BATCH_MEMBERS, MAX_BODY_MEMBERS } from '../base/values/json-data.ts';
import { guardOf } from '../client/guard.ts';
import { ONCE } from '../client/requests.ts';
import { checkedSignal } from '../client/transport.ts';
import { createIdentityClient, type IdentityClient, type VerifyOptions } from '../client.ts';
import { assertKey } from '../core/shared/idempotency.ts';
import type { Intent, VerdictRecord } from '../records.ts';
import type { Batch, TimedQuestion } from './engine.ts';
import { checkedOptions, LOCAL_OPTIONS, type LocalVerifierOptions } from './options.ts';
import { createQuestions, type VerifierState } from './questions.ts';

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
