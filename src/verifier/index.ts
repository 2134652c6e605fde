/**
 * The entry point `./verifier`: evaluates intents in your own process. The passports come from a remote service and
 * have a maximum age.
 */
export type {
  Authzen,
  AuthzenEvaluation,
  AuthzenMetadata,
  AuthzenOptions,
  AuthzenSubject,
} from '../base/authzen.ts';
export type { IdentityClient, IdentityClientOptions } from '../client.ts';
export type { CacheLimits } from '../core/options.ts';
export type { Actor, KeyCaller, Traced } from '../core/shared/callers.ts';
export type { VerifyCaller } from '../core/verification/verify-caller.ts';
export type { FieldError, IdentityError, IdentityErrorCode, IdentityErrorDetails } from '../errors.ts';
export type { After, Clock, Logger, RandomSource } from '../ports/host.ts';
export type {
  Environment,
  Instant,
  Intent,
  PermitRequest,
  Plan,
  Reason,
  ReasonCode,
  Scope,
  Verdict,
  VerdictRecord,
} from '../records.ts';
export type { AsksReason } from './channel.ts';
export { createLocalVerifier, type LocalVerifier, type VerifierState } from './local-verifier.ts';
export type { AlwaysAsked, AskedCause } from './memory.ts';
export type { LocalVerifierOptions } from './options.ts';
export {
  createVerifierHost,
  type VerifierHost,
  type VerifierHostOptions,
  type VerifierServing,
} from './verifier-host.ts';
