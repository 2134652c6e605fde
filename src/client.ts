/** The entry point `./client`: the methods of the service, over HTTP. */

import { knownOptions, type OptionNames } from './base/known-options.ts';
import { jsonData, MAX_BATCH_MEMBERS, MAX_BODY_MEMBERS } from './base/values/json-data.ts';
import { checkedApiKey, checkedBaseUrl } from './client/address.ts';
import { agentSignerOf, type ClientAgentKey, signedBatch, signedText } from './client/agent-signer.ts';
import { isVerdictFor, verdictsFor } from './client/answers.ts';
import { followEvents } from './client/events.ts';
import { type ClientOutcomes, type GuardOptions, guardOf, outcomesOf } from './client/guard.ts';
import { createRequests } from './client/requests.ts';
import { approvalsOf, receiptsOf, signOf, spendsOf, stateChangesOf } from './client/rooms.ts';
import { checkedTraceparent } from './client/trace-header.ts';
import { checkedTimeout, createTransport, type RequestOptions } from './client/transport.ts';
import type {
  Approvals,
  EventQuery,
  PassportSigning,
  Spends,
  StateChanges,
  VerdictReceipts,
} from './core.ts';
import type { IdentityEvent } from './records/event.ts';
import type { Intent, VerdictRecord } from './records.ts';

export type { AnalyticsRooms } from './analytics/index.ts';
export type { Pages } from './base/pages.ts';
export type * from './client/admin-client.ts';
export { createAdminClient } from './client/admin-client.ts';
export type { ClientAgentKey } from './client/agent-signer.ts';
export type {
  ClientOutcomes,
  GuardOptions,
  Outcome,
  OutcomeInput,
  OutcomesAccepted,
} from './client/guard.ts';
export type { ClientRooms } from './client/rooms.ts';
export type { RequestOptions } from './client/transport.ts';
export type {
  AccountDeletion,
  AccountDeletions,
  AccountMembers,
  AccountRooms,
  Analytics,
  AnalyticsQuery,
  ApprovalQuery,
  Approvals,
  AskAnalytics,
  Audit,
  BudgetQuery,
  CallOptions,
  CommitInput,
  DomainProofs,
  Domains,
  EventQuery,
  Evidence,
  ExtendInput,
  KeyChanges,
  KeyInput,
  KeyPage,
  KeyPatch,
  KeyQuery,
  KeyRotation,
  Keys,
  LogoutInput,
  MemberChanges,
  MemberInput,
  MemberPatch,
  MemberQuery,
  MemberRemoval,
  NewApiKey,
  NewKeyFields,
  OnceOptions,
  OwnAccount,
  PageRequest,
  PassportQuery,
  PasswordChange,
  PasswordChanges,
  ReceiptQuery,
  Repeatable,
  RotatedApiKey,
  SettleInput,
  Spends,
  StateChanges,
  Subjects,
  TryInput,
  UpdateOptions,
  VerdictReceipts,
  VerificationFilter,
  Verifications,
  VersionOptions,
} from './core.ts';
export type { DomainRooms } from './domains/index.ts';
export type { ErasureRooms } from './erasure/index.ts';
export type { PassportPurges } from './erasure/purge.ts';
export type { AccountEvents } from './events/index.ts';
export type { EvidenceRooms } from './evidence/index.ts';
export type { IdentityRooms } from './identity/rooms.ts';
export type { PassportSigning } from './identity/sign-passport.ts';
export type { AccountLogins, PeopleRooms } from './people/index.ts';
export type { Approval, ApprovalDecision, ApprovalStatus, ApprovedIntent } from './records/approval.ts';
export type * from './records/comparison.ts';
export type * from './records/domain.ts';
export type { EffectiveBudget, EffectivePassport } from './records/effective.ts';
export type * from './records/event.ts';
export type { ReceiptSubject, VerdictReceipt } from './records/log.ts';
export type {
  Member,
  MemberLink,
  MemberLogin,
  MemberStatus,
  NewMember,
} from './records/member.ts';
export type { RecordedOutcome, RecordedVerdict, ReportedOutcome } from './records/outcome.ts';
export type * from './records/replay.ts';
export type * from './records/state.ts';
export type * from './records/token.ts';
export type { NewWebhook, Webhook, WebhookDelivery, WebhookTest } from './records/webhook.ts';
export type {
  AccountOverview,
  Amount,
  ApiKey,
  ApiKeyStatus,
  ApprovalBy,
  ApprovalRequirement,
  Budget,
  BudgetList,
  BudgetReport,
  BudgetState,
  BudgetThreshold,
  BudgetUnit,
  BudgetWindow,
  Environment,
  Instant,
  Intent,
  IntentUsage,
  ManagementScope,
  Page,
  Passport,
  PassportInput,
  PassportPatch,
  PassportStatus,
  PassportVersion,
  PermitRequest,
  Plan,
  Reason,
  ReasonCode,
  Role,
  Scope,
  Spend,
  SpendStatus,
  Verdict,
  VerdictRecord,
  VerdictScope,
} from './records.ts';
export type { ReplayRooms } from './replay/index.ts';
export type { PassportReplays, ReplayCallOptions, ReplayInput } from './replay/request.ts';
export type { PrivateJwk } from './tokens/proof/index.ts';
export type { WebhookRooms } from './webhooks/index.ts';
export type { WebhookInput, WebhookPatch, WebhookRotation, Webhooks } from './webhooks/webhooks.ts';

/** The options of `createIdentityClient`. */
export interface IdentityClientOptions {
  /** The URL of the API, which ends in `/api`. */
  readonly baseUrl: string;
  /** An API key of the service, `ais_live_…` or `ais_test_…`. */
  readonly apiKey: string;
  /** The milliseconds after which a call fails; default 5,000. */
  readonly timeoutMs?: number;
  /**
   * The agent key with which the client signs each intent. An intent of another agent then fails with
   * `invalid_request`.
   */
  readonly agentKey?: ClientAgentKey;
  /**
   * Returns the `traceparent` (W3C Trace Context) of each request. An invalid value is left out, and an exception is
   * ignored.
   */
  readonly traceparent?: () => string | undefined;
  /** The `fetch` to use; default: the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** The options of a call of `verify`. */
export interface VerifyOptions extends RequestOptions {
  /**
   * The idempotency key, 1 to 255 printable ASCII characters. If an ALLOW has taken from a budget, the same intent with
   * this key gets the same answer for 24 hours, and takes nothing again. Default: a new key for each call.
   */
  readonly idempotencyKey?: string;
}

/**
 * A client of a remote service, with one API key. If there is no valid answer, it throws and never returns an ALLOW.
 * Every method can throw these codes. The message names the address and what happened there.
 *
 * @throws {IdentityError} The code that the service returned, such as `unauthenticated`, `insufficient_scope` or
 * `rate_limited`.
 * @throws {IdentityError} `invalid_request` for data that does not survive JSON unchanged (an accessor, a `Map`, NaN).
 * @throws {IdentityError} `service_unreachable` if no answer arrives in time, or the answer does not fit the request.
 * @throws {IdentityError} `invalid_configuration` for an unknown option of a call.
 */
export interface IdentityClient extends StateChanges {
  /**
   * Returns the verdict on an intent. If the connection breaks, the client repeats the request with the same
   * `Idempotency-Key` (default: a new key for each call). An ALLOW then takes from budgets only once. The service may
   * have recorded and counted the first request, too.
   *
   * @throws {IdentityError} `invalid_request` for a malformed intent, or data that does not survive JSON unchanged.
   * @throws {IdentityError} `conflict` while a request with the same `idempotencyKey` runs.
   * @throws {IdentityError} `service_unreachable` if no answer arrives in time, or the answer does not fit the request.
   * @throws {IdentityError} `idempotency_mismatch` if the idempotency key belongs to a different request.
   */
  verify(intent: Intent, options?: VerifyOptions): Promise<VerdictRecord>;
  /**
   * Runs `callback` on ALLOW and returns its result. Without an ALLOW, `callback` does not run.
   *
   * @throws {IdentityError} `tool_denied` on DENY, with `details.record` and `details.reasons`. If the spend under the
   * `idempotencyKey` was released or has expired, the reason is `verdict_unavailable`.
   * @throws {IdentityError} The error of `verify` if there is no verdict.
   * @throws {IdentityError} `invalid_request` for a dry run.
   * @throws {IdentityError} `invalid_configuration` if `callback` is not a function. The service is not asked then.
   */
  guard<T>(
    intent: Intent,
    callback: (record: VerdictRecord) => T | Promise<T>,
    options?: VerifyOptions & GuardOptions,
  ): Promise<T>;
  /**
   * Returns one verdict for each intent, in the same order. Repeats the whole batch if the connection breaks, as
   * `verify` does.
   *
   * @throws {IdentityError} `invalid_request` for a malformed batch or intent, or data that does not survive JSON
   * unchanged.
   * @throws {IdentityError} `conflict` while a request with the same `idempotencyKey` runs.
   * @throws {IdentityError} `service_unreachable` if no answer arrives in time, or the answer does not fit the request.
   * @throws {IdentityError} `idempotency_mismatch` if the idempotency key belongs to a different request.
   */
  verifyBatch(
    batch: { readonly intents: readonly Intent[] },
    options?: VerifyOptions,
  ): Promise<readonly VerdictRecord[]>;
  /** Manages the spends and holds of verdicts that the API key can see. */
  readonly spends: Spends;
  /** Reports the outcomes of verdicts. */
  readonly outcomes: ClientOutcomes;
  /** Reads the approvals that the API key can see. */
  readonly approvals: Pick<Approvals, 'get' | 'wait'>;
  /** Reads receipts of verdicts that have a permit and that the key can see. Needs an evidence log. */
  readonly verifications: VerdictReceipts;
  /**
   * Signs the passport in its present state, as a token that third parties can check. The API key needs the scope
   * `sign`.
   */
  readonly sign: PassportSigning['sign'];
  /**
   * Streams the events of the account that the API key can see. The key needs the scope `events`. The stream starts
   * now, or after the event `after`, and yields each event once. If the connection breaks, it continues after the last
   * event. Also rejects with the reason of the signal.
   *
   * @throws {IdentityError} `invalid_request` for a wrong query.
   * @throws {IdentityError} `rate_limited` if the account already has five streams on the node.
   * @throws {IdentityError} `service_unreachable` if the first connection fails.
   */
  events(query?: EventQuery, options?: RequestOptions): AsyncIterable<IdentityEvent>;
}

/**
 * Creates a client of the service at `baseUrl`.
 *
 * @throws {IdentityError} `invalid_configuration` for a URL or a key that cannot be used in a request.
 *
 * @example
 * import { createIdentityClient, createIdentityService } from 'agent-identity-service';
 * import { fetchHandler } from 'agent-identity-service/http';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 *
 * const service = createIdentityService({ storage: memoryStorage() });
 * const { key: apiKey } = await service.keys.create({ name: 'shop' });
 * // A service elsewhere needs no `fetch`: this one answers in the same process.
 * const fetch = async (url, init) => fetchHandler(service)(new Request(url, init));
 * const client = createIdentityClient({ baseUrl: 'https://id.example.com/api', apiKey, fetch });
 * const intent = { agent_id: 'did:web:example.com:agents:unknown', action: 'orders.read' };
 * console.log((await client.verify(intent)).verdict); // DENY
 */
export function createIdentityClient(options: IdentityClientOptions): IdentityClient {
  const givenOptions = knownOptions(MAKER, options, OPTIONS);
  const baseUrl = checkedBaseUrl(MAKER, givenOptions.baseUrl);
  const signer = agentSignerOf(MAKER, givenOptions.agentKey, baseUrl);
  const transport = createTransport({
    baseUrl,
    timeoutMs: checkedTimeout(MAKER, givenOptions.timeoutMs, 5_000),
    fetch: givenOptions.fetch ?? globalThis.fetch,
    traceparent: checkedTraceparent(MAKER, givenOptions.traceparent),
  });
  const headers = { 'x-api-key': checkedApiKey(MAKER, givenOptions.apiKey) };
  const requests = createRequests(transport, { use: (send) => send(headers) });
  const { make, notThisAnswer } = requests;

  async function verify(givenIntent: Intent, options?: VerifyOptions): Promise<VerdictRecord> {
    const intent = jsonData(givenIntent, MAX_BODY_MEMBERS) as Intent;
    const input = signedText(signer, intent);
    const answer = await make('/verify', { input, options, success: 200 });
    if (!isVerdictFor(answer, intent)) throw notThisAnswer();
    return answer;
  }

  const spends = spendsOf(requests);
  const { get, wait } = approvalsOf(requests);
  const outcomes = outcomesOf(requests);
  return {
    verify,
    guard: guardOf({ verify, spends, outcomes }),
    async verifyBatch(givenInput, options) {
      const batch = jsonData(givenInput, MAX_BATCH_MEMBERS) as { readonly intents: readonly Intent[] };
      const { intents } = Object(batch) as Partial<typeof batch>;
      const input = signedBatch(signer, batch);
      const answer = await make('/verify/batch', { input, options, success: 200 });
      const verdicts = verdictsFor(answer, intents);
      if (verdicts === undefined) throw notThisAnswer();
      return verdicts;
    },
    spends,
    outcomes,
    approvals: { get, wait },
    verifications: receiptsOf(requests),
    events: (query = {}, options = {}) => followEvents(requests, query, options),
    ...signOf(requests),
    ...stateChangesOf(requests),
  };
}

const MAKER = 'createIdentityClient';
const OPTIONS: OptionNames<IdentityClientOptions> = {
  baseUrl: true,
  apiKey: true,
  timeoutMs: true,
  agentKey: true,
  traceparent: true,
  fetch: true,
};
