/**
 * The entry point `./proof`. An agent proves with its own key that an intent is its own. Anyone can verify a signed
 * passport or a receipt from an evidence log. A resource can require a permit. It has no dependencies.
 */

export {
  type FieldError,
  IdentityError,
  type IdentityErrorCode,
  type IdentityErrorDetails,
} from '../../errors.ts';
export type { PrivateJwk } from '../../platform/signing.ts';
export type { PublicJwk, SigningAlgorithm } from '../../records/key.ts';
export type { Environment, Instant, Intent, Passport, PermitRequest, VerdictRecord } from '../../records.ts';
export type { LoggedRecord } from '../../transparency-log/entries.ts';
export type { PassportProblem, PermitProblem } from './invalid-token.ts';
export type { GivenKeys } from './issuer-keys.ts';
export { type SignedPassport, type VerifyPassportOptions, verifyPassport } from './passport-token.ts';
export {
  createPermitVerifier,
  type Permit,
  type PermitAction,
  type PermitLog,
  type PermitVerifier,
  type PermitVerifierOptions,
} from './permit-token.ts';
export { type AgentKeyPair, generateAgentKey } from './private-key.ts';
export { type Once, type RememberOnceOptions, rememberOnce } from './remember-once.ts';
export { type SignedIntent, type SignIntentOptions, signIntent } from './sign-intent.ts';
export {
  type LogReceipt,
  type OpenBlock,
  type ReceiptProblem,
  type VerifiedReceipt,
  type VerifyReceiptOptions,
  verifyReceipt,
} from './verify-receipt.ts';
