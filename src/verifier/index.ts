/** The door `./verifier`: a remote service decided in process, with a bound on the age of what it decides by. */
export type { IdentityClient, IdentityClientOptions } from '../client.ts';
export type { After, Clock, Logger, RandomSource } from '../ports/host.ts';
export type {
  Environment,
  Instant,
  Intent,
  Reason,
  ReasonCode,
  Verdict,
  VerdictRecord,
} from '../records.ts';
export type { CacheLimits } from '../service/options.ts';
export type { AsksReason } from './asking.ts';
export { createLocalVerifier, type LocalVerifier, type VerifierState } from './local-verifier.ts';
export type { LocalVerifierOptions } from './options.ts';
