/**
 * The door `./proof`: an agent proves with its own key that an intent is its own, and anyone verifies a signed
 * passport. Without any dependency.
 */

export {
  type FieldError,
  IdentityError,
  type IdentityErrorCode,
  type IdentityErrorDetails,
} from '../errors.ts';
export type { PrivateJwk } from '../platform/signing.ts';
export type { PublicJwk, SigningAlgorithm } from '../ports/signer.ts';
export type { Instant, Intent, Passport } from '../records.ts';
export { type AgentKeyPair, generateAgentKey } from './agent-key.ts';
export type { PassportProblem } from './invalid-token.ts';
export type { SignedPassport } from './passport-token.ts';
export { type SignedIntent, type SignIntentOptions, signIntent } from './sign-intent.ts';
export { type VerifyPassportOptions, verifyPassport } from './verify-passport.ts';
