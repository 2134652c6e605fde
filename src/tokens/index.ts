/** The entry point `./tokens`: a resource verifies access tokens of agents. Without any dependency. */

export type { GivenKeys } from '../proof/issuer-keys.ts';
export { type Once, type RememberOnceOptions, rememberOnce } from '../proof/remember-once.ts';
export type { Environment } from '../records.ts';
export type { Access } from './read-access-token.ts';
export {
  type AccessAuthInfo,
  type AccessNeeds,
  type AccessRequest,
  createTokenVerifier,
  type TokenVerifier,
  type TokenVerifierOptions,
} from './token-verifier.ts';
