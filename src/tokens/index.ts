/**
 * The entry point `./tokens`: gets access tokens for an agent, and verifies them for a resource. It has no
 * dependencies.
 */

export type { PrivateJwk } from '../platform/signing.ts';
export type { Environment } from '../records.ts';
export { type AgentTokenOptions, type AgentTokens, agentTokens } from './agent-tokens.ts';
export { type AskIssuer, type IntrospectionOptions, introspection } from './introspection.ts';
export type { GivenKeys } from './proof/issuer-keys.ts';
export { type Once, type RememberOnceOptions, rememberOnce } from './proof/remember-once.ts';
export { type Access, accessOf } from './read-access-token.ts';
export {
  type AccessAuthInfo,
  type AccessNeeds,
  type AccessRequest,
  createTokenVerifier,
  type TokenVerifier,
  type TokenVerifierOptions,
} from './token-verifier.ts';
