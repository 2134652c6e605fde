/** Sends requests of a verifier host to the service, and returns the answers with their headers. */
import { toHex } from '../base/bytes/hex.ts';
import { createIdentityClient, type IdentityClient, type VerifyOptions } from '../client.ts';
import type { RateState } from '../core/verification/rates.ts';
import type { VerifyCaller } from '../core/verification/verify-caller.ts';
import { IdentityError } from '../errors.ts';
import { hashing } from '../platform/index.ts';
import type { Intent, VerdictRecord } from '../records.ts';
import type { Batch } from './engine.ts';
import type { VerifierSettings } from './options.ts';

export interface Forwarding {
  one(intent: Intent, caller: VerifyCaller): Promise<VerdictRecord>;
  all(batch: Batch, caller: VerifyCaller): Promise<readonly VerdictRecord[]>;
  /**
   * Returns an error if the service refuses the API key, or if the rate of the key is used up. Returns `undefined`
   * otherwise.
   */
  refusal(): Promise<IdentityError | undefined>;
}

const REFUSALS: readonly string[] = ['unauthenticated', 'insufficient_scope', 'rate_limited'];

export function createForwarding(settings: VerifierSettings): Forwarding {
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
    // An empty object is no intent, so nothing is judged or recorded; a refusal of the key comes before that error.
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
