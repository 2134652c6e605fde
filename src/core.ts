/** The parts of the core that the rest of the package uses. */

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
export type * from './core/account-rooms.ts';
export type { Credentials, ListedAccount } from './core/accounts/account-record.ts';
export type { AccountChanges, Accounts } from './core/accounts/accounts.ts';
export type { OwnAccount } from './core/accounts/own-account.ts';
export type { ApprovalQuery, Approvals } from './core/approvals/approvals.ts';
export type { Capability, RoomsOf } from './core/capabilities/capability.ts';
export { createIdentityService } from './core/create-identity-service.ts';
export type { ErasureProgress, Erasures } from './core/erasure/erasures.ts';
export type { EventQuery } from './core/events/event-filter.ts';
export { eventFrame } from './core/events/event-records.ts';
export type { EventStream } from './core/events/event-stream.ts';
export type { Events } from './core/events/events.ts';
export type * from './core/identity-service.ts';
export type { Audit, AuditFilter } from './core/insight/audit.ts';
export type { OutcomeState, VerificationFilter, Verifications } from './core/insight/verifications.ts';
export type { LatencyPercentiles } from './core/journal/latency.ts';
export type { AuthenticateManagementKey } from './core/keys/authenticate-management-key.ts';
export type { KeyChanges, KeyPatch, KeyRotation, RotatedApiKey } from './core/keys/key-changes.ts';
export type { NewApiKey, NewKeyFields, Repeatable } from './core/keys/key-record.ts';
export type { HostKeys, KeyInput, KeyPage, KeyQuery, Keys } from './core/keys/keys.ts';
export type { As } from './core/open-account-rooms.ts';
export type {
  CacheLimits,
  CoreOptions,
  PlanLimits,
} from './core/options.ts';
export type { Outcomes } from './core/outcomes/outcomes.ts';
export type { TryInput } from './core/passports/change-between.ts';
export type { CreateAll, NewPassport } from './core/passports/issuing.ts';
export type { PassportQuery } from './core/passports/list-passports.ts';
export type {
  BudgetQuery,
  HostPassports,
  Passports,
  StateChanges,
  UpdateOptions,
  VersionOptions,
} from './core/passports/passports.ts';
export type { CreateOptions } from './core/passports/sound-passport.ts';
export {
  type Actor,
  type AuthenticateHost,
  type CallOptions,
  type KeyCaller,
  type Management,
  type ManagementCaller,
  type OwnSession,
  requireManagement,
  requireRole,
  requireScope,
  type SessionCaller,
  type Traced,
  tokenRefused,
  tracedCaller,
} from './core/shared/callers.ts';
export { assertKey, type OnceOptions, type ReplayOptions } from './core/shared/idempotency.ts';
export type { PageRequest } from './core/shared/pages.ts';
export type { SpendCaller } from './core/shared/seen.ts';
export type { CommitInput, ExtendInput, HostSpends, SettleInput, Spends } from './core/spending/spends.ts';
export { ANSWER_DEADLINES, tooLate, unavailable } from './core/storage/storage-guard.ts';
export type { PublishedState } from './core/verification/ancestries.ts';
export type { CallCounts, RateState } from './core/verification/rates.ts';
export {
  askingAs,
  type VerifyAs,
  type VerifyAsOptions,
  type VerifyService,
} from './core/verification/verify.ts';
export type { VerifyCaller } from './core/verification/verify-caller.ts';
export type { Domains, HostDomains, ReleaseOptions } from './domains/domains.ts';
export type { DomainProofs, HostDomainProofs } from './domains/proof.ts';
export type { SubjectErasure, SubjectInput, Subjects } from './erasure/subjects.ts';
export type { Evidence, EvidenceQuery, PublicLogs } from './evidence/evidence.ts';
export type { Logs } from './evidence/open-evidence.ts';
export type { ReceiptQuery, VerdictReceipts } from './evidence/receipts.ts';
export type { IdentityOptions } from './identity/identity-options.ts';
export type {
  Published,
  PublishedAgent,
  PublishedOptions,
} from './identity/published.ts';
export type { PassportSigning } from './identity/sign-passport.ts';
export type { Signing, SigningKeyChanges, SigningKeyRotation } from './identity/signing.ts';
export type { ReadStatusList, StatusListToken } from './identity/status-lists.ts';
export type { SigningKey } from './identity/stored-signer.ts';
export type { AcceptInput, LinkInput, Links } from './people/links.ts';
export type { MemberChanges, MemberPatch, MemberRemoval } from './people/member-changes.ts';
export type { AccountMembers, MemberInput, MemberQuery } from './people/members.ts';
export type { Oidc, OidcFinishInput } from './people/oidc.ts';
export type * from './people/oidc-options.ts';
export type {
  AccountDeletion,
  AccountDeletions,
  FromClient,
  HostOwnLogin,
  PasswordChange,
  PasswordChanges,
} from './people/own-login.ts';
export type { Register } from './people/register.ts';
export type { LogoutInput, Session, Sessions } from './people/sessions.ts';
export type { OidcAnswer } from './people/sign-in-steps.ts';
export type { CallerOrigin } from './people/throttle.ts';
export type { After } from './ports/host.ts';
export type * from './ports/metrics.ts';
export type { RangeRequest } from './schema/instant-range.ts';
export type { JwkSet, PublishedJwk } from './tokens/signing/jwks.ts';
export type { SigningKeyState } from './tokens/signing/key-state.ts';
export type { Verifiers } from './verifiers/verifiers.ts';
