/** The entry point `./types`: all types that the exports of `.` use. Types only, no code. */

export type { AnalyticsCapability, AnalyticsRooms } from './analytics/index.ts';
export type { Pages } from './base/pages.ts';
export type {
  AdminClient,
  IdentityClient,
  IdentityClientOptions,
  RequestOptions,
} from './client.ts';
export type * from './core.ts';
export type { DomainCapability, DomainRooms, HostDomainRooms } from './domains/index.ts';
export type { ErasureCapability, ErasureRooms } from './erasure/index.ts';
export type { PassportPurges } from './erasure/purge.ts';
export type { FieldError, IdentityError, IdentityErrorCode, IdentityErrorDetails } from './errors.ts';
export type { AccountEvents, EventCapability, EventRooms } from './events/index.ts';
export type { EvidenceCapability, EvidenceRooms, HostEvidenceRooms } from './evidence/index.ts';
export type { IdentityCapability } from './identity/index.ts';
export type { HostIdentityRooms, IdentityRooms } from './identity/rooms.ts';
export type {
  AccountLogins,
  HostActor,
  HostPeopleRooms,
  PeopleCapability,
  PeopleOptions,
  PeopleRooms,
} from './people/index.ts';
export type * from './ports/domain-prover.ts';
export type * from './ports/oidc-provider.ts';
export type { PublicSigningKey, Signature, Signer, SigningPurpose } from './ports/signer.ts';
export type {
  Clock,
  LogEvent,
  Logger,
  PasswordHasher,
  RandomSource,
  StorageAdapter,
  StorageHealth,
} from './ports/storage.ts';
export type { StorageEvent } from './ports/storage-events.ts';
export type * from './ports/webhook-transport.ts';
export type * from './records/approval.ts';
export type * from './records/audit.ts';
export type * from './records/comparison.ts';
export type * from './records/domain.ts';
export type * from './records/effective.ts';
export type * from './records/event.ts';
export type * from './records/key.ts';
export type * from './records/log.ts';
export type {
  Member,
  MemberLink,
  MemberLogin,
  MemberStatus,
  NewMember,
  ReadLink,
} from './records/member.ts';
export type * from './records/outcome.ts';
export type * from './records/replay.ts';
export type * from './records/state.ts';
export type * from './records/token.ts';
export type * from './records/trusted-issuer.ts';
export type * from './records/verifier.ts';
export type * from './records/webhook.ts';
export type {
  Account,
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
  Condition,
  ConditionTest,
  Environment,
  HostLogin,
  Instant,
  Intent,
  IntentUsage,
  ManagementScope,
  OptionalPassportField,
  Order,
  OrderForbids,
  OrderNeeds,
  Pace,
  Page,
  Passport,
  PassportInput,
  PassportPatch,
  PassportStatus,
  PassportVersion,
  PermitRequest,
  Plan,
  ProofRequirement,
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
export type { ReplayCapability, ReplayRooms } from './replay/index.ts';
export type { PassportReplays, ReplayCallOptions, ReplayInput } from './replay/request.ts';
export type { ApprovalFact, Facts, ProofFact, ProofProblem, Rule } from './verdict/index.ts';
export type { VerifierCapability, VerifierRooms } from './verifiers/index.ts';
export type { WebhookCapability, WebhookRooms } from './webhooks/index.ts';
export type {
  WebhookInput,
  WebhookOptions,
  WebhookPatch,
  WebhookRotation,
  Webhooks,
} from './webhooks/webhooks.ts';
