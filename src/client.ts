/** The door `./client`: the same verbs, over HTTP. */

import { guardedDeed } from './base/guarded-deed.ts';
import { jsonData, jsonText, MAX_BATCH_MEMBERS, MAX_BODY_MEMBERS } from './base/json-data.ts';
import { checkedBaseUrl, checkedSecret, refuseUnknownNames } from './client/address.ts';
import { type ChangedState, isStateOf, isVerdictOn } from './client/answers.ts';
import { checkedTimeout, createTransport, type RequestOptions, signalOf } from './client/transport.ts';
import type { Intent, VerdictRecord } from './records.ts';
import type {
  ReinstateInput,
  Reinstatement,
  Revocation,
  RevokeInput,
  SuspendInput,
  Suspension,
} from './state-records.ts';

export {
  type AdminClient,
  type AdminClientOptions,
  type AdminKeys,
  type AdminPassports,
  type AdminVerifications,
  createAdminClient,
} from './client/admin-client.ts';
export type { Pages } from './client/admin-requests.ts';
export type { RequestOptions } from './client/transport.ts';
export type {
  AccountOverview,
  Amount,
  ApiKey,
  ApiKeyStatus,
  Environment,
  Instant,
  Intent,
  Page,
  Passport,
  PassportInput,
  PassportPatch,
  PassportStatus,
  PassportVersion,
  Plan,
  Reason,
  ReasonCode,
  Scope,
  Verdict,
  VerdictRecord,
} from './records.ts';
export type {
  Analytics,
  AnalyticsQuery,
  KeyInput,
  KeyPage,
  KeyPatch,
  KeyRotation,
  NewApiKey,
  NewKeyFields,
  OnceOptions,
  PageRequest,
  PassportQuery,
  PasswordChange,
  Repeatable,
  RotatedApiKey,
  UpdateOptions,
  VerificationFilter,
} from './service/index.ts';
export type {
  ReinstateInput,
  Reinstatement,
  Revocation,
  RevokeInput,
  SuspendInput,
  Suspension,
} from './state-records.ts';

/** The options of `createIdentityClient`. */
export interface IdentityClientOptions {
  /** Where the API stands, ending in `/api`. */
  readonly baseUrl: string;
  /** An API key of the service, `ais_live_…` or `ais_test_…`. */
  readonly apiKey: string;
  /** Milliseconds until a call is given up; default 5,000. */
  readonly timeoutMs?: number;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * A service elsewhere, with one API key. Every verb rejects with an `IdentityError` of the service's code, with
 * `invalid_request` for what JSON does not carry as this process reads it (an accessor, a `Map`, NaN), or with
 * `service_unreachable` when no answer came in time or it does not answer this question: never an ALLOW that was not
 * given. Its message names the address and what happened there.
 */
export interface IdentityClient {
  /**
   * The verdict on an intent. Asked once more, at once, when the connection breaks before the answer is whole. That is
   * safe: a verdict changes no passport and no key, and the answer is the later one. The first may have been recorded
   * and counted, too.
   */
  verify(intent: Intent, options?: RequestOptions): Promise<VerdictRecord>;
  /**
   * Runs the deed on ALLOW, and gives back what it gives back. `tool_denied` on DENY, with `details.record` and
   * `details.reasons`; what `verify` rejects with where there is no verdict. Either way the deed does not run.
   */
  guard<T>(
    intent: Intent,
    deed: (record: VerdictRecord) => T | Promise<T>,
    options?: RequestOptions,
  ): Promise<T>;
  /** One verdict per intent, in their order. Asked once more as `verify`: all of it. */
  verifyBatch(
    batch: { readonly intents: readonly Intent[] },
    options?: RequestOptions,
  ): Promise<readonly VerdictRecord[]>;
  /** Revokes a passport; that is final. Changes are sent once, and may be repeated when the connection breaks. */
  revoke(input: RevokeInput, options?: RequestOptions): Promise<Revocation>;
  /** Suspends a passport, until an instant or until it is reinstated. */
  suspend(input: SuspendInput, options?: RequestOptions): Promise<Suspension>;
  /** Ends a suspension. */
  reinstate(input: ReinstateInput, options?: RequestOptions): Promise<Reinstatement>;
}

/** A client of the service at `baseUrl`; `invalid_configuration` for a URL or a key that no request can carry. */
export function createIdentityClient(options: IdentityClientOptions): IdentityClient {
  refuseUnknownNames(MAKER, options, OPTIONS);
  const given: IdentityClientOptions = Object(options);
  const { send, notThisAnswer } = createTransport({
    baseUrl: checkedBaseUrl(MAKER, given.baseUrl),
    timeoutMs: checkedTimeout(MAKER, given.timeoutMs, 5_000),
    fetch: given.fetch ?? globalThis.fetch,
  });
  const headers = { 'x-api-key': checkedSecret(MAKER, 'apiKey', 'API key', given.apiKey) };

  async function post(path: string, data: unknown, options: RequestOptions | undefined): Promise<unknown> {
    const isRepeatable = path.startsWith('/verify');
    const call = { method: 'POST', path, headers, body: jsonText(data), success: 200, isRepeatable } as const;
    return send({ ...call, ...signalOf(options) });
  }

  async function verify(given: Intent, options?: RequestOptions): Promise<VerdictRecord> {
    const intent = jsonData(given, MAX_BODY_MEMBERS) as Intent;
    const answer = await post('/verify', intent, options);
    if (!isVerdictOn(answer, intent)) throw notThisAnswer();
    return answer;
  }

  return {
    verify,
    guard: (intent, deed, options) =>
      guardedDeed(
        async (asked) => {
          const record = await verify(asked, options);
          options?.signal?.throwIfAborted();
          return record;
        },
        intent,
        deed,
      ),
    async verifyBatch(given, options) {
      const batch = jsonData(given, MAX_BATCH_MEMBERS) as { readonly intents: readonly Intent[] };
      const { verdicts } = Object(await post('/verify/batch', batch, options)) as { verdicts?: unknown };
      const { intents } = Object(batch) as Partial<typeof batch>;
      if (!Array.isArray(verdicts) || verdicts.length !== intents?.length) throw notThisAnswer();
      if (!intents.every((intent, index) => isVerdictOn(verdicts[index], intent))) throw notThisAnswer();
      return verdicts;
    },
    revoke: (input, options) => change('/revoke', input, ['revoked'], options),
    suspend: (input, options) => change('/suspend', input, ['suspended'], options),
    reinstate: (input, options) => change('/reinstate', input, ['active', 'expired'], options),
  };

  async function change<State extends ChangedState>(
    path: string,
    given: ReinstateInput,
    statuses: readonly State['status'][],
    options: RequestOptions | undefined,
  ): Promise<State> {
    const input = jsonData(given, MAX_BODY_MEMBERS) as ReinstateInput;
    const answer = await post(path, input, options);
    if (!isStateOf<State>(answer, input, statuses)) throw notThisAnswer();
    return answer;
  }
}

const MAKER = 'createIdentityClient';
const OPTIONS: readonly string[] = ['baseUrl', 'apiKey', 'timeoutMs', 'fetch'];
