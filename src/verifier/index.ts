/** The door `./verifier`: a remote service decided in process, with a bound on the age of what it decides by. */
export type {
  Environment,
  Instant,
  Intent,
  Reason,
  ReasonCode,
  Verdict,
  VerdictRecord,
} from '../records.ts';
export type { AsksReason } from './asking.ts';
export { createLocalVerifier, type LocalVerifier, type VerifierState } from './local-verifier.ts';
export type { LocalVerifierOptions } from './options.ts';
