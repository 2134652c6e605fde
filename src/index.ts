/**
 * The entry point `.`: the values of the core, and the types that an application writes in its own code. The types that
 * these types refer to are in `./types`.
 */

export { createIdentityClient, type IdentityClient, type IdentityClientOptions } from './client.ts';
export {
  type Capability,
  type CoreOptions,
  createIdentityService,
  type IdentityService,
  type IdentityServiceOptions,
  type NewApiKey,
  type ServiceWith,
} from './core.ts';
export {
  type FieldError,
  IdentityError,
  type IdentityErrorCode,
  type IdentityErrorDetails,
} from './errors.ts';
export type { LogEvent, Logger, StorageAdapter } from './ports/storage.ts';
export type {
  Account,
  ApiKey,
  Environment,
  HostLogin,
  Instant,
  Intent,
  Page,
  Passport,
  PassportInput,
  PassportPatch,
  PassportStatus,
  PermitRequest,
  Plan,
  ProofRequirement,
  Reason,
  ReasonCode,
  Role,
  Scope,
  Verdict,
  VerdictRecord,
} from './records.ts';
export { defaultRules, type Facts, type Rule } from './verdict/index.ts';
