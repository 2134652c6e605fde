/** The services, as the rest of the package uses them. */

export type {
  Analytics,
  AnalyticsQuery,
  AskAnalytics,
  OutcomeSums,
  SeriesPoint,
  TopEntry,
} from './analytics/analytics.ts';
export type {
  Authzen,
  AuthzenEvaluation,
  AuthzenMetadata,
  AuthzenOptions,
  AuthzenSubject,
} from './base/authzen.ts';
export type { RangeRequest } from './base/values/instant-range.ts';
export type { Evidence, EvidenceQuery, PublicLogs } from './evidence/evidence.ts';
export type { Logs } from './evidence/open-evidence.ts';
export type { ReceiptQuery, VerdictReceipts } from './evidence/receipts.ts';
export type { After } from './ports/host.ts';
export type * from './ports/metrics.ts';
export type * from './service/account-rooms.ts';
export type { AccountChanges } from './service/accounts/account-changes.ts';
export type { Credentials, ListedAccount } from './service/accounts/account-record.ts';
export type { Accounts } from './service/accounts/accounts.ts';
export type {
  AccountDeletion,
  FromClient,
  HostOwnAccount,
  OwnAccount,
  PasswordChange,
} from './service/accounts/own-account.ts';
export type { LogoutInput, Session, Sessions } from './service/accounts/sessions.ts';
export type { CallerOrigin } from './service/accounts/throttle.ts';
export type { ApprovalQuery, Approvals } from './service/approvals/approvals.ts';
export type { As } from './service/as.ts';
export type { Capability, RoomsOf } from './service/capabilities/capability.ts';
export { createIdentityService } from './service/create-identity-service.ts';
export type { Domains, HostDomains, ReleaseOptions } from './service/domains/domains.ts';
export type { DomainProofs, HostDomainProofs } from './service/domains/proof.ts';
export type { ErasureProgress, Erasures } from './service/erasure/erasures.ts';
export type { EventQuery } from './service/events/event-filter.ts';
export { eventFrame } from './service/events/event-records.ts';
export type { EventStream } from './service/events/event-stream.ts';
export type { Events } from './service/events/events.ts';
export type { HostAccounts, HostActor } from './service/hosts/host-accounts.ts';
export type * from './service/identity-service.ts';
export type { Audit, AuditFilter } from './service/insight/audit.ts';
export type { OutcomeState } from './service/insight/reported.ts';
export type { VerificationFilter, Verifications } from './service/insight/verifications.ts';
export type { LatencyPercentiles } from './service/journal/latency.ts';
export type { AuthenticateManagementKey } from './service/keys/authenticate-management-key.ts';
export type { KeyChanges, KeyPatch, KeyRotation, RotatedApiKey } from './service/keys/key-changes.ts';
export type { NewApiKey, NewKeyFields, Repeatable } from './service/keys/key-record.ts';
export type { HostKeys, KeyInput, KeyPage, KeyQuery, Keys } from './service/keys/keys.ts';
export type {
  AcceptInput,
  AccountMembers,
  LinkInput,
  Links,
  MemberChanges,
  MemberInput,
  MemberPatch,
  MemberQuery,
  MemberRemoval,
} from './service/members/members.ts';
export type { Oidc, OidcFinishInput } from './service/oidc/oidc.ts';
export type * from './service/oidc/oidc-options.ts';
export type { OidcAnswer } from './service/oidc/sign-in-steps.ts';
export type {
  CacheLimits,
  CoreOptions,
  IdentityOptions,
  PlanLimits,
} from './service/options.ts';
export type { Outcomes } from './service/outcomes/outcomes.ts';
export type { CreateAll, NewPassport } from './service/passports/issue-passports.ts';
export type { PassportQuery } from './service/passports/list-passports.ts';
export type { BudgetQuery, HostPassports, Passports, UpdateOptions } from './service/passports/passports.ts';
export type {
  Published,
  PublishedAgent,
  PublishedOptions,
  PublishedState,
} from './service/passports/published.ts';
export type { StateChanges, VersionOptions } from './service/passports/revocation.ts';
export type { CreateOptions } from './service/passports/sound-passport.ts';
export type { TryInput } from './service/passports/try-passport.ts';
export type { CallOptions, Traced } from './service/shared/callers.ts';
export {
  type Actor,
  type KeyCaller,
  type Management,
  type ManagementCaller,
  type OwnSession,
  requireRole,
  requireScope,
  type SessionCaller,
  tracedCaller,
} from './service/shared/callers.ts';
export type { OnceOptions, ReplayOptions } from './service/shared/idempotency.ts';
export { assertKey } from './service/shared/idempotency.ts';
export type { PageRequest } from './service/shared/pages.ts';
export { requireManagement } from './service/shared/scope.ts';
export type { SpendCaller } from './service/shared/seen.ts';
export type { SigningKeyChanges, SigningKeyRotation } from './service/signing/key-changes.ts';
export type { SigningKey } from './service/signing/key-record.ts';
export type { Signing } from './service/signing/signing.ts';
export type { ReadStatusList, StatusListToken } from './service/signing/status-lists.ts';
export type { HostSpends, SettleInput, Spends } from './service/spending/spends.ts';
export { ANSWER_DEADLINES, tooLate, unavailable } from './service/storage/storage-guard.ts';
export type { SubjectErasure, SubjectInput, Subjects } from './service/subjects/subjects.ts';
export type { CallCounts } from './service/verification/call-counts.ts';
export type { RateState } from './service/verification/rates.ts';
export type { VerifyService } from './service/verification/verify.ts';
export { askingAs, type VerifyAs, type VerifyAsOptions } from './service/verification/verify-as.ts';
export type { VerifyCaller } from './service/verification/verify-caller.ts';
export type { JwkSet, PublishedJwk } from './signing/jwks.ts';
export type { SigningKeyState } from './signing/key-state.ts';
export type { Verifiers } from './verifiers/verifiers.ts';
