/** The services, as the rest of the package sees them. */

export type { RangeRequest } from '../base/instant-range.ts';
export type { After } from '../ports/host.ts';
export type { Accounts, Credentials, ListedAccount } from './accounts/accounts.ts';
export type { OwnAccount, PasswordChange } from './accounts/own-account.ts';
export type { Session, Sessions } from './accounts/sessions.ts';
export type { Client } from './accounts/throttle.ts';
export { createIdentityService, type IdentityService } from './create-identity-service.ts';
export type { Analytics, AnalyticsQuery, AskAnalytics, SeriesPoint, TopEntry } from './insight/analytics.ts';
export type { VerificationFilter, Verifications } from './insight/verifications.ts';
export type { LatencyPercentiles } from './journal/latency.ts';
export type { KeyChanges, KeyPatch, KeyRotation, RotatedApiKey } from './keys/key-changes.ts';
export type { NewApiKey, NewKeyFields, Repeatable } from './keys/key-record.ts';
export type { KeyInput, KeyPage, Keys } from './keys/keys.ts';
export type { CacheLimits, IdentityServiceOptions, PlanLimits } from './options.ts';
export type { DomainQuery, Domains } from './passports/domains.ts';
export type { PassportQuery, Passports, UpdateOptions } from './passports/passports.ts';
export type { RevocationService } from './passports/revocation.ts';
export type { CallOptions, Traced } from './shared/call-options.ts';
export type { Actor, KeyCaller, SessionCaller } from './shared/callers.ts';
export type { OnceOptions } from './shared/idempotency.ts';
export type { PageRequest } from './shared/pages.ts';
export { requireScope } from './shared/scope.ts';
export { tooLate, unavailable } from './storage/storage-guard.ts';
export type { RateState } from './verification/rates.ts';
export type { VerifyService } from './verification/verify.ts';
export type { VerifyCaller } from './verification/verify-caller.ts';
