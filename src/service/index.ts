/** The services, as the rest of the package sees them. */

export type { After } from '../credential/turnstile.ts';
export type { Accounts, Credentials, ListedAccount } from './accounts.ts';
export type { Analytics, AnalyticsQuery, AskAnalytics, SeriesPoint, TopEntry } from './analytics.ts';
export type { CallOptions, Traced } from './call-options.ts';
export type { Actor, KeyCaller, SessionCaller } from './context.ts';
export { createIdentityService, type IdentityService } from './create-identity-service.ts';
export type { DomainQuery, Domains } from './domains.ts';
export { unavailable, within } from './guard.ts';
export type { OnceOptions } from './idempotency.ts';
export type { RangeRequest } from './instant-range.ts';
export type { KeyChanges, KeyPatch, KeyRotation, RotatedApiKey } from './key-changes.ts';
export type { NewKeyFields } from './key-record.ts';
export type { KeyInput, KeyPage, Keys, NewApiKey, Repeatable } from './keys.ts';
export type { LatencyPercentiles } from './latency.ts';
export type { CacheLimits, IdentityServiceOptions, PlanLimits } from './options.ts';
export type { OwnAccount, PasswordChange } from './own-account.ts';
export type { PageRequest } from './pages.ts';
export type { PassportQuery, Passports, UpdateOptions } from './passports.ts';
export type { RateState } from './rates.ts';
export type { RevocationService } from './revocation.ts';
export { requireScope } from './scope.ts';
export type { Session, Sessions } from './sessions.ts';
export type { Client } from './throttle.ts';
export type { VerificationFilter, Verifications } from './verifications.ts';
export type { VerifyService } from './verify.ts';
export type { VerifyCaller } from './verify-caller.ts';
