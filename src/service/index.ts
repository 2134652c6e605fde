/** The services, as the rest of the package sees them. */
export type { Credentials } from './accounts.ts';
export type { Analytics, AnalyticsQuery } from './analytics.ts';
export type { KeyCaller, SessionCaller } from './context.ts';
export { createIdentityService, type IdentityService } from './create-identity-service.ts';
export { unavailable, within } from './guard.ts';
export type { OnceOptions } from './idempotency.ts';
export type { KeyPatch, KeyRotation, RotatedApiKey } from './key-changes.ts';
export type { KeyInput, KeyPage, NewApiKey, Repeatable } from './keys.ts';
export type { IdentityServiceOptions } from './options.ts';
export type { PasswordChange } from './own-account.ts';
export type { PageRequest } from './pages.ts';
export type { PassportQuery, UpdateOptions } from './passports.ts';
export type { RateState } from './rates.ts';
export { requireScope } from './scope.ts';
export type { Client } from './throttle.ts';
export type { VerificationFilter } from './verifications.ts';
