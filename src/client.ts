/** The door `./client`: the same verbs, over HTTP. */

import { guardedDeed, isStillThere } from './base/guarded-deed.ts';
import { jsonData, jsonText, MAX_BATCH_MEMBERS, MAX_BODY_MEMBERS } from './base/json-data.ts';
import { knownOptions, type OptionNames } from './base/known-options.ts';
import { checkedBaseUrl, checkedSecret } from './client/address.ts';
import { agentSignerOf, type ClientAgentKey, signedBatch, signedText } from './client/agent-signer.ts';
import { isVerdictFor, verdictsFor } from './client/answers.ts';
import { approvalsOf, type ClientApprovals } from './client/approvals.ts';
import { type ClientChanges, changesOf } from './client/changes.ts';
import { EVENT_STREAM, followEvents } from './client/events.ts';
import { requestsWith } from './client/key-requests.ts';
import { type ClientSpends, spendsOf } from './client/spends.ts';
import { checkedTraceparent } from './client/trace-header.ts';
import { checkedTimeout, createTransport, type RequestOptions, signalOf } from './client/transport.ts';
import type { IdentityEvent } from './records/event.ts';
import type { Intent, VerdictRecord } from './records.ts';
import type { EventQuery } from './service.ts';

export {
  type AdminClient,
  type AdminClientOptions,
  type AdminKeys,
  type AdminVerifications,
  createAdminClient,
} from './client/admin-client.ts';
export type { AdminDomains } from './client/admin-domains.ts';
export type { AdminPassports } from './client/admin-passports.ts';
export type { Pages } from './client/admin-requests.ts';
export type { AdminWebhooks } from './client/admin-webhooks.ts';
export type { ClientAgentKey } from './client/agent-signer.ts';
export type { AdminApprovals, ClientApprovals } from './client/approvals.ts';
export type { ClientChanges } from './client/changes.ts';
export type { ClientSpends } from './client/spends.ts';
export type { RequestOptions } from './client/transport.ts';
export type { PrivateJwk } from './proof/index.ts';
export type { Approval, ApprovalDecision, ApprovalStatus, ApprovedIntent } from './records/approval.ts';
export type { DomainClaim, DomainProofMethod, DomainStatus } from './records/domain.ts';
export type { EffectiveBudget, EffectivePassport } from './records/effective.ts';
export type {
  Changed,
  EventData,
  EventOf,
  EventsGap,
  EventType,
  IdentityEvent,
} from './records/event.ts';
export type {
  ReinstateInput,
  Reinstatement,
  Revocation,
  RevokeInput,
  SuspendInput,
  Suspension,
} from './records/state.ts';
export type { SignedPassportToken, SignPassportInput } from './records/token.ts';
export type { NewWebhook, Webhook, WebhookDelivery, WebhookTest } from './records/webhook.ts';
export type {
  AccountOverview,
  Amount,
  ApiKey,
  ApiKeyStatus,
  ApprovalRequirement,
  Budget,
  BudgetList,
  BudgetReport,
  BudgetState,
  BudgetWindow,
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
  Spend,
  SpendStatus,
  Verdict,
  VerdictRecord,
} from './records.ts';
export type {
  AccountDeletion,
  Analytics,
  AnalyticsQuery,
  ApprovalQuery,
  BudgetQuery,
  EventQuery,
  KeyInput,
  KeyPage,
  KeyPatch,
  KeyRotation,
  LogoutInput,
  NewApiKey,
  NewKeyFields,
  OnceOptions,
  PageRequest,
  PassportQuery,
  PasswordChange,
  Repeatable,
  RotatedApiKey,
  SettleInput,
  TryInput,
  UpdateOptions,
  VerificationFilter,
  WebhookInput,
  WebhookPatch,
  WebhookRotation,
} from './service.ts';

/** The options of `createIdentityClient`. */
export interface IdentityClientOptions {
  /** Where the API stands, ending in `/api`. */
  readonly baseUrl: string;
  /** An API key of the service, `ais_live_…` or `ais_test_…`. */
  readonly apiKey: string;
  /** Milliseconds until a call is given up; default 5,000. */
  readonly timeoutMs?: number;
  /** Signs each intent with the key of its agent; an intent of another agent is `invalid_request` then. */
  readonly agentKey?: ClientAgentKey;
  /** The `traceparent` (W3C Trace Context) of each request; one that is not valid is not sent, a throw is ignored. */
  readonly traceparent?: () => string | undefined;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** How verdicts are asked for. */
export interface VerifyOptions extends RequestOptions {
  /**
   * 1 to 255 printable ASCII characters: for 24 hours the same intent under it gets the answer of the first ALLOW that
   * took something, and nothing is taken again. Default: a key of this call.
   */
  readonly idempotency_key?: string;
}

/**
 * A service elsewhere, with one API key. Every verb rejects with an `IdentityError` of the service's code, with
 * `invalid_request` for what JSON does not carry as this process reads it (an accessor, a `Map`, NaN), or with
 * `service_unreachable` when no answer came in time or it does not answer this question: never an ALLOW that was not
 * given. Its message names the address and what happened there.
 */
export interface IdentityClient extends ClientChanges {
  /**
   * The verdict on an intent. Asked once more, at once, when the connection breaks before the answer is whole. That is
   * safe: it is sent under an `Idempotency-Key`, made here where none is given, so that an ALLOW takes from budgets
   * once. The first may have been recorded and counted, too.
   */
  verify(intent: Intent, options?: VerifyOptions): Promise<VerdictRecord>;
  /**
   * Runs the deed on ALLOW, and gives back what it gives back. `tool_denied` on DENY, with `details.record` and
   * `details.reasons`; what `verify` rejects with where there is no verdict. Either way the deed does not run, nor does it
   * under an `idempotency_key` whose spend was released or has lapsed (`tool_denied`, `verdict_unavailable`).
   */
  guard<T>(
    intent: Intent,
    deed: (record: VerdictRecord) => T | Promise<T>,
    options?: VerifyOptions,
  ): Promise<T>;
  /** One verdict per intent, in their order. Asked once more as `verify`: all of it. */
  verifyBatch(
    batch: { readonly intents: readonly Intent[] },
    options?: VerifyOptions,
  ): Promise<readonly VerdictRecord[]>;
  /** What verdicts have spent of budgets, or hold, as the key sees it. */
  readonly spends: ClientSpends;
  /** What persons are asked before an agent may act, as the key sees it. */
  readonly approvals: ClientApprovals;
  /**
   * What happens in the account as the key sees it, which needs the scope `events`: from now on or behind `after`, each
   * event once. After a break it connects again, and continues after the last event. Rejects where that is of no use,
   * and with the reason of the signal, which ends it.
   */
  events(query?: EventQuery, options?: RequestOptions): AsyncIterable<IdentityEvent>;
}

/** A client of the service at `baseUrl`; `invalid_configuration` for a URL or a key that no request can carry. */
export function createIdentityClient(options: IdentityClientOptions): IdentityClient {
  const given = knownOptions(MAKER, options, OPTIONS);
  const baseUrl = checkedBaseUrl(MAKER, given.baseUrl);
  const signer = agentSignerOf(MAKER, given.agentKey, baseUrl);
  const { send, stream, notThisAnswer } = createTransport({
    baseUrl,
    timeoutMs: checkedTimeout(MAKER, given.timeoutMs, 5_000),
    fetch: given.fetch ?? globalThis.fetch,
    traceparent: checkedTraceparent(MAKER, given.traceparent),
  });
  const headers = { 'x-api-key': checkedSecret(MAKER, 'apiKey', 'an API key', given.apiKey) };
  const { get, post, postOnce } = requestsWith(headers, send);

  async function verify(given: Intent, options?: VerifyOptions): Promise<VerdictRecord> {
    const intent = jsonData(given, MAX_BODY_MEMBERS) as Intent;
    const key = options?.idempotency_key;
    const answer = await postOnce('/verify', signedText(signer, intent), options, key);
    if (!isVerdictFor(answer, intent)) throw notThisAnswer();
    return answer;
  }

  const spends = spendsOf(({ path, input, options }) => {
    return input === undefined
      ? get(path, options)
      : postOnce(path, jsonText(jsonData(input, MAX_BODY_MEMBERS)), options, options?.idempotencyKey);
  }, notThisAnswer);

  return {
    verify,
    guard: (intent, deed, options) =>
      guardedDeed(
        {
          async verify(asked) {
            const record = await verify(asked, options);
            options?.signal?.throwIfAborted();
            return record;
          },
          isThere:
            options?.idempotency_key === undefined
              ? undefined
              : async (id) => isStillThere(await spends.get(id, options)),
        },
        intent,
        deed,
      ),
    async verifyBatch(given, options) {
      const batch = jsonData(given, MAX_BATCH_MEMBERS) as { readonly intents: readonly Intent[] };
      const { intents } = Object(batch) as Partial<typeof batch>;
      const key = options?.idempotency_key;
      const answer = await postOnce('/verify/batch', signedBatch(signer, batch), options, key);
      const verdicts = verdictsFor(answer, intents);
      if (verdicts === undefined) throw notThisAnswer();
      return verdicts;
    },
    spends,
    approvals: approvalsOf(get, notThisAnswer),
    events: (query = {}, options = {}) =>
      followEvents(
        (path, { signal }) => {
          const accept = { ...headers, accept: EVENT_STREAM };
          const call = { method: 'GET', path, headers: accept, success: 200, isRepeatable: true } as const;
          return stream({ ...call, ...signalOf({ ...(signal && { signal }) }) }, EVENT_STREAM);
        },
        query,
        options,
      ),
    ...changesOf(post, notThisAnswer),
  };
}

const MAKER = 'createIdentityClient';
const OPTIONS: OptionNames<IdentityClientOptions> = {
  ...{ baseUrl: true, apiKey: true, timeoutMs: true, agentKey: true, traceparent: true, fetch: true },
};
