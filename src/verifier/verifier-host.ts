/** Makes a local verifier available over HTTP, as an object that `./http` can serve. */

import { AUTHZEN_NAMES, createAuthzen } from '../authzen/authzen.ts';
import type { Authzen, AuthzenOptions } from '../base/authzen.ts';
import { toHex } from '../base/bytes/hex.ts';
import { knownOptions, type OptionNames } from '../base/known-options.ts';
import { createIdentityClient, type IdentityClient, type VerifyOptions } from '../client.ts';
import type { KeyCaller } from '../core/shared/callers.ts';
import { assertKey } from '../core/shared/idempotency.ts';
import { keyRefused } from '../core/shared/key-refused.ts';
import { evaluatedIntents } from '../core/verification/intent.ts';
import type { RateState } from '../core/verification/rates.ts';
import type { VerifyCaller } from '../core/verification/verify-caller.ts';
import { IdentityError } from '../errors.ts';
import { equalBytes, hashing } from '../platform/index.ts';
import type { Logger } from '../ports/host.ts';
import type { Intent, VerdictRecord } from '../records.ts';
import type { AsksReason } from './channel.ts';
import type { Batch, TimedQuestion } from './engine.ts';
import { createQuestions, type Questions, type VerifierState } from './local-verifier.ts';
import {
  checkedOptions,
  LOCAL_OPTIONS,
  type LocalVerifierOptions,
  type VerifierSettings,
} from './options.ts';

/** The options of `createVerifierHost`. */
export interface VerifierHostOptions extends Omit<LocalVerifierOptions, 'traceparent'> {
  /** Also serves the AuthZEN Authorization API 1.0. */
  readonly authzen?: AuthzenOptions;
}

/** The parts of a verifier host that only a binding to HTTP uses. */
export interface VerifierServing {
  /**
   * Returns the caller for the API key of this verifier.
   *
   * @throws {IdentityError} `unauthenticated` for any other key.
   */
  authenticateKey(text: string): Promise<KeyCaller>;
  /** Counts nothing, because the service counts the records. */
  countVerifications(): undefined;
  readonly metrics: undefined;
  readonly authzen: Authzen | undefined;
  readonly log: Logger;
  readonly deadlineMs: number;
  /** Returns an error if the service refuses the API key, or if the rate of the key is used up. Never rejects. */
  refusal(): Promise<IdentityError | undefined>;
}

/** A local verifier for other processes. `nodeListener(host)` and `fetchHandler(host)` of `./http` serve it. */
export interface VerifierHost {
  /**
   * Returns the verdict, which is decided here or by the service.
   *
   * @throws {IdentityError} `invalid_request` for a malformed intent.
   * @throws {IdentityError} `service_unreachable` after `close`, or if the service must be asked and does not answer.
   * @throws {IdentityError} `conflict` while a request with the same `idempotencyKey` runs.
   * @throws {IdentityError} `idempotency_mismatch` if the idempotency key belongs to a different request.
   * @throws {IdentityError} The code that the service returned, if it must be asked and refuses.
   */
  verify(intent: Intent, caller?: VerifyCaller): Promise<VerdictRecord>;
  /**
   * Returns one verdict per intent, in order.
   *
   * @throws {IdentityError} `invalid_request` for a malformed intent.
   * @throws {IdentityError} `service_unreachable` after `close`, or if the service must be asked and does not answer.
   * @throws {IdentityError} `conflict` while a request with the same `idempotencyKey` runs.
   * @throws {IdentityError} `idempotency_mismatch` if the idempotency key belongs to a different request.
   * @throws {IdentityError} The code that the service returned, if it must be asked and refuses.
   */
  verifyBatch(
    batch: { readonly intents: readonly Intent[] },
    caller?: VerifyCaller,
  ): Promise<readonly VerdictRecord[]>;
  /**
   * Checks that the service has confirmed the passports within the last second, or can be asked.
   *
   * @throws {IdentityError} `service_unreachable` otherwise.
   */
  health(): Promise<void>;
  readonly serving: VerifierServing;
  /**
   * Sends a request that confirms the API key now.
   *
   * @throws {IdentityError} `service_unreachable` if the service does not answer.
   * @throws {IdentityError} The code that the service returned, such as `unauthenticated` or `insufficient_scope`.
   */
  confirm(): Promise<void>;
  /** Returns the current state. */
  state(): VerifierState;
  /** Sends the waiting records for at most 2 s, and ends all requests. Later calls throw `service_unreachable`. */
  close(): Promise<void>;
  /** Closes the host at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

const { traceparent: _, ...NAMES } = LOCAL_OPTIONS;
const HOST_OPTIONS: OptionNames<VerifierHostOptions> = { ...NAMES, authzen: true };

/** The maximum age in milliseconds of the last confirmed state for the service to count as reachable. */
const FRESH_MS = 1_000;
const REFUSING: readonly (AsksReason | null)[] = ['refused', 'scope', 'rate'];

/** The caller of every request. The service knows who owns the API key. */
const CALLER: KeyCaller = {
  account_id: '',
  key_id: '',
  agent_ids: null,
  environment: 'live',
  scopes: ['verify'],
  plan: 'enterprise',
};

/**
 * Creates a local verifier that serves processes in other languages. These processes send the same API key to this
 * address. The host only has the methods for verdicts, so every other path is 404.
 *
 * @throws {IdentityError} `invalid_configuration` for options that cannot work.
 *
 * @example
 * import { createServer } from 'node:http';
 * import { nodeListener } from 'agent-identity-service/http';
 * import { createVerifierHost } from 'agent-identity-service/verifier';
 *
 * const host = createVerifierHost({ baseUrl: 'https://id.example.com/api', apiKey: 'ais_live_…' });
 * const server = createServer(nodeListener(host)).listen(0, '127.0.0.1');
 * server.close();
 * await host.close();
 */
export function createVerifierHost(options: VerifierHostOptions): VerifierHost {
  const settings = checkedOptions(options, 'createVerifierHost', HOST_OPTIONS);
  const { authzen } = options;
  const questions = createQuestions(settings);
  const forward = createForwarding(settings);
  const { look: confirm, standing, state, close } = questions;

  return {
    verify(intent, caller = {}) {
      try {
        const question = questionOf(questions, caller);
        if (caller.idempotencyKey !== undefined) {
          evaluatedIntents.read(intent);
          assertKey(caller.idempotencyKey);
        }
        const givenQuestion = { atOnce: intent, later: () => intent };
        return questions.one(givenQuestion, question, () => forward.one(intent, caller));
      } catch (error) {
        return Promise.reject(error);
      }
    },
    async verifyBatch(batch, caller = {}) {
      const question = questionOf(questions, caller);
      if (caller.idempotencyKey !== undefined) {
        evaluatedIntents.readBatch(batch);
        assertKey(caller.idempotencyKey);
      }
      return questions.all(batch, question, () => forward.all(batch, caller));
    },
    async health() {
      const { age_ms } = standing();
      if (age_ms === null || age_ms > FRESH_MS) await confirm().catch(notReady);
    },
    serving: {
      authenticateKey: createKeyCheck(options.apiKey),
      countVerifications: () => undefined,
      metrics: undefined,
      log: settings.log,
      deadlineMs: settings.timeoutMs,
      // The service knows what a domain is there.
      authzen:
        authzen &&
        createAuthzen(knownOptions('authzen', authzen, AUTHZEN_NAMES), {
          publicUrl: undefined,
          allowLocalhost: true,
        }),
      refusal: async () => (REFUSING.includes(standing().asks) ? forward.refusal() : undefined),
    },
    confirm,
    state,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function questionOf(
  questions: Questions,
  { signal, trace_id = null, idempotencyKey }: VerifyCaller,
): TimedQuestion {
  questions.assertOpen();
  return { at: questions.elapsed(), signal, trace_id, idempotencyKey };
}

/** Creates the function that compares keys by their digests, in a constant time. */
function createKeyCheck(apiKey: string): VerifierServing['authenticateKey'] {
  const expectedBytes = hashing.sha256(apiKey);
  return async (text) => {
    if (!equalBytes(hashing.sha256(text), expectedBytes)) throw keyRefused();
    return CALLER;
  };
}

/** Throws an error with the answer 503. */
function notReady(error: unknown): never {
  if (!(error instanceof IdentityError)) throw error;
  const message = `The service does not confirm this verifier: ${error.message}`;
  throw new IdentityError('service_unreachable', message, { cause: error });
}

// Sends requests of a verifier host to the service, and returns the answers with their headers.

interface Forwarding {
  one(intent: Intent, caller: VerifyCaller): Promise<VerdictRecord>;
  all(batch: Batch, caller: VerifyCaller): Promise<readonly VerdictRecord[]>;
  /**
   * Returns an error if the service refuses the API key, or if the rate of the key is used up. Returns `undefined`
   * otherwise.
   */
  refusal(): Promise<IdentityError | undefined>;
}

const REFUSALS: readonly string[] = ['unauthenticated', 'insufficient_scope', 'rate_limited'];

function createForwarding(settings: VerifierSettings): Forwarding {
  async function ask<Answer>(
    caller: VerifyCaller,
    call: (client: IdentityClient, options: VerifyOptions) => Promise<Answer>,
  ): Promise<Answer> {
    const { trace_id, signal, idempotencyKey, onReplayed } = caller;
    let last: Headers | undefined;
    const client = createIdentityClient({
      ...settings.client,
      ...(trace_id && { traceparent: () => traceparentOf(trace_id, settings) }),
      async fetch(input, init) {
        const response = await settings.fetch(input, init);
        last = response.headers;
        return response;
      },
    });
    try {
      const answer = await call(client, {
        ...(signal && { signal }),
        ...(idempotencyKey !== undefined && { idempotencyKey: keyOf(idempotencyKey, caller) }),
      });
      if (last?.get('idempotent-replayed') === 'true') onReplayed?.();
      return answer;
    } catch (error) {
      throw withRate(error, last);
    }
  }

  return {
    async one(intent, caller) {
      return unnamed(await ask(caller, (client, options) => client.verify(intent, options)));
    },
    async all(batch, caller) {
      return (await ask(caller, (client, options) => client.verifyBatch(batch, options))).map(unnamed);
    },
    // An empty object is no intent, so nothing is evaluated or recorded; a refusal of the key comes before that error.
    refusal: () =>
      ask({}, (client) => client.verify({} as Intent)).then(
        () => undefined,
        (error) => (error instanceof IdentityError && REFUSALS.includes(error.code) ? error : undefined),
      ),
  };
}

/** Removes the request id, because the caller of the host did not send it. */
function unnamed(record: VerdictRecord): VerdictRecord {
  return { ...record, request_id: null };
}

/**
 * Returns the idempotency key for the service. An AuthZEN request may contain several evaluations, but the service gets
 * each of them as its own request. Each evaluation therefore gets its own key, computed from its route.
 */
function keyOf(key: string, { idempotencyRoute: route }: VerifyCaller): string {
  return route === undefined ? key : hashing.sha256Hex(`${route} ${key}`);
}

function traceparentOf(traceId: string, { random }: VerifierSettings): string {
  return `00-${traceId}-${toHex(random.bytes(8))}-00`;
}

const LEFT = /^"(\w+)";r=(\d+);t=(\d+)$/;
const POLICY = /;q=(\d+);w=60$/;

function withRate(error: unknown, headers: Headers | undefined): unknown {
  if (!(error instanceof IdentityError) || error.code !== 'rate_limited') return error;
  const [, policy, remaining, resetSeconds] = LEFT.exec(headers?.get('ratelimit') ?? '') ?? [];
  const [, limit] = POLICY.exec(headers?.get('ratelimit-policy') ?? '') ?? [];
  if (policy === undefined || limit === undefined) return error;
  const rate: RateState = {
    policy,
    limit: Number(limit),
    remaining: Number(remaining),
    resetSeconds: Number(resetSeconds),
  };
  return new IdentityError(error.code, error.message, { details: { ...error.details, rate } });
}
